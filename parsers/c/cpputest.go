package c

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/tap"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("cpputest", result.Test, 1, "CppUTest 3.8 and 4.0: normal, and TeamCity's messages")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Errors (…failures", "OK (…tests", "but was  <", "CHECK(…) failed", "TEST(…) - "}, Sniff: isCppUTest, Parse: func(in *tool.Input) *tool.Report {
		u := &cppUTest{}
		return read.Text{Closes: true, End: u.end, Line: func(s *read.Sink, l tool.Line) bool { return u.messages.Line(s, l) || u.line(s, l) }}.Parse(in)
	}})
})

func isCppUTest(line string) bool {
	return strings.Contains(line, " checks, ") || !lex.HasAnyPrefix(line, "Errors (", "OK (")
}

// cppUTest keeps the row of the running test, which -v prints: "TEST(G, adds) - 0 ms".
type cppUTest struct {
	messages teamcity.Reader
	running  tool.Line
	test     string
	failed   bool // the running test has failed
}

// row takes a row that -v prints or, below the failures of the test, the rest of its row: " - 0 ms".
func (u *cppUTest) row(s *read.Sink, l tool.Line) bool {
	row, took, ended := strings.Cut(l.Text, " - ")
	if ended = ended && strings.HasSuffix(took, " ms"); ended && row == "" && u.test != "" {
		u.ended(s)
		return s.Break()
	}
	head, inner, _ := strings.Cut(row, "TEST(")
	name, ok := strings.CutSuffix(inner, ")")
	if !ok || head != "" && head != "IGNORE_" || !ended && row != l.Text {
		return false
	}
	s.Break()
	if u.test, u.running, u.failed = strings.Clone(strings.ReplaceAll(name, ", ", ".")), l, false; head != "" {
		s.Ran(tool.Test{ID: u.test, Outcome: tool.Skipped})
		u.test = ""
	} else if ended {
		u.ended(s)
	}
	return true
}

// ended records the running test as passed, unless it has failed: a failed test is recorded with its finding.
func (u *cppUTest) ended(s *read.Sink) {
	if !u.failed {
		s.Ran(tool.Test{ID: u.test, Outcome: tool.Passed})
	}
	u.test = ""
}

// end adds a finding for the test that ran when the program ended: it prints no total then.
func (u *cppUTest) end(s *read.Sink) {
	if u.test != "" && !s.Closed() && (s.Tests != nil || len(s.Findings) > 0) {
		_, name, _ := strings.Cut(u.test, ".")
		s.Find(u.running, result.Finding{Kind: result.Panic, Severity: result.SevFailure, ID: u.test, Name: name, Message: "the program ended while this test ran"})
		s.Ran(tool.Test{ID: u.test, Outcome: tool.Errored})
	}
	filled(s)
}

// line reads "cpu.cc:4: error: Failure in TEST(Money, Adds)" and the indented reason below it.
func (u *cppUTest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if u.row(s, l) {
		return true
	}
	if counts, ok := strings.CutPrefix(text, "Errors ("); ok || strings.HasPrefix(text, "OK (") && isCppUTest(text) {
		n := read.Counts(counts)
		return s.Sum(l, read.Counts(text)["ran"]+n["ignored"], n["failures"]+n["failure"], 0, n["ignored"])
	}
	at, rest, ok := place.Cut(strings.TrimLeft(text, ".!"))
	if test, failed := strings.CutPrefix(rest, "error: Failure in "); ok && failed {
		_, inner, _ := strings.Cut(strings.TrimSuffix(test, ")"), "(")
		u.failed = true
		return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.ReplaceAll(inner, ", ", "."), At: &at})
	}
	f := s.Last()
	if f == nil || text == "" {
		return false
	}
	s.More(l)
	switch {
	case f.Message == "":
		f.Message = text
	case strings.HasPrefix(text, "but was ") && strings.HasPrefix(f.Message, "expected "):
		f.Message += " " + strings.Join(strings.Fields(text), " ")
	}
	if v, ok := strings.CutPrefix(text, "expected <"); ok {
		f.Expected = strings.TrimSuffix(v, ">")
	} else if v, ok := strings.CutPrefix(text, "but was  <"); ok {
		f.Actual = strings.TrimSuffix(v, ">")
	}
	return true
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("criterion", result.Test, 2, "Criterion 2.3 and 2.4, C")
	p.Filter = tool.Filter{Flag: "--filter", Spell: func(f *result.Finding) string { return strings.ReplaceAll(f.ID, "::", "/") }}
	p.JUnit = &tool.Dialect{
		Suites: []string{"Criterion Tests"}, ErrorsFail: true,
		ID: func(n *tool.CaseNames) (id string, suites []string) {
			return strings.Join(append(n.Titles, n.Name), "::"), n.Titles
		},
	}
	p.Reads(tool.Format{Name: "text", Starts: []string{"[====] ", "[FAIL] …::", "[----] ", "Tests compiled with Criterion v"}, Parse: parseCriterion})
	p.Reads(tool.Format{Name: "json", Starts: []string{`"id": "Criterion v`}, Parse: read.JSON{Items: read.Items(criterionSuite, "/test_suites/*")}.Parse})
	p.Reads(tool.Format{Name: "tap", Starts: []string{"# Criterion v"}, Parse: tap.TestsCut(cutEnded)})
})

// cutEnded splits how a test ended, if it did not end by itself, from its name in TAP: "bank::slow timed out",
// "money::crash unexpected signal after t.c:7".
func cutEnded(name string) (rest, how string, ended bool) {
	if i := strings.LastIndex(name, " unexpected signal after "); i > 0 {
		return name[:i], name[i+1:], true
	}
	if rest, ok := strings.CutSuffix(name, " timed out"); ok {
		return rest, "timed out", true
	}
	return name, "", false
}

// criterionSuite reads a suite of the JSON, with all its tests.
func criterionSuite(s *read.Sink, v *struct {
	Name  string
	Tests []struct {
		Name, Status string
		Messages     []string
	}
}) {
	s.Tested = true
	for _, t := range v.Tests {
		came := cmp.Or(lex.Means(t.Status, "passed: PASSED; skipped: SKIPPED; error: ERRORED"), "failed")
		ran := tool.Test{ID: v.Name + "::" + t.Name, Outcome: read.Outcome(came)}
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: ran.ID, Message: "failed"}
		if len(t.Messages) > 0 {
			f.Message = t.Messages[0]
			if at, message, ok := place.Cut(f.Message); ok {
				f.At, f.Message = &at, message
			}
		}
		if ran.Outcome == tool.Errored {
			f.Severity = result.SevError
		}
		if s.Counted(ran); ran.Outcome.Bad() {
			s.FindHere(f)
		}
	}
}

// parseCriterion reads "[FAIL] money::adds: (0.00s)" and the "[----]" lines above it, which have the reason.
func parseCriterion(in *tool.Input) *tool.Report {
	var at *result.Location
	var why []string
	var above tool.Line
	ended := 0 // number of tests that did not end by themselves
	return read.Text{Closes: true, End: filled, Line: func(s *read.Sink, l tool.Line) bool {
		if strings.HasPrefix(l.Text, "Tests compiled with Criterion v") && strings.Contains(above.Text, " option ") { // getopt's reason
			s.Misuse(above, above.Text)
			return s.Close(l)
		}
		above = l
		mark, rest, ok := strings.Cut(l.Text, "] ")
		if text := strings.TrimSpace(rest); ok {
			switch mark {
			case "[----":
				if test, crashed := strings.CutPrefix(text, "Warning! The test `"); crashed {
					test, how, _ := strings.Cut(test, "` ")
					s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevError, ID: test, At: at, Message: strings.Join(append(why, how), " ")})
					at, why = nil, nil
					s.Break()
				} else if spot, message, placed := place.Cut(text); placed && at == nil {
					at, why = &spot, []string{strings.TrimSuffix(message, ".")}
				} else if text != "" && !placed && len(why) < 4 {
					why = append(why, text)
				}
			case "[FAIL":
				id, end, _ := strings.Cut(text, ": ")
				if len(why) == 0 || strings.HasPrefix(end, "CRASH") {
					why = append(why, strings.TrimSuffix(end, "!"))
				}
				fail(s, l, id, at, strings.Join(why, " "))
				if f := s.Last(); f != nil && lex.HasAnyPrefix(end, "CRASH", "Timed out") { // as in Criterion's reports
					f.Severity = result.SevError
					ended++
				}
				at, why = nil, nil
				s.Break()
			case "[====":
				if _, counts, has := strings.Cut(text, "Synthesis: "); has {
					n := read.CountsBehind(strings.ReplaceAll(counts, "|", ","))
					s.NoTests = n["tested"] == 0
					s.Sum(l, n["passing"]+n["failing"], max(0, n["failing"]-ended), ended, 0)
				}
			case "[PASS", "[RUN ", "[SKIP", "[WARN", "[ERR ":
				at, why = nil, nil
			default:
				return false
			}
			return true
		}
		return false
	}}.Parse(in)
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
