package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("cppunit", result.Test, 1, "CppUnit 1.12 and later: the compiler's outputter and the text one")
	p.Reads(tool.Format{Name: "compiler", Starts: []string{"Failures !!!", "!!!FAILURES!!!", "Test name: "}, Parse: parseCppUnit})
	p.Reads(tool.Format{Name: "unended", Starts: []string{"..", ".F", ".E"}, Sniff: isCppUnitRow, Evidence: tool.Shape, Parse: read.Unended{
		Ends:   func(text string) bool { return strings.TrimSpace(text) != "" && !isCppUnitRow(text) },
		Failed: read.Marks(".FE", "FE"),
	}.Parse})
})

// isCppUnitRow reports whether a line is a row of progress, "..F.E": a dot when a test begins, and a letter if it
// failed. A program that ends before its list of failures prints nothing else.
func isCppUnitRow(line string) bool {
	row := strings.TrimSpace(line)
	return strings.HasPrefix(row, ".") && strings.Trim(row, ".FE") == "" && !strings.Contains(row, "FF") && !strings.Contains(row, "EE")
}

// parseCppUnit reads "cppu_t.cpp:11:Assertion", "Test name: LedgerTest::total" and the reason, or
// "1) test: A::b (F) line: 11 t.cpp".
func parseCppUnit(in *tool.Input) *tool.Report {
	var at *result.Location
	return read.Text{Closes: true, End: filled, Line: func(s *read.Sink, l tool.Line) bool {
		text := strings.TrimSpace(l.Text)
		spot, rest, placed := place.Cut(text)
		switch {
		case placed && lex.IsOneOf(rest, "Assertion Error"):
			at = &spot
			return s.Break()
		case strings.HasPrefix(text, "##Failure Location unknown##"):
			at = nil
			return s.Break()
		case strings.HasPrefix(text, "Test name: "):
			return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: text[len("Test name: "):], At: at})
		case strings.Contains(text, ") test: ") && lex.LeadingNumber(text) > 0:
			_, test, _ := strings.Cut(text, ") test: ")
			id, where, _ := strings.Cut(test, " (")
			if _, line, has := strings.Cut(where, "line: "); has {
				n, path, _ := strings.Cut(line, " ")
				at = &result.Location{Path: path, Line: lex.Atoi(n)}
			}
			return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSuffix(id, "()"), At: at})
		case strings.HasPrefix(text, "Run: "):
			n := read.CountsBehind(strings.ReplaceAll(strings.ReplaceAll(text, "   ", ", "), "  ", ", "))
			return s.Sum(l, n["run"], n["failures"], n["errors"], 0)
		case strings.HasPrefix(text, "OK (") && s.Signed:
			return s.Ended(l)
		case strings.HasPrefix(text, "Failures !!!"), strings.HasPrefix(text, "!!!FAILURES!!!"):
			s.Sign(l)
			return s.Break()
		case s.Last() != nil && text != "":
			cppUnitReason(s, l, text)
			return true
		}
		return false
	}}.Parse(in)
}

func cppUnitReason(s *read.Sink, l tool.Line, text string) {
	s.More(l)
	f := s.Last()
	name, value, ok := strings.Cut(strings.TrimPrefix(text, "- "), ":")
	switch strings.TrimSpace(name) {
	case "Expected":
		f.Expected = strings.TrimSpace(value)
	case "Actual":
		f.Actual = strings.TrimSpace(value)
	default:
		if f.Message == "" {
			f.Message = text
		} else if strings.HasPrefix(text, "- ") && (ok || len(f.Message) < 200) {
			f.Message += "; " + text[2:]
		}
	}
}
