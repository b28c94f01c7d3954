package rust

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// nextestTest is a failed test, with the output of its last attempt.
type nextestTest struct {
	nextestStatus
	log        lex.Log
	indented   bool
	section    bool // its output follows its status, and was not shown while it ran
	start, end int64
	statusAt   result.Span // of a status that no output has followed yet
	how        string      // "test aborted with signal 11: SIGSEGV", "test failed with exit code 3"
	beside     []string    // lines on its stream while it ran: --no-capture
	listed     bool        // in the list after the summary
	passed     bool        // a later attempt passed
	flaky      bool
}

type nextestRun struct {
	cargo   *cargoRun
	build   cargoStream    // what cargo says first
	tests   []*nextestTest // tests that failed at least once
	known   map[string]*nextestTest
	told    nextestTold
	current *nextestTest // the test whose output is being read
	spare   nextestTest  // takes the output of a test that is not kept
	last    *nextestTest // the last test that passed at a later attempt

	indented bool // output without a status line: --status-level none

	loose  [3]rustLoose // by stream: output while the tests ran: --no-capture
	beside [3]lex.Log   // the part of it since the last status
	open   [3]*libtestBlock
	blocks []*libtestBlock

	began       bool
	passes      int
	summary     map[string]int
	refused     string
	reasons     []string // errors in a filter expression
	span        result.Span
	setupFailed bool
}

func newNextestRun(in *tool.Input) *nextestRun {
	cargo := newCargoRun(in)
	return &nextestRun{cargo: cargo, build: cargoStream{run: cargo}, known: map[string]*nextestTest{}}
}

// take takes a line, which is cargo's as long as the tests have not begun.
func (run *nextestRun) take(l tool.Line) {
	if isNextestJSON(l.Text) || run.line(l) || !run.began && run.build.line(l) {
		run.cargo.report.Cover(l)
	}
}

func (run *nextestRun) line(l tool.Line) bool {
	if n, ok := readNextestStatus(l.Text); ok {
		run.began = true
		run.status(n, l)
		return true
	}
	if counts, ok := readNextestSummary(l.Text); ok {
		run.began, run.summary, run.current = true, counts, nil
		return true
	}
	return run.speaks(l) || run.output(l)
}

// speaks takes the other lines that nextest itself prints.
func (run *nextestRun) speaks(l tool.Line) bool {
	t := l.Text
	if _, _, section := readNextestSection(t); section {
		return false
	}
	switch {
	case lex.HasAnyPrefix(t, "────", "--------", " Nextest run ID ", "    Starting ", " Stress test "):
		run.began, run.current = run.began || strings.HasPrefix(t, "    Starting "), nil
	case lex.HasAnyPrefix(t, "error: no tests to run", "error: command `", "error: failed to parse filterset"):
		run.refused = strings.Join(append([]string{strings.TrimPrefix(t, "error: ")}, run.reasons...), ": ")
		run.span = result.Span{Start: l.Start, End: l.End}
	case !run.began && strings.HasPrefix(t, "  error: ") && len(run.reasons) < maxRustcRelated:
		run.reasons = append(run.reasons, strings.TrimPrefix(t, "  error: "))
	case lex.HasAnyPrefix(t, "error: test run failed", "error: setup script failed", "   Canceling ", "  Cancelling ", "   Cancelling "):
		run.current = nil
	case run.last != nil && strings.TrimSpace(t) == "- test configured to fail if flaky":
		run.last.passed = false
	default:
		return false
	}
	return true
}

// status takes the line that says how a test, or an attempt at it, ended.
func (run *nextestRun) status(n nextestStatus, l tool.Line) {
	run.current, run.last = nil, nil
	key := n.binary + " " + n.test
	run.told.take(key, n, run.summary != nil)
	switch came := nextestCame(n.word); {
	case n.word == "SLOW" || came == "another":
		return // the test is still running
	case came == "passed":
		run.pass(run.known[key], n)
	default:
		run.fail(key, n, l)
	}
	run.beside[l.Stream].Clear()
}

func (run *nextestRun) pass(t *nextestTest, n nextestStatus) {
	if run.summary == nil {
		run.passes++
	}
	if t == nil {
		return
	}
	t.passed, t.flaky = true, true
	t.attempt = max(t.attempt, n.attempt)
	run.last = t
}

func (run *nextestRun) fail(key string, n nextestStatus, l tool.Line) {
	t := run.known[key]
	if t == nil {
		if len(run.tests) >= run.cargo.report.Most() {
			run.cargo.dropped++
			run.spare = nextestTest{nextestStatus: n}
			run.current = &run.spare
			return
		}
		t = &nextestTest{nextestStatus: n, start: l.Start, end: l.End}
		run.known[key] = t
		run.tests = append(run.tests, t)
	}
	t.attempt = max(t.attempt, n.attempt)
	t.word, t.passed, t.flaky = n.word, false, t.flaky && strings.HasPrefix(n.word, "FLKY-FL ")
	t.statusAt = result.Span{Start: l.Start, End: l.End}
	run.current = t
	run.setupFailed = run.setupFailed || n.word == "SETUP FAIL"
	if run.summary != nil { // a list, with or without output
		t.listed = true
		return
	}
	t.beside = run.beside[l.Stream].Lines()
	t.begin()
}

// begin forgets the output and the end of an earlier attempt.
func (t *nextestTest) begin() {
	t.log, t.how, t.section = lex.Log{}, "", false
	t.start, t.end = t.statusAt.Start, t.statusAt.End
}

// output takes a line below a status.
func (run *nextestRun) output(l tool.Line) bool {
	who, indented, section := readNextestSection(l.Text)
	if section && who != "" && run.known[who] != nil {
		run.current = run.known[who]
	}
	t := run.current
	if t == nil {
		run.indented = indented || run.indented && !section
		run.looseLine(l)
		return run.began
	}
	if section {
		if run.summary != nil && t.start < t.statusAt.Start {
			t.begin()
		}
		t.indented, t.section = indented, true
		t.end = max(t.end, l.End)
		return true
	}
	switch s := l.Text; {
	case (strings.HasPrefix(s, "    (test ") || strings.HasPrefix(s, "    (script ")) && strings.HasSuffix(s, ")"):
		t.how = strings.Trim(strings.TrimSpace(s), "()")
	case !t.section:
		run.looseLine(l)
		return true
	default:
		if t.indented {
			s = strings.TrimPrefix(s, "    ")
		}
		if t != &run.spare && !isLibtestFraming(s) {
			t.log.Add(s)
		}
	}
	t.end = max(t.end, l.End)
	return true
}

// passing says whether a line is output of a test beyond the limit. Except for headings, nextest's own lines begin
// differently or have a time in brackets.
func (run *nextestRun) passing(s string) bool {
	return run.current == &run.spare && run.spare.section && (s == "" || s[0] == ' ') && strings.IndexByte(s, '[') < 0
}

// looseLine takes a line that a test printed while it ran. On stdout it is part of libtest's block.
func (run *nextestRun) looseLine(l tool.Line) {
	if !run.began && l.Stream != tool.Stdout {
		return
	}
	if run.indented {
		l.Text = strings.TrimPrefix(l.Text, "    ")
	}
	run.beside[l.Stream].Add(l.Text)
	if n, ok := readLibtestStart(l.Text); ok && n == 1 && len(run.blocks) < run.cargo.report.Most() {
		run.open[l.Stream] = newLibtestBlock(n, l, run.cargo.report.Most())
		run.blocks = append(run.blocks, run.open[l.Stream])
		return
	}
	if b := run.open[l.Stream]; b != nil && !b.over {
		b.line(l)
		return
	}
	run.loose[l.Stream].line(l)
}
