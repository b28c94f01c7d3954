package rust

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
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
		signal = cmp.Or(t.how, signal)
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

// parseNextestJSON reads the events if there is no text. The text has more: the binary, and how a process ended.
func parseNextestJSON(in *tool.Input) *tool.Report {
	run, suite, open, binary := newNextestRun(in), libtestEvent{}, 0, ""
	ignored := map[string]int{} // by binary, since a slow test makes a suite of its own
	rep := run.cargo.report
	for l := range in.Lines() {
		if isNextestLine(l.Text) && l.Stream == tool.Stderr {
			return nil
		}
		run.cargo.whole = l.Ended || run.cargo.whole && l.Text == ""
		if !isNextestJSON(l.Text) {
			continue
		}
		rep.Cover(l)
		run.began = true
		switch e, ok := readLibtestEvent(l.Text); {
		case !ok:
			rep.Doubt = "an event could not be read"
		case e.Type == "suite" && e.Event == "started":
			suite = e
			open++
		case e.Type == "suite":
			open--
			rep.Counts["passed"] += e.Passed
			rep.Counts["failed"] += e.Failed
			rep.Counts["skipped"] += max(0, e.Ignored-ignored[binary])
			ignored[binary] = max(ignored[binary], e.Ignored)
		default:
			binary, _, _ = strings.Cut(e.Name, "$")
			run.event(e, suite.Nextest, l)
		}
	}
	if open == 0 {
		run.summary = maps.Clone(rep.Counts)
	}
	return run.finish()
}

// event takes the event of a test like its status, with the output below.
func (run *nextestRun) event(e libtestEvent, suite *libtestSuite, l tool.Line) {
	word := lex.Means(e.Event, "PASS: ok; SKIP: ignored; FAIL: failed")
	if word == "" {
		return
	}
	if e.Reason != "" && word == "FAIL" {
		word = "TIMEOUT"
	}
	run.status(nextestName(e.Name, word, suite), l)
	if t := run.current; t != nil && t != &run.spare {
		for _, s := range e.lines() {
			t.log.Add(s)
		}
	}
}

// nextestName splits "pricing::it$tests::eq#2", where 2 is the attempt. The binary of a library is its package; a
// program's is named by the suite, in libtest-json-plus.
func nextestName(name, word string, suite *libtestSuite) nextestStatus {
	n := nextestStatus{word: word}
	n.binary, n.test, _ = strings.Cut(name, "$")
	if test, number, ok := strings.Cut(n.test, "#"); ok && lex.IsDigits(number) {
		n.test, n.attempt = test, lex.Atoi(number)
	}
	pkg, target, _ := strings.Cut(n.binary, "::")
	switch {
	case suite != nil && (suite.Kind == "bin" || suite.Kind == "example"):
		n.binary = suite.Crate + "::" + suite.Kind + "/" + suite.Binary
	case target == strings.ReplaceAll(pkg, "-", "_") || target == pkg:
		n.binary = pkg
	}
	return n
}
