package rust

import (
	"slices"
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
