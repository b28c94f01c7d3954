package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("alcotest", result.Test, 1, "Alcotest 1.2 to 1.9, OCaml: the program's own text, also below dune")
	p.Matches = func([]string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"This run has ID `"}, Parse: read.Fresh(func(a *alcotest) read.Text { return read.Text{Line: a.line, Closes: true} })})
})

// alcotest reads a row of each test: its suite, its number there, its name. The first that failed is shown again, in
// a box with its output below:
//
//	> [FAIL]        total          1   rebate.
//	│ [FAIL]        total          1   rebate.                                     │
//	ASSERT from ten on
type alcotest struct{ shown int } // the number of the finding whose output is read, from 1

func (a *alcotest) line(s *read.Sink, l tool.Line) bool {
	mark, rest, _ := strings.Cut(strings.TrimLeft(strings.Trim(l.Text, "│ "), "> ["), "]")
	came, ok := map[string]read.Outcome{"OK": tool.Passed, "FAIL": tool.Failed, "SKIP": tool.Skipped, "TODO": tool.Skipped}[mark]
	suite, rest, _ := strings.Cut(strings.TrimSpace(rest), "  ")
	number, name, named := strings.Cut(strings.TrimSpace(rest), "   ")
	id := suite + ": " + strings.TrimSuffix(name, ".")
	switch ok = ok && named && lex.IsDigits(number); {
	case ok && strings.HasPrefix(l.Text, "│ "):
		a.shown = 1 + slices.IndexFunc(s.Findings, func(f result.Finding) bool { return f.ID == id })
	case ok:
		if s.Counted(tool.Test{ID: id, Outcome: came}); came == tool.Failed {
			s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: mark})
		}
		return s.Break()
	case strings.Contains(l.Text, " test") && strings.HasSuffix(l.Text, " run."):
		s.Tested, a.shown = true, 0
		if failed, _, _ := strings.Cut(l.Text, " failure"); lex.IsDigits(failed) {
			s.Claim(lex.Atoi(failed))
		}
		return s.Close(l)
	case strings.HasPrefix(l.Text, "This run has ID `"):
		return s.Sign(l)
	case a.shown > 0:
		f := &s.Findings[a.shown-1]
		f.RawSpan.End = max(f.RawSpan.End, l.End)
		if text := strings.TrimSpace(l.Text); f.Message == "FAIL" && text != "" && !strings.HasPrefix(text, "└") {
			f.Message = strings.TrimPrefix(text, "ASSERT ")
		} else if key, value, pair := strings.Cut(text, ": "); pair && lex.IsOneOf(key, "Expected Received") {
			f.Message += "; " + key + ": " + value
		}
		if at, found := frame.OCaml(l.Text); found && f.At == nil && !at.External && !strings.Contains(l.Text, "Alcotest_engine") {
			f.At = &at
		}
	default:
		return false
	}
	return true
}
