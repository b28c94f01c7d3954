package rust

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cargo nextest run: the text format (0.9; "nexte.st/docs/reporting" is the documentation). It is on stderr, after
// cargo's lines about the build:
//
//	    Starting 3 tests across 2 binaries
//	        PASS [   0.005s] (1/3) lexer tests::a
//	        FAIL [   0.006s] (2/3) lexer::integration b
//	  stderr ───
//
//	    thread 'b' (27338) panicked at lexer/tests/integration.rs:4:26:
//	    boom
//
//	     Summary [   0.010s] 3 tests run: 2 passed, 1 failed, 0 skipped
//	        FAIL [   0.006s] (2/3) lexer::integration b
//	error: test run failed
//
// An id is "<binary id>::<test>". A retried test counts by its last attempt; Attempts is the number of attempts. A test
// that failed before it passed is a warning with the tag "flaky". The output of a test may follow its status,
// follow the summary, or be missing.
//
// On a terminal, current versions draw the text without newlines: see screenRows.
//
// --message-format libtest-json writes the events of libtest to stdout beside the text. They are read if the text is
// missing.
var _ = Room.Add("cargo", func(p *tool.Parser) {
	p.Is("cargo-nextest", result.Test, 3, "cargo nextest 0.9, text and libtest-json")
	p.Family, p.ColumnUnit = "cargo", "char"
	p.Filter = tool.Filter{Spell: testName}
	p.Matches = func(argv []string) bool { return cargoCommand(argv) == "nextest" }
	p.Exits = map[int]result.Meaning{
		4: result.MeansNoTests, 94: result.MeansUsage, 95: result.MeansUsage, 96: result.MeansUsage, 102: result.MeansUsage,
		104: result.MeansInternal, 110: result.MeansInternal,
	}
	p.JUnit = &tool.Dialect{
		Suites: []string{"nextest-run"}, Explain: explainRust,
		ID: func(n *tool.CaseNames) (id string, suites []string) { return n.Class + "::" + n.Name, nil },
	}
	p.Files = []tool.Files{{Places: []string{"target/nextest/*/junit.xml"}, Homes: []string{"Cargo.toml"}, Programs: []string{"cargo", "cargo-nextest"}}}
	p.Reads(tool.Format{Name: "libtest-json", Starts: []string{nextestJSONStart, nextestJSONSuite}, Parse: parseNextestJSON})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Nextest run ID ", "Starting …binar", "Summary [", "PASS [", "FAIL [", "error: no tests to run", "error: test run failed", "error: command `"}, Sniff: isNextestLine, Parse: parseNextest})
	p.Reads(tool.Format{Name: "messages", Starts: []string{"error: ", "error[", "Compiling …v", "Finished …target(s)"}, Parse: func(in *tool.Input) *tool.Report {
		if cargoToolNamed(in) != "cargo-nextest" {
			return nil
		}
		return parseNextest(in)
	}})
}, tool.WritesFiles)

func isNextestLine(s string) bool {
	_, isStatus := readNextestStatus(s)
	_, isSummary := readNextestSummary(s)
	return isStatus || isSummary || s == "error: test run failed" || strings.HasPrefix(s, " Nextest run ID ") || strings.HasPrefix(s, "    Starting ") && strings.Contains(s, " test") && !strings.HasSuffix(s, " workers")
}

// parseNextest reads the output, once for both text formats. Both streams are read as one: nextest writes to only one.
func parseNextest(in *tool.Input) *tool.Report {
	rep := in.Once("nextest", func() any { return readNextest(in) }).(*tool.Report)
	if rep == nil {
		return nil
	}
	mine := *rep
	return &mine
}

func readNextest(in *tool.Input) *tool.Report {
	run := newNextestRun(in)
	for l := range in.LentLines() {
		if !run.passing(l.Text) {
			l.Text = strings.Clone(l.Text)
		}
		run.cargo.whole = l.Ended || run.cargo.whole && l.Text == ""
		run.take(l)
	}
	if run.summary == nil {
		if drawn := readNextestScreen(in); drawn != nil {
			return drawn
		}
	}
	return run.finish()
}

// readNextestScreen reads output that was drawn on a terminal, if there is any.
func readNextestScreen(in *tool.Input) *tool.Report {
	for _, stream := range []tool.Stream{tool.Stdout, tool.Stderr} {
		run := newNextestRun(in)
		if screenRows(in, stream, run.take); run.summary != nil {
			return run.finish()
		}
	}
	return nil
}

func (run *nextestRun) finish() *tool.Report {
	rep := run.cargo.report
	run.build.closeDiag()
	run.cargo.addDiags("cargo-nextest")
	if !run.began && run.refused == "" && len(run.cargo.diags) == 0 && !run.cargo.cargo {
		return nil
	}
	for _, t := range run.believed() {
		rep.Add(run.finding(t))
	}
	isError := func(f result.Finding) bool { return f.Severity != result.SevWarning }
	if run.refused != "" && !slices.ContainsFunc(rep.Findings, isError) {
		span := run.span
		rep.Add(result.Finding{Kind: result.GenericFinding, Severity: result.SevError, Message: run.refused, RawSpan: &span})
	}
	run.count()
	run.told.tell(rep)
	rep.Dropped = run.cargo.dropped
	rep.Tested = run.summary != nil && rep.Counts["passed"]+rep.Counts["failed"] > 0
	rep.NoTests = run.summary != nil && !rep.Tested && !run.setupFailed || strings.HasPrefix(run.refused, "no tests to run")
	if run.cargo.usage || refused(rep.Findings) {
		rep.Meaning = result.MeansUsage
	}
	rep.Complete = run.cargo.whole && (run.summary != nil || !run.began)
	run.cargo.placeAll()
	return rep
}

// believed are the failed tests, in the order of the output. If the list after the summary is as long as the summary
// says, only its tests count: the others were printed by tests.
func (run *nextestRun) believed() []*nextestTest {
	all := slices.DeleteFunc(slices.Clone(run.tests), func(t *nextestTest) bool { return t.passed && !t.flaky })
	failed := 0
	for _, t := range all {
		if t.listed {
			failed++
		}
	}
	if failed == 0 || run.summary == nil || failed != run.summary["failed"] {
		return all
	}
	return slices.DeleteFunc(all, func(t *nextestTest) bool { return !t.listed && !t.flaky })
}

// count takes the numbers of the summary. The summary of a stress run does not count tests.
func (run *nextestRun) count() {
	rep := run.cargo.report
	run.cargo.count("cargo-nextest")
	if run.summary != nil && len(run.summary) == 0 {
		run.summary = map[string]int{"passed": run.passes, "failed": 0}
		for _, f := range rep.Findings {
			if f.Severity == result.SevFailure {
				run.summary["failed"]++
			}
		}
	}
	for k, n := range run.summary {
		if n > 0 || k != "flaky" {
			rep.Counts[k] = n
		}
	}
	rep.Claimed += rep.Counts["failed"]
	if run.setupFailed {
		rep.Counts["error"]++
		rep.Claimed++
	}
}

// nextestTold has the outcomes of all tests, read from the status lines.
type nextestTold struct {
	at    map[string]int // by binary and test
	tests []tool.Test
	more  bool // further tests were left out
}

// take takes a status line. listed says that the line is in the list after the summary, which repeats the last status
// of a test.
func (d *nextestTold) take(key string, n nextestStatus, listed bool) {
	t := tool.Test{ID: n.binary + "::" + n.test, Outcome: tool.Passed, DurationMS: n.took}
	switch {
	case strings.HasPrefix(n.word, "SETUP"):
		return
	case n.word == "SKIP":
		t.Outcome = tool.Skipped
	case strings.HasPrefix(n.word, "FLAKY "):
		t.Outcome = tool.Flaky
	case nextestCame(n.word) == "failed":
		t.Outcome = tool.Failed
	case n.word == "SLOW" || nextestCame(n.word) != "passed":
		return
	}
	i, known := d.at[key]
	switch {
	case !known && len(d.tests) >= tool.MaxTests:
		d.more = true
	case !known:
		t.ID = strings.Clone(t.ID)
		lex.Put(&d.at, strings.Clone(key), len(d.tests))
		d.tests = append(d.tests, t)
	case listed || strings.HasPrefix(n.word, "FLKY-FL "):
		if d.tests[i].Outcome == tool.Passed && t.Outcome != tool.Passed || t.Outcome == tool.Failed {
			d.tests[i].Outcome = t.Outcome
		}
	case d.tests[i].Outcome == tool.Failed && t.Outcome == tool.Passed && n.attempt > 1:
		d.tests[i].Outcome, d.tests[i].DurationMS = tool.Flaky, t.DurationMS
	case t.Outcome == tool.Failed:
		d.tests[i].Outcome, d.tests[i].DurationMS = tool.Failed, t.DurationMS
	}
}

// tell adds the tests to the report.
func (d *nextestTold) tell(rep *tool.Report) {
	for _, t := range d.tests {
		rep.Ran(t)
	}
	if d.more {
		rep.Unread("there are more tests than are kept")
	}
}
