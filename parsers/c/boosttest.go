package c

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("boost-test", result.Test, 2, "Boost.Test 1.59 to 1.89: human readable, JUnit")
	p.Filter = tool.Filter{Flag: "--run_test"}
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--log_sink")}}
	p.JUnit = boostReports
	p.Reads(tool.Format{Name: "xml", Starts: []string{"<TestLog>"}, Parse: read.Fresh(func(b *boostXML) read.Text { return read.Text{Line: b.line, End: filled, Closes: true} })})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Running … test case", `Entering test module "`, `Test module "`, "*** No errors detected", "*** …detected in the test", "Test setup error: ", "An unrecognized parameter in the argument"}, Parse: parseBoostTest})
}, tool.WritesFiles)

// parseBoostTest reads `bt.cc(5): error: in "money/adds": check 1 + 1 == 3 has failed`, and for an exception the test's
// last checkpoint.
func parseBoostTest(in *tool.Input) *tool.Report {
	return read.Text{Closes: true, End: filled, Line: func(s *read.Sink, l tool.Line) bool {
		text := strings.TrimSpace(l.Text)
		switch {
		case strings.HasPrefix(text, "*** "):
			if failures := lex.LeadingNumber(text[4:]); failures > 0 { // the number of passed tests is not printed, and a count of 0 would mean that there are no tests
				s.Count("failed", failures)
			}
			return s.Ended(l)
		case strings.HasPrefix(text, `Test module "`) && strings.HasSuffix(text, " with:"): // --report_level=short and detailed
			return s.Ended(l)
		case s.Closed() && s.Tested && strings.HasPrefix(l.Text, "  "):
			if l.Text[2] != ' ' { // counts of the whole module
				boostReported(s, text)
			}
			return true
		case strings.HasPrefix(text, "Running ") && strings.Contains(text, " test case"), strings.HasPrefix(text, `Entering test module "`):
			return s.Sign(l)
		case strings.HasPrefix(text, `Leaving test module "`): // with --log_level=all
			return s.Ended(l)
		case s.Last() != nil && lex.HasAnyPrefix(text, "Mismatch at position ", "Failure occurred in a following context:"):
			if f := s.Last(); len(f.Message) < longMessage {
				f.Message += " " + text
			}
			return s.More(l)
		case s.Last() != nil && strings.HasPrefix(l.Text, "    ") && strings.HasSuffix(s.Last().Message, "context:"):
			s.Last().Message += " " + strings.TrimSuffix(text, ";")
			return s.More(l)
		case strings.HasPrefix(text, "Test setup error: "), strings.HasPrefix(text, "An unrecognized parameter in the argument"):
			s.Misuse(l, strings.TrimPrefix(text, "Test setup error: "))
			s.NoTests = strings.Contains(text, "no test cases matching")
			return s.Close(l)
		}
		return boostLine(s, l, text)
	}}.Parse(in)
}

// boostReported reads "5 test cases out of 9 failed".
func boostReported(s *read.Sink, text string) {
	words := strings.Fields(text)
	if strings.Contains(text, " test case") && lex.IsOneOf(words[len(words)-1], "passed failed skipped") {
		s.Counts[words[len(words)-1]] = lex.Atoi(words[0])
	}
}

func boostLine(s *read.Sink, l tool.Line, text string) bool {
	where, rest, ok := strings.Cut(text, "): ")
	path, line, placed := strings.Cut(where, "(")
	if !ok || !placed || !lex.IsDigits(line) {
		return false
	}
	at := &result.Location{Path: path, Line: lex.Atoi(line)}
	if path == "unknown location" {
		at = nil
	}
	if rest == "last checkpoint" || strings.HasPrefix(rest, "last checkpoint: ") {
		if f := s.Last(); f != nil && f.At == nil {
			f.At = at
			s.More(l)
		}
		return true
	}
	if lex.HasAnyPrefix(rest, "Entering test ", "Leaving test ", `Test suite "`, `Test case "`) { // with --log_level=all
		return s.Break()
	}
	word, rest := read.CutSeverity(rest)
	rest, inTest := strings.CutPrefix(rest, `in "`)
	id, message, _ := strings.Cut(rest, `": `)
	if read.SeverityOf(word) != result.SevError || !inTest {
		return word != ""
	}
	fail(s, l, id, at, message)
	return true
}

// boostXML reads a log of one line (--log_format=XML), and a report in another form below it:
//
//	<TestLog><TestSuite name="m"><TestCase name="adds" …><Error file="m.cc" line="8"><![CDATA[text]]></Error>…
type boostXML struct {
	names   []string
	skipped bool // the current test case was skipped
	failed  bool // the text of a failure follows
	frame   bool // the text of a failure's context, "n = 3; ", follows
	at      *result.Location
}

func (b *boostXML) line(s *read.Sink, l tool.Line) bool {
	if !strings.HasPrefix(strings.TrimSpace(l.Text), "<TestLog>") {
		report, ok := strings.CutPrefix(l.Text, "*** ")
		if ok && len(s.Findings) == 0 { // it counts assertions, not tests
			s.Count("failed", max(0, lex.LeadingNumber(report)))
		}
		return ok
	}
	for x := xmltext.NewScanner(strings.NewReader(l.Text)); ; {
		switch x.Next() {
		case xmltext.End:
			if s.Tested = strings.HasSuffix(l.Text, "</TestLog>"); !s.Tested {
				return true // the line was cut
			}
			return s.Close(l)
		case xmltext.Open:
			b.open(s, x)
		case xmltext.Text:
			if b.failed {
				fail(s, l, b.id(), b.at, x.Content())
			}
			if f := s.Last(); b.frame && f != nil && len(f.Message) < longMessage {
				f.Message += " Failure occurred in a following context: " + strings.TrimRight(x.Content(), "; ")
			}
			b.failed, b.frame = false, false
		case xmltext.Close:
			if name := string(x.Name); len(b.names) > 0 && (name == "TestSuite" || name == "TestCase") {
				if last := len(s.Findings) - 1; name == "TestCase" && !b.skipped && (last < 0 || s.Findings[last].ID != b.id()) {
					s.Ran(tool.Test{ID: b.id(), Outcome: tool.Passed})
				}
				b.names, b.skipped = b.names[:len(b.names)-1], false
			}
		}
	}
}

// id returns the name of the test as in the text format, without the module's.
func (b *boostXML) id() string { return strings.Join(b.names[min(1, len(b.names)):], "/") }

func (b *boostXML) open(s *read.Sink, x *xmltext.Scanner) {
	at := &result.Location{Path: x.Attr("file"), Line: x.Number("line")}
	if at.Line <= 0 {
		at = nil
	}
	switch string(x.Name) {
	case "TestSuite", "TestCase":
		if b.names = append(b.names, x.Attr("name")); x.Attr("skipped") == "yes" {
			b.skipped = true
			s.Ran(tool.Test{ID: b.id(), Outcome: tool.Skipped})
		}
	case "Error", "FatalError", "Exception":
		b.failed, b.at = true, at
	case "Frame":
		b.frame = true
	case "LastCheckpoint":
		if f := s.Last(); f != nil && f.At == nil {
			f.At = at
		}
	}
}

// notRun finds out why ctest could not run a test. Some reasons are between the line that starts the test and its
// row, others on stderr, without the name of the test:
//
//	    Start 1: gone
//	Could not find executable /tmp/build/gone
//	1/9 Test #1: gone .............................***Not Run   0.00 sec
//
//	Unable to find required file: /tmp/build/data.txt
type notRun struct {
	started string            // the test that was started last, until its row
	why     map[string]string // reasons, by test
	names   []string          // the tests that did not run, in the order of their rows
	told    []unrunWhy        // the reasons on stderr, in the same order
}

type unrunWhy struct {
	at   tool.Line
	text string
}

// start takes "Start 3: name".
func (n *notRun) start(text string) {
	_, n.started, _ = strings.Cut(text, ": ")
	n.started = strings.Clone(n.started)
}

// line takes a line that gives a reason.
func (n *notRun) line(text string, l tool.Line) bool {
	direct := lex.HasAnyPrefix(text, "Could not find executable ", "Failed test dependencies: ")
	if !direct && !lex.HasAnyPrefix(text, "Unable to find executable: ", "Unable to find required file: ", "Failed to change working directory to ") {
		return false
	}
	switch {
	case n.started != "":
		n.why[n.started] = strings.Clone(text)
	case !direct && len(n.told) < tool.MaxFindings:
		n.told = append(n.told, unrunWhy{l, strings.Clone(text)})
	}
	return !strings.HasPrefix(text, "Could not find executable ") // more lines follow: see searches
}

// row takes the row of a test.
func (n *notRun) row(name, status string) {
	n.started = ""
	if strings.HasPrefix(status, "***Not Run") && !strings.Contains(status, "(Disabled)") && len(n.names) < tool.MaxFindings {
		n.names = append(n.names, strings.Clone(name))
	}
}

// end gives the tests that did not run their reasons. The reasons on stderr are in the order of the tests; if there
// are more or fewer of them, they cannot be assigned.
func (n *notRun) end(s *read.Sink) {
	told := n.told[:0]
	for _, t := range n.told {
		if !n.isKnown(t.text) {
			told = append(told, t)
		}
	}
	var open []string
	for _, name := range n.names {
		if n.why[name] == "" {
			open = append(open, name)
		}
	}
	for i, t := range told {
		switch {
		case len(told) == len(open):
			n.why[open[i]] = t.text
		case len(n.names) == 0:
			s.Misuse(t.at, t.text)
		default:
			s.Find(t.at, result.Finding{Kind: result.GenericFinding, Message: t.text})
		}
	}
	for i := range s.Findings {
		if f := &s.Findings[i]; n.why[f.ID] != "" && f.Message == "Not Run" {
			f.Message += ": " + n.why[f.ID]
		}
	}
}

// isKnown reports whether a reason on stderr, "Unable to find executable: PATH", repeats one on stdout.
func (n *notRun) isKnown(text string) bool {
	program, ok := strings.CutPrefix(text, "Unable to find executable: ")
	for _, why := range n.why {
		if ok && why == "Could not find executable "+program {
			return true
		}
	}
	return false
}
