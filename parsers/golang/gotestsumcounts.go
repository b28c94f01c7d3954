package golang

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// gotestsumDone has the counts of the last line, "DONE …".
type gotestsumDone struct{ runs, tests, skipped, failures, errors int }

// readGotestsumDone reads "DONE 2 runs, 11 tests, 1 skipped, 5 failures, 1 error in 0.006s".
func readGotestsumDone(line string) *gotestsumDone {
	rest, ok := strings.CutPrefix(line, "DONE ")
	i := strings.LastIndex(rest, " in ")
	if !ok || i < 0 || !isGoSeconds(rest[i+len(" in "):], 3) {
		return nil
	}
	n := read.Counts(rest[:i])
	tests, counted := n["tests"]
	if !counted {
		return nil
	}
	return &gotestsumDone{runs: max(1, n["runs"]), tests: tests, skipped: n["skipped"], failures: n["failure"] + n["failures"], errors: n["error"] + n["errors"]}
}

// applyCounts takes the counts of the last line. A test that failed in a run before
// the last, and was not listed again, passed when it was run again.
func (g *gotestsum) applyCounts(rep *tool.Report, listed int) *tool.Report {
	rep.Complete = g.done != nil && g.run.whole
	rep.Tested = g.done != nil && g.done.tests > 0
	if g.done == nil {
		return rep
	}
	if g.done.runs > 1 {
		g.forgive(rep)
	}
	rep.NoTests = g.done.tests == 0 && g.done.failures == 0 && g.done.errors == 0
	if g.done.tests > 0 {
		rep.Counts["skipped"] = g.done.skipped
		rep.Counts["passed"] = max(0, g.done.tests-g.done.skipped-max(listed, g.done.failures)-g.parents)
	}
	delete(rep.Counts, "packages_ok")
	switch {
	case listed == 0 && g.done.failures > 0: // failures are hidden; a report in a file may list them
		rep.Counts, rep.Claimed = map[string]int{}, max(rep.Claimed, 1)
	case listed < g.done.failures:
		rep.Claimed, rep.Doubt = max(rep.Claimed, g.done.failures), "failures are counted that are not listed"
	}
	return rep
}

// forgive merges the attempts at a test into one finding, and makes it a warning if the test passed in the end.
func (g *gotestsum) forgive(rep *tool.Report) {
	rep.Claimed -= mergeAttempts(rep, func(f *result.Finding) bool { return len(f.Suite) > 0 && !g.failedLast(f) })
	failed := map[string]bool{}
	for _, f := range rep.Findings {
		if f.Severity != result.SevWarning && len(f.Suite) > 0 {
			failed[f.Suite[0]] = true
		}
	}
	rep.Counts["packages_failed"] = len(failed)
}

// failedLast says whether the finding's test failed in the last run, or is not listed at all.
func (g *gotestsum) failedLast(f *result.Finding) bool {
	listed := false
	for _, b := range g.blocks {
		if b != nil && b.test == f.Name && strings.HasSuffix(f.Suite[0], strings.TrimPrefix(b.pkg, ".")) {
			if listed = true; b.run == g.done.runs-1 {
				return true
			}
		}
	}
	return !listed
}

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
	pkg, id, ok := cutGoID("." + name)
	came.ID = id
	return gotestsumRow{pkg: cmp.Or(strings.TrimPrefix(pkg, "."), "."), test: came}, ok
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

// tparse reads the output of the tool tparse, which reformats go test -json: a frame with the name of each
// failed package, its tests below, and at the end a row per package:
//
//	┃   FAIL  package: example.com/shop/cart   ┃
//	--- FAIL: TestTotal (0.00s)
//
//	    cart_test.go:12: got 3, want 4
//	│  FAIL  │  0.02s  │ example.com/shop/cart │  --   │  23  │  6   │  0   │
func (r *goText) tparse(l tool.Line) bool {
	if r.current != nil || !lex.HasAnyPrefix(l.Text, "┃", "│", "╭", "╰", "├", "┏", "┗", "─") {
		return false // a test may print a table
	}
	if strings.Trim(l.Text, "╭╮╰╯├┤┬┴┼┏┓┗┛━─ ") == "" {
		return true
	}
	if _, pkg, ok := strings.Cut(strings.TrimRight(l.Text, " ┃"), "FAIL  package: "); ok {
		r.tparsed("fail", strings.Clone(pkg))
		return true
	}
	cells := strings.Split(l.Text, "│")
	if len(cells) < 2 || !lex.IsOneOf(strings.TrimSpace(cells[1]), "PASS FAIL SKIP Status") {
		return false
	}
	if len(cells) == 9 {
		verdict, pkg := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[3])
		if r.tparsed("fail", ""); verdict == "PASS" {
			r.closeSection(goTrailer{verdict: "pass", pkg: strings.Clone(pkg)})
		}
	}
	return len(cells) == 9 || len(cells) == 6
}

// tparsed ends the package named in the last frame, and begins the next one.
func (r *goText) tparsed(verdict, next string) {
	if r.framed != "" {
		r.section.failLine = true
		r.closeSection(goTrailer{verdict: verdict, pkg: r.framed})
	}
	r.framed, r.run.final = next, true
}
