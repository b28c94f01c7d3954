package pytest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/read/trace"
	"cairn/parsers/tool"
	"cairn/result"
)

// report adds the findings of the run to rep.
func (run *run) report(rep *tool.Report, quiet bool) {
	if len(run.entries) == 0 && run.section != inSummary {
		run.entries = run.picks // the last lines of the output
	}
	if run.counts != nil && !run.closed && len(run.entries) == 0 {
		run.entries = run.earlier
	}
	run.reportFiles(rep)
	rep.Ends = append(rep.Ends, run.end)
	rep.Tests = tool.JoinTests(rep.Tests, run.tests.Tests)
	failed, errors := run.claims(quiet)
	fails, sure := run.pick(false, failed)
	errs, sureToo := run.pick(true, errors)
	if !sure || !sureToo {
		rep.Doubt = "the summary lists more failures than pytest counts"
	}
	parents, subtests := 0, map[string]bool{} // the tests with failed subtests
	for _, e := range fails {
		subtests[e.id] = subtests[e.id] || e.desc != ""
	}
	for _, e := range append(errs, fails...) {
		if e.isParent(subtests) {
			parents++
			continue
		}
		f := run.finding(e)
		if rep.Add(f); !strings.Contains(f.ID, "::") {
			rep.NoTest(f.ID) // the id is a file, or the title of a block whose file is not known
		}
		if e.block != nil {
			e.block.report(rep)
		}
	}
	if most := max(run.spare.blocks, run.spare.entries); most > 0 && failed >= 0 { // as many as pytest counts
		rep.Dropped += max(1, failed+errors-len(errs)-len(fails))
	} else {
		rep.Dropped += most
	}
	run.account(rep, failed, errors, parents)
	run.reportStops(rep)
	rep.Version = cmp.Or(rep.Version, run.version)
}

// claims is how many failures and errors there must be; -1 is unknown. With -qq they are the number of letters. Letters
// of subtests may be lost in a test's captured output: if all others are listed, the summary counts.
func (run *run) claims(quiet bool) (failed, errors int) {
	switch c := run.counts; {
	case c != nil && run.sugar:
		return c.by["failed"] + c.by["error"], 0
	case c != nil:
		return c.by["failed"] + c.by["subtests_failed"], c.by["error"]
	case !quiet || run.header || !run.letters.full && len(run.stopped) == 0:
		return -1, -1
	}
	listed, subtests, errs, by := 0, 0, 0, &run.letters.by
	for i := range run.entries {
		switch e := &run.entries[i]; {
		case e.desc != "":
			subtests++
		case e.error:
			errs++
		default:
			listed++
		}
	}
	failed = max(listed+subtests, by['F']+by['u'])
	if listed == by['F'] && subtests > 0 {
		failed = listed + subtests
	}
	return failed, max(errs, by['E']) // errors of the collection have no letter
}

// account adds the run's counts, and whether the run is complete.
func (run *run) account(rep *tool.Report, failed, errors, parents int) {
	switch c := run.counts; {
	case failed < 0:
		rep.Complete, rep.NoTests = false, false
		rep.Doubt = cmp.Or(rep.Doubt, run.doubt())
		return
	case c == nil:
		rep.Tested, rep.NoTests = true, false
		rep.Counts["failed"] += failed
		rep.Counts["error"] += errors
		rep.Counts["passed"] += run.letters.by['.']
		rep.Counts["skipped"] += run.letters.by['s']
	default:
		for k, n := range c.by {
			rep.Counts[k] += n
		}
		ran := c.ran() > 0
		rep.Tested = rep.Tested || ran && !c.collect
		rep.NoTests = rep.NoTests && !ran && (c.none || !c.collect)
		if !run.closed {
			rep.Doubt = cmp.Or(rep.Doubt, "more failures follow pytest's closing line")
		}
	}
	rep.Claimed = max(rep.Claimed, 0) + failed + errors - parents
}

// doubt says why a run without a closing line is doubted.
func (run *run) doubt() string {
	s := "the output ends before pytest's closing line"
	if run.current != "" && run.section <= atStart {
		s += "; running then: " + run.current
	}
	return s
}

// isParent says whether an entry only reports failed subtests, which are findings of their own. If there was no room
// for that message, a test with failed subtests has no other failure.
func (e *entry) isParent(subtests map[string]bool) bool {
	if e.block != nil {
		return e.block.parent
	}
	if e.desc != "" || e.error {
		return false
	}
	said, cut := strings.CutSuffix(e.message, "...")
	contains := cut && (strings.HasPrefix(said, "contains ") || strings.HasPrefix("contains ", said))
	if subtests[e.id] && (e.message == "" || contains) {
		return true
	}
	return strings.HasPrefix(e.message, "contains ") && strings.Contains(e.message, " failed subtest")
}

// reportFiles adds a finding for each file whose letters show failures, if the output does not name the failed
// tests because the run was stopped or by its options.
func (run *run) reportFiles(rep *tool.Report) {
	if len(run.entries)+len(run.blocks) > 0 || slices.ContainsFunc(run.verdicts, func(v verdict) bool { return v.ID != "" }) {
		return
	}
	failed, files := map[string]int{}, []string(nil)
	for _, v := range run.verdicts {
		if failed[v.file]++; v.file != "" && failed[v.file] == 1 {
			files = append(files, v.file)
		}
	}
	for _, file := range files {
		rep.Add(result.Finding{
			Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: "F", ID: file, MessageTruncated: true,
			Message: fmt.Sprintf("%d failed here; pytest does not say which", failed[file]),
			At:      &result.Location{Path: file}, RawSpan: &result.Span{Start: run.start, End: run.end},
		})
	}
}

// withoutFiles removes the findings of reportFiles for those files whose failed
// tests are named in a report, such as a JUnit file.
func withoutFiles(findings, named []result.Finding) []result.Finding {
	told := map[string]bool{}
	for i := range named {
		path, _, _ := strings.Cut(named[i].ID, "::")
		told[path] = true
	}
	return slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.RawSeverity == "F" && f.Kind == result.TestFailure && f.MessageTruncated && (told[f.ID] || f.ID == "" && len(named) > 0)
	})
}

// reportStops adds why a run ended early: a finding for an interruption, else (-x, too many collection errors) only a
// note.
func (run *run) reportStops(rep *tool.Report) {
	for _, s := range run.stopped {
		if s.title != "KeyboardInterrupt" && !strings.HasPrefix(s.title, "_pytest.outcomes.Exit: ") {
			result.SetExtra(&rep.Extra, "stopped", s.title)
			continue
		}
		rep.Meaning = result.MeansInterrupted
		f := result.Finding{
			Kind: result.GenericFinding, Severity: result.SevError, Message: s.title, Rule: trace.ClassOf(s.title),
			RawSpan: &result.Span{Start: s.start, End: s.end},
		}
		if at, _, ok := place.CutPlace(s.at); ok {
			f.At = &at
		}
		rep.Add(f)
		if rep.Claimed >= 0 {
			rep.Claimed++
		}
	}
}

// addNoTests notes that no test was selected.
func addNoTests(rep *tool.Report, run *run) {
	if run.counts == nil {
		return
	}
	message := "no tests ran"
	if run.counts.by["deselected"] > 0 {
		message += ": all were deselected"
	}
	rep.Add(result.Finding{Kind: result.GenericFinding, Severity: result.SevError, Message: message, RawSpan: &result.Span{Start: run.start, End: run.end}})
}
