// Command retention says how much the compact form keeps of failing runs and what it costs: facts, bytes, tokens
// (cl100k_base), false verdicts and empty parses, per tool and in total, compared with the targets of the design.
//
// It promises that the compact text is the one that "cairn parse" prints, and that facts do not come from the parsers
// being measured: they are the case's truth or, without one, are found in the raw text by patterns that know no tool
// (see extract). Such patterns may also match text that is no fact, which lowers the figure, so a figure of cases
// without truth means "at least".
//
//	go -C bench run ./retention                   the golden cases
//	go -C bench run ./retention -corpus DIR       any folder of recorded runs in the shape of package golden
//	go -C bench run ./retention -others           output that other people recorded, and what other programs find in it
//	go -C bench run ./retention -v                every fact that was lost, and every verdict that is wrong
//	go -C bench run ./retention -show -tool a,b   the compact form of each run, also of those that did not fail
//	go -C bench run ./retention -tools FILE       instead, update the tables of tools in that file
//
// Exit status: 0 met, 1 a verdict is false or a parse is empty, 2 it could not
// run. Facts and bytes are reported, not enforced.
//
// What may go in: the measurement, and reading raw text independently of the parsers. A pattern that would favour one
// tool belongs nowhere.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"cairn/bench/tree"
	"cairn/golden"
	"cairn/internal/tokens"
)

func main() {
	corpus := flag.String("corpus", "golden", "measure the recorded runs below this `DIR`")
	verbose := flag.Bool("v", false, "list what was lost")
	outside := flag.Bool("others", false, "measure the recorded runs of other people's modules instead")
	only := flag.String("tool", "", "measure these `TOOLS` only, with commas")
	show := flag.Bool("show", false, "print the compact form of each run, failing or not")
	page := flag.String("tools", "", "bring the tables of tools in `FILE` up to date")
	flag.Parse()
	tree.Enter()
	if *page != "" {
		if err := rewrite(*page, *corpus); err != nil {
			fmt.Fprintf(os.Stderr, "retention: writing the table of tools: %v\n", err)
			os.Exit(2)
		}
		return
	}
	load := func() ([]golden.Case, error) { return golden.Load(*corpus) }
	if *outside {
		load = others
	}
	ok, err := run(os.Stdout, load, *only, *verbose, *show)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "retention: %v\n", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// run measures every failing case; ok says that there is no false verdict and no empty parse.
func run(out io.Writer, load func() ([]golden.Case, error), only string, verbose, show bool) (ok bool, err error) {
	cases, err := load()
	if err != nil {
		return false, err
	}
	count, err := tokens.New()
	if err != nil {
		return false, err
	}
	tools, total := map[string]*tally{}, &tally{}
	var names []string
	for _, c := range cases {
		tool, counted := path.Dir(c.Name), c.Failing() || len(c.Truth) > 0
		if only != "" && !slices.Contains(strings.Split(only, ","), tool) || !counted && !show {
			continue
		}
		m := measure(c, count)
		if show {
			m.show(out)
		}
		if !counted {
			continue
		}
		if tools[tool] == nil {
			tools[tool] = &tally{}
			names = append(names, tool)
		}
		tools[tool].add(m)
		total.add(m)
		if verbose {
			m.print(out)
		}
	}
	if total.cases == 0 {
		return false, errors.New("there is no failing case")
	}
	slices.Sort(names)
	printTable(out, names, tools, total)
	return total.falseVerdicts == 0 && total.empty == 0, nil
}
