package c

import (
	"cmp"
	"strings"

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
