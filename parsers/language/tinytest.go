package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("tinytest", result.Test, 1, "tinytest 1.x, R: expectations that failed, side effects, the closing line")
	p.Matches = func(argv []string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"----- FAILED[", "----- SIDE-EFFECT["}, Parse: read.Fresh(func(t *tinytest) read.Text { return read.Text{Line: t.line} })})
})

// tinytest reads failed expectations. An expectation has no name: its code is its id.
//
//	----- FAILED[data]: test_file.R<11--11>
//	 call| expect_equal(42, 11, length(results))
//	 diff| Expected '11', got '42'
//	Showing 3 out of 159 results: 3 fails, 156 passes (0.3s)
type tinytest struct{ code string }

func (t *tinytest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	head, where, headed := strings.Cut(text, "]: ")
	field, value, _ := strings.Cut(text, "| ")
	switch {
	case headed && lex.HasAnyPrefix(head, "----- FAILED[", "----- SIDE-EFFECT["):
		path, lines, _ := strings.Cut(where, "<")
		_, rule, _ := strings.Cut(head, "[")
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, Rule: rule, Message: "failed", At: &result.Location{Path: path, Line: lex.LeadingNumber(lines)}})
		t.code = ""
	case f != nil && field == "call":
		t.code = strings.TrimSpace(t.code + " " + strings.TrimSpace(value))
		f.ID = f.At.Path + ": " + t.code
		s.More(l)
	case f != nil && lex.IsOneOf(field, "diff info"):
		if f.Message == "failed" {
			f.Message = value
		}
		s.More(l)
	case strings.HasPrefix(text, "Showing ") && strings.Contains(text, " results: "):
		_, counts, _ := strings.Cut(text, " results: ")
		n := read.Counts(strings.NewReplacer(" fails", " failed", " passes", " passed").Replace(counts))
		return s.Sum(l, n["passed"]+n["failed"], n["failed"], 0, 0)
	default:
		return false
	}
	return true
}
