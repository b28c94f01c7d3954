package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ospec", func(p *tool.Parser) {
	p.Is("ospec", result.Test, 1, "ospec 4")
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: ospecLine, Closes: true}.Parse})
})

// ospecLine reads failures and, at the end of stdout, the number of assertions:
//
//	cart > totals:
//	1
//	  should equal
//	0
//	    at /home/dev/test/cart.js:2:59
func ospecLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	at, framed := jserror.Frame(text)
	switch name := strings.TrimSuffix(text, ":"); {
	case strings.Contains(text, " assertions failed"), strings.HasPrefix(text, "All ") && strings.Contains(text, " assertions passed"), strings.HasPrefix(text, "The ") && strings.Contains(text, "assertion passed"):
		n := strings.Contains(text, " 0 assertions passed")
		s.Tested, s.NoTests = !n, n
		if strings.Contains(text, " assertions failed") {
			s.Claim(1) // only stderr says which assertions
		}
		s.Close(l)
	case name != text && strings.Contains(name, " > ") && l.Text == text && l.Stream == tool.Stderr:
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name[strings.LastIndex(name, " > ")+3:]})
	case f == nil:
		return false
	case text == "":
		s.Break()
	case framed:
		if f.At == nil && !at.External {
			f.At = &at
		}
		s.More(l)
	default:
		f.Message = strings.TrimSpace(lex.CutText(f.Message+" "+text, lex.MaxHeadline))
		s.More(l)
	}
	return true
}
