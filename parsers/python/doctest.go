package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doctest", func() *tool.Parser {
	return &tool.Parser{
		Tool: "doctest", Kind: result.Test, Version: 1,
		About: "python -m doctest, Python 3.8 to 3.14; a run that passes prints nothing",

		Formats: []tool.Format{{
			Name: "text", Starts: []string{"***Test Failed*** "}, Sniff: isDoctestEnd,
			Parse: func(in *tool.Input) *tool.Report {
				return read.Text{Line: (&examples{}).line, Closes: true}.Parse(in)
			},
		}, read.PythonTrouble("doctest")},
	}
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
	part          string // that is being read: "Expected:", "Got:", "Exception raised:"
	expected, got []string
}

func (e *examples) line(s *read.Sink, l tool.Line) bool {
	switch at, id, ok := cutExample(l.Text); {
	case ok:
		*e = examples{}
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, At: &at})
		s.Tested = true
		return true
	case isDoctestEnd(l.Text):
		s.Claim(lex.LeadingNumber(strings.TrimPrefix(l.Text, "***Test Failed*** ")))
		s.Count("failed", s.Claimed)
		s.Close(l)
		return true
	case l.Text != "" && strings.Trim(l.Text, "*") == "":
		s.Break()
		return true
	case s.Last() == nil:
		return strings.HasSuffix(l.Text, " had failures:") || strings.Contains(l.Text, " of ") && strings.Contains(l.Text, " in ")
	case strings.HasSuffix(l.Text, ":") && l.Text[0] != ' ':
		e.part = l.Text
	case l.Text == "Expected nothing" || l.Text == "Got nothing":
		e.part = ""
		e.add(s, l.Text)
	default:
		e.add(s, strings.TrimPrefix(l.Text, "    "))
	}
	s.More(l)
	return true
}

// add takes a line of what was expected, or of what came instead.
func (e *examples) add(s *read.Sink, text string) {
	f := s.Last()
	switch e.part {
	case "Failed example:":
		if f.Name == "" {
			f.Name = text
			f.Message = "failed example: " + text
		}
	case "Expected:":
		e.expected = append(e.expected, text)
		f.Expected = lex.JoinBounded(e.expected, 1024)
	case "Got:":
		e.got = append(e.got, text)
		f.Actual = lex.JoinBounded(e.got, 1024)
	case "Exception raised:":
		if trimmed := strings.TrimSpace(text); text != "" && text[0] != ' ' && !read.IsTraceHead(text) {
			f.Rule, _, _ = strings.Cut(trimmed, ":")
			f.Actual = trimmed
		}
	}
}

// cutExample reads `File "/src/a.py", line 3, in a.f`.
func cutExample(line string) (at result.Location, id string, ok bool) {
	rest, ok := strings.CutPrefix(line, `File "`)
	path, rest, has := strings.Cut(rest, `", line `)
	n, id, named := strings.Cut(rest, ", in ")
	return result.Location{Path: path, Line: lex.Atoi(n)}, id, ok && has && named && lex.IsDigits(n) && len(n) < 9
}
