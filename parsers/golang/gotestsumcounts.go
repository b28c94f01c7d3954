package golang

import (
	"strings"

	"cairn/parsers/read"
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
	last := map[string]int{}
	for _, b := range g.blocks {
		if b != nil {
			last[b.test+" "+b.pkg] = max(last[b.test+" "+b.pkg], b.run)
		}
	}
	rep.Complete = g.done != nil && g.run.whole
	rep.Tested = g.done != nil && g.done.tests > 0
	if g.done == nil {
		return rep
	}
	if g.done.runs > 1 {
		g.forgive(rep, last)
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
func (g *gotestsum) forgive(rep *tool.Report, last map[string]int) {
	rep.Claimed -= mergeAttempts(rep, func(f *result.Finding) bool { return len(f.Suite) > 0 && g.lastRun(last, f) != g.done.runs-1 })
	kept := rep.Findings
	failed := map[string]bool{}
	for i := range kept {
		if kept[i].Severity != result.SevWarning && len(kept[i].Suite) > 0 {
			failed[kept[i].Suite[0]] = true
		}
	}
	rep.Counts["packages_failed"] = len(failed)
}

// lastRun is the number of the last run in which the finding's test failed, counted from 0.
func (g *gotestsum) lastRun(last map[string]int, f *result.Finding) int {
	for _, b := range g.blocks {
		if b != nil && b.test == f.Name && strings.HasSuffix(f.Suite[0], strings.TrimPrefix(b.pkg, ".")) {
			return last[b.test+" "+b.pkg]
		}
	}
	return g.done.runs - 1
}
