// Command breaks runs the test suites and linters of well-known open-source packages through the built cairn, first as
// they were published and then with known mistakes ("breaks"), and says whether cairn named each break: the test or
// rule, the file, the line.
//
// It promises that the expectations do not come from cairn: they are in the table of breaks (python.go, golang.go,
// rust.go, javascript.go), and the line is looked up in the broken source (see want). It promises that the packages are
// the authors': versions are pinned and digests checked. Tools that are not fetched (go, cargo, node) are those of the
// machine, not pinned; a project whose tools are missing is named and skipped.
//
//	go -C bench run ./breaks                 every project
//	go -C bench run ./breaks -only semver    one
//	go -C bench run ./breaks -dir CACHE      keep packages and tools there
//	go -C bench run ./breaks -keep OUT       keep raw output and answer of each run
//
// Exit status: 0 every break was named; 1 a break was not named, or a clean run was not reported as clean; 2 it could
// not run.
//
// What may go in: packages whose suites take seconds, and breaks that a person
// could make by accident.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cairn/bench/packages"
	"cairn/bench/tree"
)

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "run this `PROJECT` only")
	flag.StringVar(&o.breakName, "break", "", "run this `BREAK` only")
	flag.StringVar(&o.dir, "dir", "", "`CACHE` of packages and tools (default: below the user's cache directory)")
	flag.StringVar(&o.keep, "keep", "", "keep raw output, result and compact text of each run below `OUT`")
	flag.Parse()
	tree.Enter()
	ok, err := run(os.Stdout, o)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "breaks: %v\n", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

type options struct{ only, breakName, dir, keep string }

// run runs every selected project; ok says whether all expectations were met.
func run(out io.Writer, o options) (ok bool, err error) {
	b, err := newBench(o)
	if err != nil {
		return false, err
	}
	defer b.close()
	ok, found := true, false
	for _, p := range projects() {
		if o.only != "" && o.only != p.name {
			continue
		}
		found = true
		fmt.Fprintf(out, "\n%s %s (%s)\n", p.name, p.version, p.license)
		rows, err := b.project(p)
		if missing, ok := errors.AsType[packages.Missing](err); ok {
			fmt.Fprintf(out, "  skipped: %v\n", missing)
			continue
		}
		if err != nil {
			return false, fmt.Errorf("project %s: %w", p.name, err)
		}
		ok = printRows(out, rows) && ok
	}
	if !found {
		return false, fmt.Errorf("there is no project called %q", o.only)
	}
	return ok, nil
}

// newBench builds the program under test and finds the cache.
func newBench(o options) (*bench, error) {
	cache, err := packages.Open(o.dir, "cairn-breaks")
	if err != nil {
		return nil, err
	}
	cache.Python = []string{"pytest==8.3.5", "mypy==1.15.0", "ruff==0.11.2", "freezegun==1.5.1"}
	cache.Node = []string{"typescript@5.8.2", "eslint@9.23.0", "typescript-eslint@8.28.0"}
	tmp, err := os.MkdirTemp("", "cairn-breaks-")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, Cache: cache, tmp: tmp, cairn: filepath.Join(tmp, "cairn")}
	if _, err := packages.Must("", nil, "go", "build", "-o", b.cairn, "./cmd/cairn"); err != nil {
		b.close()
		return nil, fmt.Errorf("%w (run this in the root of the source tree)", err)
	}
	return b, nil
}
