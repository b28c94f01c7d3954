package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("check-c", result.Test, 2, "Check 0.10 to 0.15, C: minimal, normal, verbose")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running suite(s): "}, Parse: read.Text{Line: checkLine, Closes: true}.Parse})
	p.Reads(tool.Format{Name: "tap", Starts: []string{"ok 1 - ….c:", "not ok 1 - ….c:", "not ok 2 - ….c:", "not ok 3 - ….c:"}, Sniff: isChecked, Parse: tap.TestsCut(cutChecked)})
})

// isChecked reports whether a row has the file, the case, the test and a reason: "ok 1 - ck.c:core:adds: Passed".
func isChecked(line string) bool {
	_, name, _ := strings.Cut(line, " - ")
	return strings.Count(name, ":") > 2 && (strings.HasPrefix(line, "not ") || strings.HasSuffix(line, ": Passed"))
}

// cutChecked splits the reason from a name in TAP: "ck.c:core:adds: Assertion … failed: …".
func cutChecked(name string) (rest, how string, ended bool) {
	if parts := strings.SplitN(name, ":", 4); len(parts) == 4 {
		how = strings.TrimSpace(parts[3])
		return parts[1] + ":" + parts[2], how, lex.HasAnyPrefix(how, "Received signal ", "Early exit ", "Test timeout ")
	}
	return name, "", false
}

// checkLine reads "ck.c:3:F:core:adds:0: Assertion … failed: …", where F is a
// failure, E a signal, an exit or a time limit, and S a failure of the set-up.
func checkLine(s *read.Sink, l tool.Line) bool {
	if percent, counts, ok := strings.Cut(l.Text, "%: Checks: "); ok && lex.IsDigits(percent) {
		n := read.CountsBehind("checks: " + counts)
		return s.Sum(l, n["checks"], n["failures"], n["errors"], 0)
	}
	if strings.HasPrefix(l.Text, "Running suite(s): ") {
		return s.Sign(l)
	}
	at, rest, ok := place.Cut(l.Text)
	parts := strings.SplitN(rest, ":", 5)
	if !ok || len(parts) < 5 || !lex.IsOneOf(parts[0], "F E P S") {
		return false
	}
	came := map[string]read.Outcome{"P": tool.Passed, "F": tool.Failed, "E": tool.Errored, "S": tool.Errored}[parts[0]]
	s.Ran(tool.Test{ID: parts[1] + ":" + parts[2], Outcome: came})
	if parts[0] != "P" {
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: parts[1] + ":" + parts[2], Message: strings.TrimSpace(parts[4]), At: &at}
		if parts[3] != "0" {
			f.Params = parts[3]
		}
		if parts[0] != "F" {
			f.Severity = result.SevError
		}
		s.Find(l, f)
	}
	return true
}

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
