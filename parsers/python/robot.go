package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// robot exits with the number of failed tests, up to 250.
var _ = Room.Add("robot pabot | robot.run", func(p *tool.Parser) {
	p.Is("robotframework", result.Test, 1, "Robot Framework 3.2 to 7.3: verbose and dotted console")
	p.Family = "robot"
	p.Filter = tool.Filter{Flag: "--test"}
	p.Exits = map[int]result.Meaning{251: result.MeansUsage, 252: result.MeansUsage, 253: result.MeansInterrupted, 255: result.MeansInternal}
	p.Files = []tool.Files{{Flags: []tool.FileFlag{{Flag: "--xunit", Of: []string{"robot"}}}}}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Output:  …output.xml", "Log:     …log.html", "Running suite '", "Run suite '…' with "}, Parse: parseRobot})
	p.Reads(tool.Format{Name: "messages", Parse: parseRobot})
}, tool.WritesFiles)

func parseRobot(in *tool.Input) *tool.Report {
	r := &robotRun{}
	return read.Text{Line: r.line, End: r.end, Closes: true}.Parse(in)
}

type robotRun struct {
	top   string // the topmost suite, whose counts are those of the run
	suite string // the suite whose tests follow
	rule  bool   // the last line was a double rule: a suite's name may follow
	row   string // the name in the last row
	dots  bool   // the dotted console
	open  string // the id in the last row, if it did not fail: a test, unless counts follow
	came  read.Outcome
	first string // name in a row whose verdict is below what the test printed
	fresh bool   // the last line was a single rule: the row of a test may follow
	began bool   // a line of stdout was read
	doubt bool   // the last row may be a suite's, by its name; it is a test's if no counts come before the next rule
}

// robotName is the width of the column of names, in characters.
const robotName = 70

// cutRobotRow reads the row of a test or a suite, "Adds                        | FAIL |". A long name ends
// with "..."; a suite's name has its parents'.
func cutRobotRow(line string) (name, status string, ok bool) {
	n := len(line)
	for _, status := range [...]string{"PASS", "FAIL", "SKIP", "NOT RUN"} {
		if end := "| " + status + " |"; strings.HasSuffix(line, end) {
			return strings.TrimRight(line[:n-len(end)], " "), status, n > len(end)
		}
	}
	return "", "", false
}

// line reads rows, the messages below failed rows, and the counts:
//
//	Adds                                                  | FAIL |
//	one and one: 2 != 3
//	------------------------------------------------------------------------------
//	T                                                     | FAIL |
//	9 tests, 1 passed, 7 failed, 1 skipped
func (r *robotRun) line(s *read.Sink, l tool.Line) bool {
	text, isFirst := strings.TrimRight(l.Text, " "), l.Stream == tool.Stdout && !r.began
	r.began = r.began || isFirst
	if name, status, ok := cutRobotRow(text); ok && !r.dots || r.first != "" && status != "" {
		title, printed, _ := strings.Cut(name, "  ") // a name has no two blanks together
		switch printed = strings.TrimSpace(printed); {
		case r.first != "" && !ok:
			r.found(s, l, r.first, status)
		case printed != "" && len([]rune(name)) > robotName: // the test printed a text that looks like a verdict
			r.first, r.fresh = robotSuite(title), false
		default:
			r.found(s, l, name, status)
		}
		return true
	}
	double := len(text) > 30 && strings.Trim(text, "=") == ""
	switch name, dotted := strings.CutPrefix(text, "FAIL: "); {
	case double, len(text) > 30 && strings.Trim(text, "-") == "":
		r.rule, r.fresh, r.doubt = double, !double, false
		r.tell(s)
		s.Break()
	case r.fresh && !r.dots && text != "" && s.Last() == nil && len([]rune(l.Text)) > robotName:
		r.fresh, r.first = false, robotSuite(strings.TrimRight(string([]rune(l.Text)[:robotName]), " "))
	case dotted && (r.dots || r.fresh || isFirst && strings.Contains(name, ".") && !strings.Contains(name, " (")): // the beginning may be cut off
		r.dotted(s, l, name)
	case isRobotCount(text):
		r.count(s, l, text)
	case strings.HasPrefix(text, "[ ERROR ] "):
		r.trouble(s, l, text[len("[ ERROR ] "):])
	case lex.HasAnyPrefix(text, "[ WARN ] ", "Output:  ", "Log:     ", "Report:  ", "XUnit:   "):
		s.Break()
		return s.Claimed <= len(s.Findings) // if failures were cut off, the counts stay the last line taken
	case lex.HasAnyPrefix(text, "Running suite '", "Run suite '"):
		r.dots = true
	case r.rule && text != "" && s.Last() == nil:
		r.rule, r.suite = false, robotSuite(text)
		r.top = cmp.Or(r.top, r.suite)
	case s.Last() != nil && l.Stream == tool.Stdout:
		number, also, _ := strings.Cut(text, ") ")
		switch f := s.Last(); {
		case f.Message == "" || strings.HasSuffix(f.Message, ":") && text != "":
			f.Message = strings.TrimSpace(f.Message + " " + strings.TrimPrefix(text, "1) "))
		case lex.IsDigits(number) && strings.HasPrefix(f.Message, "Several failures occurred:"), text == "Also teardown failed:":
			f.Message += "; " + cmp.Or(also, text)
		}
		s.More(l)
	default:
		return false
	}
	return true
}

// robotSuite returns the name in a row, without the documentation: "Shop" for "Shop :: Tests of the shop".
func robotSuite(text string) string {
	name, _, _ := strings.Cut(text, " :: ")
	return name
}

// found takes a row. A suite's row has the name of the current suite or of a parent, which a test
// may have too, but only a suite's row is followed by counts.
func (r *robotRun) found(s *read.Sink, l tool.Line, name, status string) {
	s.Sign(l)
	s.Break()
	r.tell(s)
	r.first, r.fresh, r.rule = "", false, false
	name = robotSuite(name)
	cut := strings.HasSuffix(name, "...")
	r.row = name
	if cut && strings.HasPrefix(r.suite, strings.TrimSuffix(name, "...")) {
		return
	}
	r.doubt = name == r.suite || strings.HasPrefix(r.suite, name+".")
	id := name
	if r.suite != "" {
		id = r.suite + "." + name
	}
	if status != "FAIL" {
		if r.open, r.came = id, tool.Passed; status != "PASS" {
			r.came = tool.Skipped
		}
		if cut {
			r.open = ""
			s.Unread("the console cuts long names")
		}
		return
	}
	if cut {
		s.NoTest(id)
		s.Unread("the console cuts long names")
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name})
}

// suiteRow removes the last row's test or finding, because the row is a suite's.
func (r *robotRun) suiteRow(s *read.Sink) {
	if f := s.Last(); f != nil && f.Name == r.row && !r.dots {
		s.Findings = s.Findings[:len(s.Findings)-1]
	}
	r.open, r.doubt = "", false
}

// end reports the last row's test. If the row may be a suite's, it is removed.
func (r *robotRun) end(s *read.Sink) {
	if r.doubt {
		r.suiteRow(s)
	}
	r.tell(s)
}

// tell reports the test of the last row, if it did not fail.
func (r *robotRun) tell(s *read.Sink) {
	if r.open != "" {
		s.Ran(tool.Test{ID: r.open, Outcome: r.came})
	}
	r.open = ""
}

// dotted adds the finding of "FAIL: Shop.Adds", a failed test of the dotted console.
func (r *robotRun) dotted(s *read.Sink, l tool.Line, id string) {
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: lex.LastPart(id)})
}

// isRobotCount matches the counts of a suite: "9 tests, 1 passed, 7 failed, 1 skipped".
func isRobotCount(text string) bool {
	n, rest, _ := strings.Cut(text, " ")
	return lex.IsDigits(n) && n != "" && (strings.HasPrefix(rest, "test") || strings.HasPrefix(rest, "task")) && strings.Contains(rest, " passed, ") && strings.Contains(rest, " failed")
}

// count takes the counts of a suite, which replace earlier counts: those of the topmost suite come
// last. The row above them was the suite's, so it is removed.
func (r *robotRun) count(s *read.Sink, l tool.Line, text string) {
	r.suiteRow(s)
	clear(s.Counts)
	s.Claimed, s.Tested = 0, true
	s.Scores(read.Counts(text), "passed: passed; failed: failed; skipped: skipped")
	if s.Sign(l); r.dots || r.row == r.top {
		s.Close(l)
	}
}

// trouble reads the text behind "[ ERROR ] ", which is about the command line or a file.
func (r *robotRun) trouble(s *read.Sink, l tool.Line, why string) {
	f := result.Finding{Kind: result.Diagnostic, Message: why}
	if rest, ok := strings.CutPrefix(why, "Error in file '"); ok {
		path, rest, _ := strings.Cut(rest, "' on line ")
		number, message, has := strings.Cut(rest, ": ")
		if has && lex.IsDigits(number) && len(number) < 9 {
			f.Message, f.At = message, &result.Location{Path: path, Line: lex.Atoi(number)}
		}
	} else {
		f.Kind = result.GenericFinding
		s.Meaning = result.MeansUsage
		defer s.Close(l)
	}
	s.Find(l, f)
	s.Break()
}
