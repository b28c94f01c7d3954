// Command coverage parses recorded runs and says which of them cairn understands:
//
//	go -C bench run ./coverage [-tool T] [-v] DIR…
//
// A DIR has TOOL/CASE folders like golden. For each tool it prints how many runs are parsed, heuristic and generic, and
// how many verdicts are false: a failing run that is reported as passed or ok, or a parse without findings.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/bench/tree"
	"cairn/golden"
	"cairn/parsers"
	"cairn/render"
	"cairn/result"
)

// tally counts the runs of one tool.
type tally struct{ runs, parsed, heuristic, untyped, wrong int }

func main() {
	only := flag.String("tool", "", "the tools to look at, separated by commas")
	verbose := flag.Bool("v", false, "a line for each run")
	show := flag.Bool("show", false, "the compact form of each run")
	flag.Parse()
	tree.Enter()
	tallies := map[string]*tally{}
	for _, dir := range flag.Args() {
		cases, err := golden.Load(dir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "coverage: reading the runs in %s: %v\n", dir, err)
			os.Exit(1)
		}
		for _, c := range cases {
			name, _, _ := strings.Cut(c.Name, "/")
			if *only != "" && !slices.Contains(strings.Split(*only, ","), name) {
				continue
			}
			if tallies[name] == nil {
				tallies[name] = &tally{}
			}
			one(c, tallies[name], *verbose, *show)
		}
	}
	print(tallies)
}

// one parses a run and counts it.
func one(c golden.Case, t *tally, verbose, show bool) {
	in := c.Input(c.Output)
	r := parsers.Parse(in, c.Exit)
	bad := c.Exit.Signal != "" || c.Exit.TimedOut || c.Exit.Code != 0
	t.runs++
	switch r.ParserConfidence {
	case result.Parsed:
		t.parsed++
	case result.Heuristic:
		t.heuristic++
	default:
		t.untyped++
	}
	verdict := ""
	if bad && (r.Status == result.Passed || r.Status == result.OK) {
		verdict = " FALSE"
	} else if bad && r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		verdict = " EMPTY"
	}
	if verdict != "" {
		t.wrong++
	}
	var raw []byte
	for chunk := range in.Source.Chunks() {
		raw = append(raw, chunk.Data...)
	}
	compact := render.Compact(r, raw)
	if verbose || show {
		fmt.Printf("%-40s exit %-3d %-8s %-9s %3d findings %6d/%-6d bytes%s  %s\n", c.Name, c.Exit.Code, r.Status, r.ParserConfidence, len(r.Findings), len(compact), len(raw), verdict, r.Tool)
	}
	if show {
		fmt.Println(compact)
	}
}

func print(tallies map[string]*tally) {
	var names []string
	var all tally
	for name := range tallies {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := tallies[a], tallies[b]
		return cmp.Or(cmp.Compare(y.untyped, x.untyped), cmp.Compare(a, b))
	})
	for _, name := range names {
		t := tallies[name]
		fmt.Printf("%-24s %4d runs %4d parsed %4d heuristic %4d generic %3d false\n", name, t.runs, t.parsed, t.heuristic, t.untyped, t.wrong)
		all.runs, all.parsed, all.heuristic, all.untyped, all.wrong = all.runs+t.runs, all.parsed+t.parsed, all.heuristic+t.heuristic, all.untyped+t.untyped, all.wrong+t.wrong
	}
	fmt.Printf("%-24s %4d runs %4d parsed %4d heuristic %4d generic %3d false\n", "all", all.runs, all.parsed, all.heuristic, all.untyped, all.wrong)
}
