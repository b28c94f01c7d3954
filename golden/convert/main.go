// Command convert turns recorded runs with one file per fact (cmd, cwd, version, exit, env, root, same, order, truth),
// as scripts record them, into cases with the single file run:
//
//	go run ./golden/convert golden            every case that is not yet
//	go run ./golden/convert golden/TOOL/CASE  one
//
// What may go in: only this command; package golden/runfile knows both layouts.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cairn/golden/runfile"
)

func main() {
	for _, dir := range os.Args[1:] {
		if err := convert(dir); err != nil {
			fmt.Fprintf(os.Stderr, "convert: %v\n", err)
			os.Exit(1)
		}
	}
}

func convert(dir string) error {
	cases := []string{dir}
	if !runfile.IsCase(dir) {
		below, err1 := runfile.Dirs(dir)
		pairs, err2 := runfile.Dirs(filepath.Join(dir, "pairs"))
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if cases = append(below, pairs...); len(cases) == 0 {
			return fmt.Errorf("%s has no case, nor have the folders TOOL/CASE below it", dir)
		}
	}
	for _, c := range cases {
		if err := runfile.Convert(c); err != nil {
			return err
		}
	}
	return nil
}
