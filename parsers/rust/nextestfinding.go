package rust

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/tool"
	"cairn/result"
)

// finding is the finding for a failed test. Its reason is in its output, or else in lines that its stream had while
// it ran.
func (run *nextestRun) finding(t *nextestTest) result.Finding {
	lines := t.log.Lines()
	f, sure := explainRust(t.test, lines)
	f.RawSpan = &result.Span{Start: t.start, End: t.end}
	if section, mimic := mimicSection(t.test, lines); mimic && !sure {
		sure = fillMimic(&f, section)
	} else if !sure {
		sure = run.explainLoose(t, &f)
	}
	f.Name, f.Suite, f.ID = t.test, []string{t.binary}, t.binary+"::"+t.test
	f.Attempts = t.attempt
	if dead := overflowed(append(lines, t.beside...)); dead != "" {
		f.Message, sure = dead, true
	}
	t.fillEnd(&f, sure)
	if t.flaky {
		f.Tags = append(f.Tags, "flaky")
		if t.passed {
			f.Severity = result.SevWarning
		}
	}
	return f
}

// explainLoose looks for the reason outside of captured output: panics of the test's thread, libtest's note about it,
// lines on its stream while it ran.
func (run *nextestRun) explainLoose(t *nextestTest, f *result.Finding) bool {
	panics := run.panicsOf(t)
	for i, b := range run.blocks {
		b.closeSection()
		if g := b.found[t.test]; g != nil && !b.unsure[t.test] {
			*f = *g
			run.blocks = slices.Delete(run.blocks, i, i+1) // tests of other binaries may have the same name
			if f.At == nil && f.Expected != "" && len(panics) > 0 {
				f.At = panics[len(panics)-1].at
			}
			return true
		}
	}
	if len(panics) > 0 {
		fillRustPanics(f, panics, t.test)
		f.RawSpan = spanOfPanics(panics)
		return true
	}
	g, sure := explainRust(t.test, t.beside)
	if sure && !t.section {
		g.RawSpan = f.RawSpan
		*f = g
	}
	return sure && !t.section
}

func (run *nextestRun) panicsOf(t *nextestTest) []*rustPanic {
	other := func(string) bool { return true }
	all := slices.Concat(run.loose[tool.Stderr].of(t.test, other), run.loose[tool.Stdout].of(t.test, other))
	for _, b := range run.blocks {
		all = append(all, b.loose.of(t.test, other)...)
	}
	return all
}

// overflowed returns "thread 'x' has overflowed its stack" if a line says so, without the thread's id.
func overflowed(lines []string) string {
	for _, s := range lines {
		if dead, _ := cutOverflow(s); dead != "" {
			return dead
		}
	}
	return ""
}

// fillEnd adds how the process ended, if that is at least part of the reason.
func (t *nextestTest) fillEnd(f *result.Finding, sure bool) {
	switch signal := nextestSignal(t.word); {
	case t.word == "SETUP FAIL":
		f.Kind, f.Name, f.Suite, f.ID = result.GenericFinding, "", nil, "setup:"+strings.TrimSuffix(t.binary, ":")
		f.Severity = result.SevError
		f.Message = withCause("setup script "+t.binary+" "+t.test, t.how)
	case strings.HasPrefix(t.word, "TIMEOUT") || t.word == "TMT":
		f.Tags = append(f.Tags, "timeout")
		f.Message = "test timed out"
	case signal != "":
		f.Kind, f.Tags = result.Panic, append(f.Tags, "crash")
		if t.how != "" {
			signal = t.how
		}
		if !sure && (!t.section || f.Message == notSaid) { // else the message is the test's last line
			f.Message = ""
		}
		f.Message = withCause(f.Message, signal)
	case t.word == "LEAK-FAIL" || t.word == "LKFAIL":
		f.Message, f.Tags = "test failed: exited with code 0, but leaked handles", append(f.Tags, "leak")
	case t.word == "XFAIL" && !sure:
		f.Message = "the test could not be executed (XFAIL)"
	case !sure && t.how != "":
		f.Message, f.Tags = t.how, append(f.Tags, "exit")
	}
}

const (
	nextestJSONStart = `{"type":"test","event":"`
	nextestJSONSuite = `{"type":"suite","event":"`
)

func isNextestJSON(s string) bool {
	return (strings.HasPrefix(s, nextestJSONStart) || strings.HasPrefix(s, nextestJSONSuite)) && strings.HasSuffix(s, "}")
}

// parseNextestJSON reads the events if there is no text. The text has more: the binary, how a process ended, and
// retries.
func parseNextestJSON(in *tool.Input) *tool.Report {
	run := &nextestEvents{in: in, report: in.NewReport(), at: map[string]int{}, ignored: map[string]int{}}
	for l := range in.Lines() {
		if isNextestLine(l.Text) && l.Stream == tool.Stderr {
			return nil
		}
		run.whole = l.Ended || run.whole && l.Text == ""
		if isNextestJSON(l.Text) {
			run.report.Cover(l)
			run.event(l)
		}
	}
	return run.finish()
}

type nextestEvents struct {
	in      *tool.Input
	report  *tool.Report
	at      map[string]int // index of a test's finding
	suite   libtestEvent
	ignored map[string]int // by binary, since a slow test makes a suite of its own
	binary  string         // of the last test
	open    int            // suites that have begun and not ended
	whole   bool
	tests   int
}

func (run *nextestEvents) event(l tool.Line) {
	e, ok := readLibtestEvent(l.Text)
	if !ok {
		run.report.Doubt = "an event could not be read"
		return
	}
	c := run.report.Counts
	switch {
	case e.Type == "suite" && e.Event == "started":
		run.suite = e
		run.open++
	case e.Type == "suite":
		run.open--
		c["passed"] += e.Passed
		c["failed"] += e.Failed
		run.ignored[run.binary] = max(run.ignored[run.binary], e.Ignored)
		run.tests += e.Passed + e.Failed
	default:
		run.binary, _, _ = strings.Cut(e.Name, "$")
		if e.Event == "failed" {
			run.failed(&e, l)
		}
	}
}

// failed adds the finding for a failed test, or replaces that of an earlier attempt.
func (run *nextestEvents) failed(e *libtestEvent, l tool.Line) {
	binary, name, attempt := run.name(e)
	lines := e.lines()
	f, sure := explainRust(name, lines)
	switch dead := overflowed(lines); {
	case dead != "":
		f.Message = dead
	case e.Reason != "" && !sure:
		f.Message, f.Tags = "test timed out", append(f.Tags, "timeout")
	}
	f.Name, f.Suite, f.ID, f.Attempts = name, []string{binary}, binary+"::"+name, attempt
	f.RawSpan = &result.Span{Start: l.Start, End: l.End}
	if i, ok := run.at[f.ID]; ok {
		if i < len(run.report.Findings) { // else the finding was only counted
			run.report.Findings[i] = f
		}
		return
	}
	run.at[f.ID] = len(run.report.Findings)
	run.report.Add(f)
}

// name splits "pricing::it$tests::eq#2", where 2 is the attempt. The binary of a library is its package; a program's
// is named by the suite, in libtest-json-plus.
func (run *nextestEvents) name(e *libtestEvent) (binary, test string, attempt int) {
	binary, test, _ = strings.Cut(e.Name, "$")
	if name, number, ok := strings.Cut(test, "#"); ok {
		if n, err := strconv.Atoi(number); err == nil {
			test, attempt = name, n
		}
	}
	if n := run.suite.Nextest; n != nil && (n.Kind == "bin" || n.Kind == "example") {
		return n.Crate + "::" + n.Kind + "/" + n.Binary, test, attempt
	}
	pkg, target, _ := strings.Cut(binary, "::")
	if target == strings.ReplaceAll(pkg, "-", "_") || target == pkg {
		return pkg, test, attempt
	}
	return binary, test, attempt
}

func (run *nextestEvents) finish() *tool.Report {
	rep := run.report
	if len(rep.Covered) == 0 {
		return nil
	}
	for _, n := range run.ignored {
		rep.Counts["skipped"] += n
	}
	rep.Claimed = rep.Counts["failed"]
	rep.Complete = run.whole && run.open == 0
	rep.Tested = run.tests > 0
	rep.NoTests = run.tests == 0 && run.open == 0
	cargo := newCargoRun(run.in)
	cargo.report = rep
	cargo.placeAll()
	return rep
}
