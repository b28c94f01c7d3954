package parsers

import (
	"slices"
	"strings"

	"cairn/result"
)

// cargo nextest run: the text for people (0.9; "nexte.st/docs/reporting" is the
// documentation). It stands on stderr, behind what cargo says of the build:
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
// An id is "<binary id>::<test>". A test that was tried again counts by its
// last attempt; how often it was tried is in Attempts.
var _ = register(&Parser{
	Tool: "cargo-nextest", Family: "cargo", Kind: result.Test, Version: 2, ColumnUnit: "char",
	About:   "cargo nextest 0.9, text",
	Matches: func(argv []string) bool { return cargoCommand(argv) == "nextest" },
	Exits: map[int]result.Meaning{
		4: result.MeansNoTests, 94: result.MeansUsage, 95: result.MeansUsage, 96: result.MeansUsage, 102: result.MeansUsage,
		104: result.MeansInternal, 110: result.MeansInternal,
	},
	Formats: []Format{
		{Name: "text", Starts: []string{"Nextest run ID ", "Starting …across ", "Summary [", "PASS [", "FAIL [", "error: no tests to run", "error: command `"}, Sniff: isNextestLine, Parse: parseNextest},
		{Name: "messages", Starts: []string{"error: ", "error[", "Compiling …v", "Finished …target(s)"}, Parse: func(in *Input) *Report {
			if cargoToolNamed(in) != "cargo-nextest" {
				return nil
			}
			return parseNextest(in)
		}},
	},
})

func isNextestLine(s string) bool {
	_, isStatus := readNextestStatus(s)
	_, isSummary := readNextestSummary(s)
	return isStatus || isSummary || strings.HasPrefix(s, " Nextest run ID ") || strings.HasPrefix(s, "    Starting ") && strings.Contains(s, " test")
}

// nextestStatus is a line "  TRY 2 FAIL [   1.000s] (15/100) binary test".
type nextestStatus struct {
	word, binary, test string
	attempt            int
}

// readNextestStatus reads a status: twelve columns, right-aligned, then how
// long it took and perhaps which of how many it is.
func readNextestStatus(s string) (n nextestStatus, ok bool) {
	if len(s) < 15 || s[12] != ' ' || s[13] != '[' {
		return n, false
	}
	n.word = strings.TrimLeft(s[:12], " ")
	took, rest, ok := strings.Cut(s[14:], "s] ")
	if !ok || strings.Trim(took, " >0123456789.") != "" || n.word == "" || n.word == "Summary" {
		return n, false
	}
	for _, bracket := range []string{"()", "[]"} {
		if rest != "" && rest[0] == bracket[0] {
			if counter, after, found := strings.Cut(rest, bracket[1:]+" "); found && strings.Trim(counter[1:], " /─0123456789") == "" {
				rest = after
			}
		}
	}
	if try, after, found := strings.Cut(strings.TrimPrefix(n.word, "TRY "), " "); found && strings.HasPrefix(n.word, "TRY ") {
		_, n.attempt, _ = cutLineNumber("x:" + try)
		n.word = after
	}
	n.binary, n.test, ok = strings.Cut(strings.TrimLeft(rest, " "), " ")
	n.test = strings.TrimSpace(n.test)
	return n, ok && n.test != "" && isNextestWord(n.word)
}

func isNextestWord(w string) bool {
	return nextestPassed(w) || nextestFailed(w) || slices.Contains([]string{"SKIP", "START", "TERMINATING", "RETRY", "DELAY"}, w)
}

func nextestPassed(w string) bool {
	return slices.Contains([]string{"PASS", "LEAK", "SLOW", "SLOW + LEAK", "TIMEOUT-PASS", "SLOW+TMPASS"}, w) || strings.HasPrefix(w, "FLAKY ")
}

func nextestFailed(w string) bool {
	return slices.Contains([]string{"FAIL", "FAIL + LEAK", "FL+LK", "XFAIL", "LEAK-FAIL", "LKFAIL", "TIMEOUT", "TMT", "ABORT", "SIG"}, w) ||
		strings.HasPrefix(w, "SIG") && strings.Trim(w[3:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") == ""
}

// readNextestSummary reads "     Summary [   2.000s] 8/10 tests run: 5 passed
// (1 slow), 2 failed, 1 timed out, 2 skipped".
func readNextestSummary(s string) (counts map[string]int, ok bool) {
	rest, ok := strings.CutPrefix(s, "     Summary [")
	if !ok {
		return nil, false
	}
	_, list, ok := strings.Cut(rest, " run: ")
	if !ok {
		return nil, false
	}
	counts = map[string]int{"passed": 0, "failed": 0, "skipped": 0}
	for part := range strings.SplitSeq(list, ", ") {
		number, what, _ := strings.Cut(part, " ")
		what, _, _ = strings.Cut(what, " (")
		_, n, ok := cutLineNumber("x:" + number)
		if !ok {
			continue
		}
		switch what {
		case "failed", "exec failed", "timed out":
			counts["failed"] += n
		case "passed", "skipped":
			counts[what] += n
		}
	}
	return counts, true
}

// nextestTest is a test that failed, with what it printed last.
type nextestTest struct {
	nextestStatus
	log        goLog
	indented   bool
	section    bool // output was shown below its status, and not while it ran
	start, end int64
	how        string // "test aborted with signal 11: SIGSEGV", "test failed with exit code 3"
}

type nextestRun struct {
	cargo   *cargoRun
	failed  []*nextestTest
	known   map[string]*nextestTest
	current *nextestTest
	loose   [3]rustLoose // by stream: printed while the tests ran: --no-capture
	began   bool
	summary map[string]int
	partial bool // "8/10 tests run": it was cancelled
	refused string
	span    result.Span
}

// parseNextest reads the output. Both streams are read as one: nextest writes
// to one of them only.
func parseNextest(in *Input) *Report {
	run := &nextestRun{cargo: newCargoRun(in), known: map[string]*nextestTest{}}
	build := &cargoStream{run: run.cargo}
	for l := range in.Lines() {
		run.cargo.whole = l.Ended || run.cargo.whole && l.Text == ""
		if run.line(l) || !run.began && build.line(l) {
			run.cargo.report.Cover(l)
		}
	}
	build.closeDiag()
	return run.finish()
}

func (run *nextestRun) line(l Line) bool {
	if n, ok := readNextestStatus(l.Text); ok {
		run.began = true
		run.status(n, l)
		return true
	}
	if counts, ok := readNextestSummary(l.Text); ok {
		run.began, run.summary, run.current = true, counts, nil
		run.partial = strings.Contains(l.Text, "/") && strings.Contains(l.Text, " tests run: ") && strings.Contains(strings.SplitN(l.Text, " tests run", 2)[0], "/")
		return true
	}
	switch t := l.Text; {
	case strings.HasPrefix(t, "────"), strings.HasPrefix(t, "--------"), strings.HasPrefix(t, " Nextest run ID "), strings.HasPrefix(t, "    Starting "):
		if !strings.Contains(t, "STDOUT:") && !strings.Contains(t, "STDERR:") {
			run.began, run.current = run.began || strings.HasPrefix(t, "    Starting "), nil
			return true
		}
	case strings.HasPrefix(t, "error: no tests to run"), strings.HasPrefix(t, "error: command `"):
		run.refused = strings.TrimPrefix(t, "error: ")
		run.span = result.Span{Start: l.Start, End: l.End}
		return true
	case strings.HasPrefix(t, "error: test run failed"), strings.HasPrefix(t, "   Canceling "), strings.HasPrefix(t, "  Cancelling "), strings.HasPrefix(t, "   Cancelling "):
		run.current = nil
		return true
	}
	return run.output(l)
}

// status takes the line that says how a test, or an attempt at it, ended.
func (run *nextestRun) status(n nextestStatus, l Line) {
	key := n.binary + " " + n.test
	run.current = nil
	if nextestPassed(n.word) && n.word != "SLOW" {
		delete(run.known, key)
		run.failed = slices.DeleteFunc(run.failed, func(t *nextestTest) bool { return t.binary == n.binary && t.test == n.test })
		return
	}
	if !nextestFailed(n.word) {
		return
	}
	t := run.known[key]
	if t == nil {
		if len(run.failed) >= MaxFindings {
			run.cargo.dropped++
			return
		}
		t = &nextestTest{nextestStatus: n, start: l.Start, end: l.End}
		run.known[key] = t
		run.failed = append(run.failed, t)
	}
	t.attempt = max(t.attempt, n.attempt)
	t.word = n.word
	if run.summary == nil { // behind it stands a list, without output
		t.log, t.start, t.end = goLog{}, l.Start, l.End
		run.current = t
	}
}

// output takes a line below a status.
func (run *nextestRun) output(l Line) bool {
	t := run.current
	if t == nil {
		run.loose[l.Stream].line(l)
		return run.began
	}
	switch s := l.Text; {
	case strings.HasPrefix(s, "  stdout ─"), strings.HasPrefix(s, "  stderr ─"), strings.HasPrefix(s, "  output ─"):
		t.indented, t.section = true, true
	case strings.HasPrefix(s, "--- STD"), strings.HasPrefix(s, "──── STD"):
		t.section = true
	case strings.HasPrefix(s, "    (test ") && strings.HasSuffix(s, ")"):
		t.how = strings.Trim(strings.TrimSpace(s), "()")
	case !t.section:
		run.loose[l.Stream].line(l)
		return true
	case !isLibtestFraming(s):
		if t.indented {
			s = strings.TrimPrefix(s, "    ")
		}
		t.log.add(s)
	}
	t.end = max(t.end, l.End)
	return true
}

// isLibtestFraming: what libtest prints around the one test that nextest runs
// in a process.
func isLibtestFraming(s string) bool {
	s = strings.TrimLeft(s, " ")
	_, isResult := readLibtestResult(s)
	_, isStart := readLibtestStart(s)
	_, isHeader := readLibtestHeader(s)
	return isResult || isStart || isHeader || s == "failures:" || strings.HasPrefix(s, "test ") && strings.HasSuffix(s, " ... FAILED")
}

func (run *nextestRun) finish() *Report {
	rep := run.cargo.report
	run.cargo.addDiags("cargo-nextest")
	if !run.began && run.refused == "" && len(run.cargo.diags) == 0 && !run.cargo.cargo {
		return nil
	}
	for _, t := range run.failed {
		rep.Add(run.finding(t))
	}
	if run.refused != "" && len(rep.Findings) == 0 {
		span := run.span
		rep.Add(result.Finding{Kind: result.GenericFinding, Severity: result.SevError, Message: run.refused, RawSpan: &span})
	}
	run.cargo.count("cargo-nextest")
	for k, n := range run.summary {
		rep.Counts[k] = n
	}
	rep.Claimed += rep.Counts["failed"]
	rep.Dropped = run.cargo.dropped
	rep.Tested = run.summary != nil && rep.Counts["passed"]+rep.Counts["failed"] > 0
	rep.NoTests = run.summary != nil && !rep.Tested || strings.HasPrefix(run.refused, "no tests to run")
	if run.cargo.usage || slices.ContainsFunc(rep.Findings, isCargoUsage) {
		rep.Meaning = result.MeansUsage
	}
	rep.Complete = run.cargo.whole && (run.summary != nil || !run.began)
	placeFrames(rep.Findings)
	for i := range rep.Findings {
		run.cargo.place(&rep.Findings[i])
	}
	return rep
}

func (run *nextestRun) finding(t *nextestTest) result.Finding {
	lines := t.log.lines()
	f, sure := explainRust(t.test, lines)
	f.Name, f.Suite, f.ID = t.test, []string{t.binary}, t.binary+"::"+t.test
	f.RawSpan = &result.Span{Start: t.start, End: t.end}
	f.Attempts = t.attempt
	other := func(string) bool { return true }
	if loose := slices.Concat(run.loose[Stderr].of(t.test, other), run.loose[Stdout].of(t.test, other)); !sure && len(loose) > 0 {
		fillRustPanics(&f, loose, t.test)
		f.RawSpan, sure = spanOfPanics(loose), true
	}
	for _, s := range lines {
		if rest, ok := strings.CutPrefix(s, "thread "); ok && strings.HasSuffix(s, " has overflowed its stack") {
			if name, _, ok := cutRustThread(rest); ok {
				f.Message, sure = "thread '"+name+"' has overflowed its stack", true
			}
		}
	}
	switch {
	case t.word == "FAIL" && !sure && t.how != "":
		f.Message, f.Tags = t.how, append(f.Tags, "exit")
	case strings.HasPrefix(t.word, "TIMEOUT") || t.word == "TMT":
		f.Tags = append(f.Tags, "timeout")
		f.Message = "test timed out (" + t.word + ")"
	case strings.HasPrefix(t.word, "SIG") || t.word == "ABORT":
		f.Kind, f.Tags = result.Panic, append(f.Tags, "crash")
		how := t.how
		if how == "" {
			how = t.word
		}
		if !sure {
			f.Message = ""
		}
		f.Message = withCause(f.Message, how)
	case t.word == "XFAIL" && !sure:
		f.Message = "the test could not be executed (XFAIL)"
	}
	return f
}
