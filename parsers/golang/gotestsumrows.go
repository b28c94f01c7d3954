package golang

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// gotestsumRow is a line of the format testname: "PASS money.TestParse/negative (re-run 1) (0.00s)".
// A test in the directory where gotestsum ran has no package in its name.
type gotestsumRow struct {
	pkg  string // relative to the directory where gotestsum ran
	test tool.Test
}

func readGotestsumRow(s string) (r gotestsumRow, ok bool) {
	word, rest, _ := strings.Cut(s, " ")
	came, known := map[string]tool.Test{"PASS": {Outcome: tool.Passed}, "FAIL": {Outcome: tool.Failed}, "SKIP": {Outcome: tool.Skipped}}[word]
	i := strings.LastIndex(rest, " (")
	if !known || i < 0 || !strings.HasSuffix(rest, "s)") || !isGoSeconds(rest[i+2:len(rest)-1], 2) {
		return r, false
	}
	came.DurationMS, _ = lex.Millis(rest[i+2 : len(rest)-1])
	name, _, _ := strings.Cut(rest[:i], " (re-run ")
	if lex.HasAnyPrefix(name, "Test", "Example", "Fuzz", "Benchmark") {
		name = ".." + name
	}
	for _, kind := range [...]string{".Test", ".Example", ".Fuzz", ".Benchmark"} {
		if k := strings.Index(name, kind); k > 0 {
			r.pkg, came.ID = name[:k], name[k+1:]
			r.test = came
			return r, true
		}
	}
	return r, false
}

// tellRows reports the tests named by progress lines. For a test that was run again the last line has the
// verdict; if it passed then, it is flaky.
func (g *gotestsum) tellRows(rep *tool.Report, prefix string) {
	if len(g.rows) == 0 {
		return
	}
	rep.Tests = nil // it lists only the failures
	last := map[string]int{}
	for i, r := range g.rows {
		last[r.pkg+"."+r.test.ID] = i
	}
	parents := parentsOf(g.rows, func(r gotestsumRow) string { return r.pkg + "." + r.test.ID })
	for i, r := range g.rows {
		t := r.test
		t.Parent = parents[r.pkg+"."+t.ID]
		if t.Parent && t.Outcome == tool.Passed {
			g.parents++
		}
		if last[r.pkg+"."+t.ID] != i {
			t.Outcome = tool.Rerun
		}
		t.ID = strings.TrimPrefix(g.full(prefix, r.pkg)+"."+t.ID, ".")
		rep.Ran(t)
	}
}
