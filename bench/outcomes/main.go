// Command outcomes runs the test suites of well-known packages, and compares the outcome of every test, as cairn reads
// it from the runner's output, with the runner's own machine report.
//
//	go -C bench run ./outcomes                     every suite
//	go -C bench run ./outcomes -only packaging     one; several with commas
//	go -C bench run ./outcomes -v                  also print each name that is not right
//	go -C bench run ./outcomes -dir CACHE          keep packages and tools there
//	go -C bench run ./outcomes -keep OUT           keep the output of each run
//	go -C bench run ./outcomes -update             write the table into docs/outcomes.md
//
// The sources are fetched from their registries by the registries' clients, in the versions that suites.go pins. Only
// this program reads the report (truth.go): no code of cairn decides what is right. A suite whose tools the machine does
// not have is named and skipped.
//
// Exit status: 0; 1 if a name is wrong or made up, or a failure was listed as passed; 2 if it could not run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/bench/packages"
	"cairn/bench/tree"
)

type options struct {
	only, dir, keep string
	verbose, update bool
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "run these `SUITES` only, with commas")
	flag.StringVar(&o.dir, "dir", "", "`CACHE` of packages and tools (default: below the user's cache directory)")
	flag.StringVar(&o.keep, "keep", "", "keep what each run printed below `OUT`")
	flag.BoolVar(&o.verbose, "v", false, "each name that is not right")
	flag.BoolVar(&o.update, "update", false, "write the table into docs/outcomes.md")
	flag.Parse()
	tree.Enter()
	ok, err := run(o)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "outcomes: %v\n", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

func run(o options) (ok bool, err error) {
	rows, err := suiteRows(o)
	if err != nil {
		return false, err
	}
	printTable(os.Stdout, rows)
	if o.update {
		if err := writeTable("docs/outcomes.md", rows); err != nil {
			return false, err
		}
	}
	t := total(rows)
	return t.wrong+t.phantom+t.falsePass == 0, nil
}

// suiteRows runs every suite that -only selects.
func suiteRows(o options) (rows []row, err error) {
	cache, err := packages.Open(o.dir, "cairn-outcomes")
	if err != nil {
		return nil, err
	}
	cache.Python = pythonTools
	b := &bench{o, cache}
	for _, s := range suites() {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), s.name) {
			continue
		}
		got, err := b.suite(s)
		if _, missing := errors.AsType[packages.Missing](err); missing {
			fmt.Printf("%s: skipped, %v\n", s.name, err)
			continue
		}
		if err != nil { // the other suites still run
			fmt.Fprintf(os.Stderr, "suite %s: %v\n", s.name, err)
			continue
		}
		rows = append(rows, got...)
	}
	if len(rows) == 0 {
		return nil, errors.New("no suite ran")
	}
	return rows, nil
}
