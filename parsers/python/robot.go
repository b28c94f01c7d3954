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
	top   string // suite, whose counts are those of the run
	suite string // whose tests follow
	rule  bool   // the last line was a double rule: a suite's name may follow
	row   string // the name in the row that was read last
	dots  bool   // the dotted console
	open  string // a row that did not fail: a test, unless counts follow it
	came  read.Outcome
	first string // the name that began a row, whose end stands below what the test printed
	fresh bool   // a rule was read last: the row of a test begins
	doubt bool   // the row that was read last has a suite's name: a test's, if no counts come before the next rule
}

// robotName is the width of the column of names.
const robotName = 70

// cutRobotRow reads "Adds                        | FAIL |". Names are cut where
// they are long; a suite's row is its full name.
func cutRobotRow(line string) (name, status string, ok bool) {
	n := len(line)
	for _, status := range [...]string{"PASS", "FAIL", "SKIP", "NOT RUN"} {
		if end := "| " + status + " |"; strings.HasSuffix(line, end) {
			return strings.TrimRight(line[:n-len(end)], " "), status, n > len(end)
		}
	}
	return "", "", false
}

// line reads rows, the lines below those that failed, and the counts:
//
//	Adds                                                  | FAIL |
//	one and one: 2 != 3
//	------------------------------------------------------------------------------
//	T                                                     | FAIL |
//	9 tests, 1 passed, 7 failed, 1 skipped
func (r *robotRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if name, status, ok := cutRobotRow(text); ok && !r.dots || r.first != "" && status != "" {
		title, printed, _ := strings.Cut(name, "  ") // which is not in a name
		switch printed = strings.TrimSpace(printed); {
		case r.first != "" && !ok:
			r.found(s, l, r.first, status)
		case printed != "" && len([]rune(name)) > robotName: // to the console, as if it were the verdict
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
	case dotted && (r.dots || r.fresh): // below a rule, where the beginning is cut off
		r.dotted(s, l, name)
	case isRobotCount(text):
		r.count(s, l, text)
	case strings.HasPrefix(text, "[ ERROR ] "):
		r.trouble(s, l, text[len("[ ERROR ] "):])
	case lex.HasAnyPrefix(text, "[ WARN ] ", "Output:  ", "Log:     ", "Report:  ", "XUnit:   "):
		s.Break()
		return s.Claimed <= len(s.Findings) // else the counts are the last that is its own, for the failures that are cut off
	case lex.HasAnyPrefix(text, "Running suite '", "Run suite '"):
		r.dots = true
	case r.rule && text != "" && s.Last() == nil:
		r.rule, r.suite = false, robotSuite(text)
		r.top = cmp.Or(r.top, r.suite)
	case s.Last() != nil && l.Stream == tool.Stdout:
		if f := s.Last(); f.Message == "" || strings.HasSuffix(f.Message, ":") && text != "" {
			f.Message = strings.TrimSpace(f.Message + " " + strings.TrimPrefix(text, "1) "))
		}
		s.More(l)
	default:
		return false
	}
	return true
}

// robotSuite is a suite's name without the documentation behind it.
func robotSuite(text string) string {
	name, _, _ := strings.Cut(text, " :: ")
	return name
}

// found takes a row. That of a suite repeats the name under which its tests
// stand, as a test's may, and counts follow it.
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

// suiteRow forgets the row that was read last: it was a suite's.
func (r *robotRun) suiteRow(s *read.Sink) {
	if f := s.Last(); f != nil && f.Name == r.row && !r.dots {
		s.Findings = s.Findings[:len(s.Findings)-1]
	}
	r.open, r.doubt = "", false
}

// end tells the last row's test, unless the output ends before it is known to be one.
func (r *robotRun) end(s *read.Sink) {
	if r.doubt {
		r.suiteRow(s)
	}
	r.tell(s)
}

// tell tells the test of the row that is open.
func (r *robotRun) tell(s *read.Sink) {
	if r.open != "" {
		s.Ran(tool.Test{ID: r.open, Outcome: r.came})
	}
	r.open = ""
}

func (r *robotRun) dotted(s *read.Sink, l tool.Line, id string) {
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: lex.LastPart(id)})
}

// isRobotCount: "9 tests, 1 passed, 7 failed, 1 skipped", "1 critical test, …".
func isRobotCount(text string) bool {
	n, rest, _ := strings.Cut(text, " ")
	return lex.IsDigits(n) && n != "" && (strings.HasPrefix(rest, "test") || strings.HasPrefix(rest, "task")) && strings.Contains(rest, " passed, ") && strings.Contains(rest, " failed")
}

// count takes the counts of a suite; those of the top one come last. A suite
// that failed by itself was taken for a test until now.
func (r *robotRun) count(s *read.Sink, l tool.Line, text string) {
	r.suiteRow(s)
	counts := read.Counts(text)
	clear(s.Counts)
	for _, name := range [...]string{"passed", "failed", "skipped"} {
		if counts[name] > 0 {
			s.Counts[name] = counts[name]
		}
	}
	s.Claimed, s.Tested = counts["failed"], true
	if s.Sign(l); r.dots || r.row == r.top {
		s.Close(l)
	}
}

// trouble reads what robot says of its command line and of the files.
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
