// Package tree finds the source that is measured. The commands of bench are in a module of their own, started with "go
// -C bench run ./NAME"; Enter makes the repository's root their working directory, so that their paths and the programs
// that they build are cairn's.
package tree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Enter changes to the directory of the module cairn, at or above the working directory. Without such a directory, it
// ends the program with status 2.
func Enter() {
	root, err := Root()
	if err == nil {
		err = os.Chdir(root)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "finding the source to measure: %v\n", err)
		os.Exit(2)
	}
}

// Root returns the directory of the module cairn, at or above the working directory.
func Root() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module cairn\n") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod of the module cairn at or above %s: start it within a clone of cairn", start)
		}
	}
}
