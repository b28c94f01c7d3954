package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("swipl", func(p *tool.Parser) {
	p.Is("swipl", result.Generic, 1, "SWI-Prolog 8 and 9: errors, warnings, PlUnit")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"% PL-Unit: "}, Named: true, Parse: read.Fresh(func(p *prolog) read.Text { return read.Text{Line: p.line, End: read.TestsClose, Closes: true} })})
})

// prolog reads messages, each line of which begins with its severity, and the tests
// of PlUnit:
//
//	ERROR: /src/pu.pl:5:
//		test eq: wrong answer (compared using ==)
//	ERROR:     Expected: 3
//	ERROR:     Got:      2
type prolog struct {
	at   *result.Location // the place of a message whose text is on the next line
	head tool.Line        // the line with that place
	word string           // its severity
	unit string
}

func (p *prolog) line(s *read.Sink, l tool.Line) bool {
	word, text, ok := strings.Cut(l.Text, ": ")
	if !ok {
		word, text = strings.TrimSuffix(l.Text, ":"), ""
	}
	said := word == "ERROR" || word == "Warning"
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(l.Text, "% PL-Unit: "):
		p.unit, _, _ = strings.Cut(l.Text[len("% PL-Unit: "):], " ")
		s.Tested = true
	case p.count(s, l):
	case strings.HasPrefix(l.Text, "\ttest "):
		p.test(s, l, l.Text[len("\ttest "):])
	case strings.HasPrefix(l.Text, "\tPL-Unit: "):
		p.find(s, l, p.word, strings.TrimPrefix(l.Text, "\tPL-Unit: "))
		s.Break()
	case said && strings.HasPrefix(text, "  ") && (s.Last() != nil || p.at != nil):
		p.goesOn(s, l, word, trimmed)
	case said && strings.HasPrefix(trimmed, "-g ") && strings.Contains(trimmed, "run_tests") && s.Failures() > 0:
	case said:
		p.opens(s, l, word, trimmed)
	default:
		return false
	}
	return true
}

// opens reads the first line of a message, which may hold only a place.
func (p *prolog) opens(s *read.Sink, l tool.Line, word, text string) {
	at, rest, placed := place.Cut(text)
	if p.at = nil; placed && rest == "" {
		p.at, p.head, p.word = &at, l, word
		s.Break()
		return
	}
	f := result.Finding{Kind: result.Panic, Severity: read.SeverityOf(word), RawSeverity: word, Message: text}
	if word == "Warning" {
		f.Kind = result.Diagnostic
	}
	if placed {
		f.At, f.Message = &at, rest
	}
	s.Find(l, f)
}

// goesOn reads a further line of a message: its text if the first line was only a place, a value, or more text.
func (p *prolog) goesOn(s *read.Sink, l tool.Line, word, text string) {
	f := s.Last()
	if p.at != nil {
		p.find(s, l, word, text)
		return
	}
	if value, ok := strings.CutPrefix(text, "Expected: "); ok {
		f.Expected = strings.TrimSpace(value)
	} else if value, ok := strings.CutPrefix(text, "Got: "); ok {
		f.Actual = strings.TrimSpace(value)
	}
	s.More(l)
}

// find adds a message whose place stands on the line above its text.
func (p *prolog) find(s *read.Sink, l tool.Line, word, text string) {
	s.Find(p.head, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: text, At: p.at})
	s.Reach(l)
	p.at = nil
}

func (p *prolog) test(s *read.Sink, l tool.Line, text string) {
	name, message, _ := strings.Cut(text, ": ")
	id := name
	if p.unit != "" {
		id = p.unit + ":" + name
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name, Message: message, At: p.at})
	s.Tested, p.at = true, nil
}

// count reads "% 3 tests failed" and "% All 2 tests passed".
func (p *prolog) count(s *read.Sink, l tool.Line) bool {
	n, key, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(l.Text, "% "), "All "), " tests ")
	if !strings.HasPrefix(l.Text, "% ") || !ok || !lex.IsDigits(n) || key != "failed" && key != "passed" && !strings.HasPrefix(key, "passed") {
		return false
	}
	if key == "failed" {
		s.Claim(lex.Atoi(n))
	} else {
		key = "passed"
		s.Close(l)
	}
	s.Count(key, lex.Atoi(n))
	return s.Break()
}
