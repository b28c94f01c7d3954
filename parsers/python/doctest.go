package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doctest", func(p *tool.Parser) {
	p.Is("doctest", result.Test, 1, "python -m doctest, Python 3.8 to 3.14; a run that passes prints nothing")
	p.Reads(tool.Format{
		Name: "text", Starts: []string{"***Test Failed*** "}, Sniff: isDoctestEnd,
		Parse: read.Fresh(func(r *examples) read.Text { return read.Text{Line: r.line, Closes: true} }),
	})
	p.Reads(read.PythonTrouble("doctest"))
})

// isDoctestEnd: "***Test Failed*** 2 failures."
func isDoctestEnd(line string) bool {
	n, rest, _ := strings.Cut(strings.TrimPrefix(line, "***Test Failed*** "), " ")
	return lex.IsDigits(n) && strings.HasPrefix(rest, "failure")
}

// examples are the examples that failed, each below a line of stars:
//
//	File "/src/a.py", line 3, in a.f
//	Failed example:
//	    f()
//	Expected:
//	    2
//	Got:
//	    1
type examples struct {
	part  string // that is being read: "Failed example:", "Exception raised:"
	found read.DocOutput
}

func (e *examples) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch at, id, ok := cutExample(l.Text); {
	case ok:
		*e = examples{}
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, At: &at})
		s.Tested = true
		return true
	case isDoctestEnd(l.Text):
		s.Claim(lex.LeadingNumber(strings.TrimPrefix(l.Text, "***Test Failed*** ")))
		s.Count("failed", s.Claimed)
		return s.Close(l)
	case l.Text != "" && strings.Trim(l.Text, "*") == "":
		return s.Break()
	case f == nil:
		return strings.HasSuffix(l.Text, " had failures:") || strings.Contains(l.Text, " of ") && strings.Contains(l.Text, " in ")
	case e.found.Line(l.Text):
		e.part = ""
		e.found.Fill(f)
	case strings.HasSuffix(l.Text, ":") && l.Text[0] != ' ':
		e.part = l.Text
	case e.part == "Failed example:" && f.Name == "":
		f.Name = strings.TrimPrefix(l.Text, "    ")
		f.Message = "failed example: " + f.Name
	case e.part == "Exception raised:":
		text := strings.TrimPrefix(l.Text, "    ")
		if text != "" && text[0] != ' ' && !read.IsTraceHead(text) {
			f.Rule, _, _ = strings.Cut(strings.TrimSpace(text), ":")
			f.Actual = strings.TrimSpace(text)
		}
	}
	return s.More(l)
}

// cutExample reads `File "/src/a.py", line 3, in a.f`.
func cutExample(line string) (at result.Location, id string, ok bool) {
	rest, ok := strings.CutPrefix(line, `File "`)
	path, rest, has := strings.Cut(rest, `", line `)
	n, id, named := strings.Cut(rest, ", in ")
	return result.Location{Path: path, Line: lex.Atoi(n)}, id, ok && has && named && lex.IsDigits(n) && len(n) < 9
}
