package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lab", func(p *tool.Parser) {
	p.Is("lab", result.Test, 1, "lab 14 to 26 (hapi): console")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "console", Starts: []string{"Leaks: "}, Named: true, Parse: read.Fresh(func(b *lab) read.Text { return read.Text{Line: b.line, Turn: b.flush, End: b.flush, Closes: true} })})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Could not find test file", "Error: ")})
	p.Reads(tool.Format{Name: "messages", Parse: read.Text{Line: labMisuse}.Parse})
})

// lab reads the list of failures and the counts below it:
//
//	Failed tests:
//
//	  1) shelf adds:
//
//	      actual expected
//	      23
//	      Expected 2 to equal specified value: 3
//	      at /src/lab.js:2:53
//
//	4 of 5 tests failed (1 skipped)
type lab struct {
	listed bool
	open   bool
	told   bool // the message of the current failure was read
	values bool // below "actual expected", where only colours separate the two values
}

func (b *lab) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, title, numbered := strings.Cut(text, ") ")
	switch {
	case text == "Failed tests:":
		b.listed = true
		return s.Sign(l)
	case b.counts(s, l, text):
		b.flush(s)
		return s.Close(l)
	case b.listed && numbered && lex.IsDigits(number) && strings.HasSuffix(title, ":") && strings.HasPrefix(l.Text, "  ") && !strings.HasPrefix(l.Text, "    "):
		b.flush(s)
		id := strings.Clone(strings.TrimSuffix(title, ":"))
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: id, Message: "failed"})
		b.open = true
		return true
	case b.open:
		b.detail(s, text)
		return s.More(l)
	}
	return false
}

// detail takes a line below a title. Without colours the two values run together, so their lines are skipped: the
// sentence below has both.
func (b *lab) detail(s *read.Sink, text string) {
	f := s.Last()
	if f == nil || text == "" {
		return
	}
	at, framed := jserror.Frame(text)
	switch {
	case text == "actual expected":
		b.values = true
	case framed:
		if f.At == nil && at.Path != "" && !frame.IsLibrary(at.Path) {
			f.At = &at
		}
	case b.values && !strings.HasPrefix(text, "Expected "), b.told:
	default:
		f.Rule, f.Message = jserror.CutClass(text)
		f.Message, b.told = strings.Clone(f.Message), true
	}
}

func (b *lab) flush(s *read.Sink) {
	if f := s.Last(); b.open && f != nil {
		f.Detail = ""
	}
	b.open, b.told, b.values = false, false, false
	s.Break()
}

// counts reads "4 of 5 tests failed (1 skipped)" and "3 tests complete".
func (b *lab) counts(s *read.Sink, l tool.Line, text string) bool {
	counts := read.Counts(text)
	failed, rest, ok := strings.Cut(text, " of ")
	all, what, _ := strings.Cut(rest, " ")
	switch {
	case l.Text != text || text == "" || text[0] < '0' || text[0] > '9':
		return false
	case ok && lex.IsDigits(failed) && lex.IsDigits(all) && strings.HasPrefix(what, "tests failed"):
		s.Count("failed", lex.Atoi(failed))
		s.Count("passed", lex.Atoi(all)-lex.Atoi(failed))
		s.Claim(lex.Atoi(failed))
	case strings.Contains(text, " tests complete") || strings.Contains(text, " tests passed"):
		s.Count("passed", lex.LeadingNumber(text))
	default:
		return false
	}
	if n := counts["skipped"]; n > 0 {
		s.Count("skipped", n)
	}
	s.Tested = true
	return true
}

// labMisuse reads "Unknown option: nope", below the list of known options.
func labMisuse(s *read.Sink, l tool.Line) bool {
	if strings.HasPrefix(l.Text, "Unknown option: ") || strings.HasPrefix(l.Text, "Multiple values are not allowed for option: ") {
		s.Misuse(l, l.Text)
	}
	return true
}
