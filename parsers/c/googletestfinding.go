package c

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// googleTestFinding is a test that failed, by the text of its failures.
func googleTestFinding(in *tool.Input, name, params string, text []string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Params: params}
	junit.Explain(in, &f, text, "", "")
	for _, line := range text {
		if at, ok := frame.Cut(line); ok && strings.HasSuffix(line, ": Failure") && f.At != nil && at != *f.At && len(f.Locations) < 8 {
			f.Locations = append(f.Locations, at)
		}
	}
	f.Message = lex.Headline(cmp.Or(f.Message, "failed") + googleTestMore(text))
	if f.Params != "" {
		f.Message += " (" + f.Params + ")"
	}
	return f
}

// googleTestCase is a test as the line tells it that ends it.
func googleTestCase(name, rest string, came read.Outcome) tool.Test {
	t := tool.Test{ID: name, Outcome: came}
	if i := strings.LastIndex(rest, " ("); i > 0 {
		t.DurationMS, _ = lex.Millis(strings.TrimSuffix(rest[i+2:], ")"))
	}
	return t
}

// googleTestMore is what a failure tells below its first line, of which the values are not found: how a death test
// ended, which function of a mock was called, and in which SCOPED_TRACE it was.
func googleTestMore(lines []string) (more string) {
	traced := false
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case i > 0 && strings.HasSuffix(line, ": Failure"):
			return more // only the first failure is reported
		case text == "Google Test trace:":
			traced = true
		case traced:
			if _, rest, ok := place.Cut(text); ok {
				more += " (in " + rest + ")"
			}
		case lex.HasAnyPrefix(text, "Result: ", "Function call: "), strings.HasPrefix(line, "  Expected: contains regular expression"):
			more += ": " + text
		case strings.HasPrefix(text, "[  DEATH   ] ") && strings.TrimSpace(text[len("[  DEATH   ] "):]) != "" && !strings.Contains(more, "; it said "):
			more += "; it said " + strings.TrimSpace(text[len("[  DEATH   ] "):])
		}
	}
	return more
}

// fromFailure leaves out what was printed before the first assertion that failed.
func fromFailure(lines []string) []string {
	for i, line := range lines {
		if strings.HasSuffix(line, ": Failure") {
			return lines[i:]
		}
	}
	return lines
}

// googleSetUp is a failure that no test encloses: of the set-up or the tear-down of a suite, or of all tests.
type googleSetUp struct {
	suite string // "" where no line names it
	at    tool.Line
	end   int64
	text  []string
}

// maxOutside bounds the failures outside of tests.
const maxOutside = 1000

// googleSuite is the name in "2 tests from Suite" and "2 tests from Inst/Param, where …".
func googleSuite(rest string) string {
	count, name, _ := strings.Cut(rest, " from ")
	if !strings.HasSuffix(strings.TrimSuffix(count, "s"), " test") || strings.HasSuffix(rest, " ms total)") {
		return ""
	}
	return strings.Clone(testName(name))
}

// setUp keeps a line of a failure outside of tests.
func (g *googleTest) setUp(text string, l tool.Line) bool {
	if strings.HasSuffix(text, ": Failure") && len(g.outside) < maxOutside {
		g.outside, g.within = append(g.outside, googleSetUp{suite: g.suite, at: l}), true
	}
	if n := len(g.outside); g.within && len(g.outside[n-1].text) < 50 {
		g.outside[n-1].text, g.outside[n-1].end = append(g.outside[n-1].text, strings.Clone(text)), l.End
	}
	return g.within
}

// apart leaves to a test that failed, in the brief form, what it said itself. Before it, tests may have been skipped
// because the set-up of their suite failed: these failures stand above a line "x.cc:9: Skipped".
func (g *googleTest) apart(l tool.Line) {
	own, skipped := 0, false
	for i, line := range g.text {
		switch {
		case strings.HasSuffix(line, ": Skipped"):
			skipped = true
		case strings.HasSuffix(line, ": Failure") && skipped:
			own, skipped = i, false
		}
	}
	for _, line := range g.text[:own] {
		g.within = g.within && !strings.HasSuffix(line, ": Skipped")
		g.setUp(line, l)
	}
	g.text, g.within = g.text[own:], false
}

// unnamed keeps where in the brief form the text began that no row has ended yet.
func (g *googleTest) unnamed(l tool.Line) {
	if len(g.text) == 0 {
		g.last = l
	}
	g.last.End = max(g.last.End, l.End)
}

// leave leaves the failures that are left to no test.
func (g *googleTest) leave(l tool.Line) {
	g.text = append(g.text, ": Skipped", ": Failure")
	g.apart(l)
}

// unended: a program in the brief form ended before its totals, as where a test ended it. The
// failures of the test that ran are told, which has no name.
func (g *googleTest) unended(s *read.Sink) {
	if g.last.Text = ""; slices.ContainsFunc(g.text, func(line string) bool { return strings.HasSuffix(line, ": Failure") }) {
		g.text = fromFailure(g.text)
		g.leave(g.last)
	}
	if len(g.outside)+len(s.Findings) > 0 {
		s.Tested, s.Doubt = true, "the run ended before its totals"
	}
}

// tellOutside tells the failures outside of tests; where a suite has several, the first of them.
func (g *googleTest) tellOutside(s *read.Sink) {
	told := map[string]bool{}
	for _, o := range g.outside {
		if o.suite != "" && told[o.suite] {
			continue
		}
		told[o.suite] = true
		f := googleTestFinding(g.in, o.suite, "", o.text)
		f.Severity = result.SevError
		s.Count("error", 1)
		s.Find(o.at, f)
		if last := s.Last(); last != nil {
			last.RawSpan.End = max(last.RawSpan.End, o.end)
		}
		s.Break()
	}
}

// again takes a test of the summary's list.
func (g *googleTest) again(s *read.Sink, l tool.Line, name string) {
	if suite, _, ok := strings.Cut(name, ": SetUpTest"); ok {
		if !slices.ContainsFunc(g.outside, func(o googleSetUp) bool { return o.suite == suite }) {
			g.outside = append(g.outside, googleSetUp{suite: suite, at: l, text: []string{name}})
		}
		return
	}
	for i := range s.Findings {
		if s.Findings[i].ID == name {
			return
		}
	}
	if name != "" && strings.Contains(name, ".") {
		g.text = nil
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: "failed"})
	}
}
