package c

import (
	"cmp"
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

// googleTestMore is what a failure tells below its first line, of which the values are not
// found: how a death test ended, which function of a mock was called, and in which
// SCOPED_TRACE it was.
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

// setUp keeps a line of a failure outside of tests.
func (g *googleTest) setUp(text string) bool {
	if strings.HasSuffix(text, ": Failure") {
		g.outside, g.within = append(g.outside, nil), true
	}
	if n := len(g.outside); g.within && len(g.outside[n-1]) < 50 {
		g.outside[n-1] = append(g.outside[n-1], strings.Clone(text))
	}
	return g.within
}

// again takes a test of the summary's list; one of a suite's set-up has not been
// told above.
func (g *googleTest) again(s *read.Sink, l tool.Line, name string) {
	if suite, _, ok := strings.Cut(name, ": SetUpTest"); ok && len(g.outside) > 0 {
		f := googleTestFinding(g.in, suite, "", g.outside[0])
		f.Severity, g.outside = result.SevError, g.outside[1:]
		s.Count("error", 1)
		s.Find(l, f)
		s.Break()
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
