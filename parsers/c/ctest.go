package c

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ctest ctest3", func(p *tool.Parser) {
	p.Is("ctest", result.Test, 1, "ctest 3.10 to 4.2: tests by their names; what they print is their own tools'")
	p.Runner = true
	p.Filter = tool.Filter{Flag: "-R", Spell: func(f *result.Finding) string { return read.Pattern(f.ID) }, Again: read.AgainExactly("-R", "^%s$")}
	p.Fails = []string{"Errors while running CTest", "The following tests FAILED:"}
	p.Supersede = supersede
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--output-junit"), Shared: true, Programs: []string{"ctest"}}}
	p.JUnit = ctestReports
	p.Reads(tool.Format{Name: "text", Starts: []string{"The following tests FAILED:", "100% tests passed", "Errors while running CTest"}, Named: true, Parse: parseCTest})
}, tool.WritesFiles)

// ctest reads a row for each test, "3/10 Test  #3: fails ....***Failed  0.00 sec", and below it the output of the
// test, if that was requested. The list at the end decides which tests failed.
type ctest struct {
	in      *tool.Input
	name    string // the test whose output may follow
	text    []string
	said    map[string][]string // output, by test
	listed  bool
	skipped bool // the list of tests that did not run follows
	memory  bool // what kinds of defects "ctest -T memcheck" found follows
	missing bool // the places where ctest looked for a program follow
	unrun   notRun
	rows    []ctestRow
	runs    ctestRuns
	totals  string // the last line with totals, until the time below it shows that ctest printed it, and not a test
}

func parseCTest(in *tool.Input) *tool.Report {
	c := &ctest{in: in, said: map[string][]string{}, unrun: notRun{why: map[string]string{}}}
	return read.Text{Line: c.line, End: c.end, Closes: true}.Parse(in)
}

func (c *ctest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case c.unrun.line(text, l):
	case strings.HasPrefix(text, "Test project "):
		if c.keepSaid(); c.runs.start(text[len("Test project "):]) {
			c.said = map[string][]string{}
		}
	case strings.HasPrefix(text, "Start "):
		c.keepSaid()
		c.unrun.start(text)
	case strings.HasPrefix(text, "Total Test time") && strings.HasSuffix(text, " sec"):
		c.total(s)
		s.Close(l)
	case l.Stream == tool.Stdout && strings.HasPrefix(text, "Output from these tests are in: "):
		c.runs.named(text)
	case strings.HasPrefix(text, "CMake Error: Run 'ctest --help'"):
	case lex.HasAnyPrefix(text, "CMake Error: ", "ctest: "):
		s.Misuse(l, strings.TrimPrefix(text, "CMake Error: "))
	case strings.HasPrefix(text, "No tests were found!!!"):
		s.NoTests, s.Meaning = true, result.MeansNoTests
		s.Close(l)
	case isCTestTotal(text):
		c.keepSaid()
		c.totals = strings.Clone(text) // a test may print such a line, too
		s.Sign(l)
	case text == "The following tests FAILED:":
		c.keepSaid()
		c.listed, c.skipped = true, false
		s.Sign(l)
	case text == "The following tests did not run:":
		c.listed, c.skipped = false, true
	case c.skipped && strings.HasSuffix(text, ")"), text == "":
	case strings.Contains(text, "sec*proc (") || strings.HasPrefix(text, "]  ") && strings.HasSuffix(text, " sec"): // a row of the label summary; the rest of a row that a line break in a regular expression split
	case lex.HasAnyPrefix(text, "Label Time Summary:", "Internal ctest changing into ", "Create new tag: ", "Cannot find file: ", "Errors while running CTest", "Output from these tests are in:", `Use "--rerun-failed`):
	case c.searches(text), c.verbose(text):
	case c.listed && c.failed(s, l, text):
	case c.row(s, text), c.defects(s, l, text):
	default:
		if c.name != "" && (len(c.text) < 200 || len(c.text) < 300 && read.PlaceOf(l.Text) != nil) {
			c.text = append(c.text, l.Text)
		}
		return false // output of the test, which another parser may read
	}
	return true
}

// row reads "3/10 Test  #3: fails ......***Failed    0.00 sec". When a test is run again, its row has no "3/10".
func (c *ctest) row(s *read.Sink, text string) bool {
	r, ok := cutCTestRow(text)
	if !ok {
		return false
	}
	r.run = c.runs.open()
	c.keepSaid()
	c.missing = false
	c.name = r.name
	c.unrun.row(r.name, r.status)
	if strings.HasPrefix(r.status, "Passed") || strings.HasPrefix(r.status, "***Skipped") || strings.Contains(r.status, "(Disabled)") {
		c.name = ""
	}
	if _, why, has := strings.Cut(r.status, "Failed  "); has && strings.Contains(why, "egular expression") {
		why, _, _ = strings.Cut(why, "  ")
		c.text = append(c.text, why)
	}
	if c.rows = append(c.rows, r); len(c.rows) > tool.MaxTests {
		s.Unread("there are more tests than are kept")
		c.rows = c.rows[:tool.MaxTests]
	}
	return true
}

// verbose reads a line of a test's output with -V, "1: text", in which 1 is the test's number.
func (c *ctest) verbose(text string) bool {
	number, rest, ok := strings.Cut(text, ":")
	if !ok || !lex.IsDigits(number) {
		return strings.HasPrefix(text, "test ") && lex.IsDigits(text[5:])
	}
	if key := "#" + number; len(c.said[key]) < 200 && !strings.HasPrefix(rest, " Test command:") && !strings.HasPrefix(rest, " Working Directory: ") && !strings.HasPrefix(rest, " Test timeout ") {
		c.said[key] = append(c.said[key], strings.TrimPrefix(rest, " "))
	}
	return true
}

// searches takes ctest's lines about its own steps, and the places where it looked for a program.
func (c *ctest) searches(text string) bool {
	if strings.HasPrefix(text, "Could not find executable ") || strings.HasPrefix(text, "Unable to find executable: ") || text == "Looked in the following places:" {
		c.missing = !strings.HasPrefix(text, "Unable")
		return true
	}
	return lex.HasAnyPrefix(text, "UpdateCTestConfiguration ", "Constructing a list of tests", "Done constructing a list of tests", "Updating test list for fixtures", "Added ", "Checking test dependency graph", "Parse Config file:", "Total Tests: ") || c.missing && !strings.Contains(text, " ")
}

// keepSaid keeps the output of the open test, by its name.
func (c *ctest) keepSaid() {
	if c.name != "" {
		c.said[c.name] = c.text
	}
	c.name, c.text = "", nil
}

func isCTestTotal(text string) bool {
	percent, _, ok := strings.Cut(text, "% tests passed")
	return ok && lex.IsDigits(percent)
}

// total reads "22% tests passed, 7 tests failed out of 9".
func (c *ctest) total(s *read.Sink) {
	text := c.totals
	if c.totals = ""; text == "" {
		return
	}
	_, rest, ok := strings.Cut(text, " tests passed, ")
	if !ok {
		_, rest, _ = strings.Cut(text, " tests passed")
	}
	_, all, _ := strings.Cut(rest, " out of ")
	c.runs.end(lex.LeadingNumber(strings.TrimLeft(rest, " ,")), lex.LeadingNumber(all))
	s.Tested = true
}

// fromFrame returns the output of a test from the first place in it on, or from the report of a sanitizer on.
func fromFrame(lines []string) []string {
	for i, line := range lines {
		if name, message, ok := sanitizerHead(strings.TrimSpace(line)); ok {
			return append([]string{name + ": " + unaddressed(message)}, lines[i+1:]...)
		}
		if _, ok := frame.Cut(line); ok {
			return lines[i:]
		}
	}
	return lines
}

// lastPlace returns place and text of the last line of a test's output that has both, as a project's own checks print
// them: "tests/t.cpp:4: check failed: level(5, 2) == 3". Notes, warnings and debugging output do not count.
func lastPlace(lines []string) (at *result.Location, said string) {
	if all, said := allPlaces(lines); len(all) > 0 {
		return &all[len(all)-1], said
	}
	return nil, ""
}

// allPlaces returns all those places, each once, and the text of the last.
func allPlaces(lines []string) (all []result.Location, said string) {
	why := "" // cmocka's reason, in the line before the place
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if mark, rest, ok := cutMark(line); ok {
			if line = strings.TrimPrefix(rest, "--- "); mark == "ERROR" {
				why = line
			}
		}
		if program, asserts, ok := strings.Cut(line, ": "); ok && !strings.Contains(program, " ") && strings.Contains(asserts, ": Assertion `") {
			line = asserts
		}
		found, rest, ok := place.Cut(line)
		if row, is := cutUnity(line); is && row.came != "FAIL" { // Unity names the place of every test
			continue
		}
		if ok && rest != "" && found.Line > 0 && !lex.HasAnyPrefix(strings.ToLower(rest), "note", "info", "debug", "warning", "trace") {
			said = lex.Clip(cmp.Or(strings.TrimPrefix(rest, "error: Failure!"), why, rest))
			all = append(slices.DeleteFunc(all, func(o result.Location) bool { return o == found }), found)
		}
	}
	return all, said
}

// supersede drops a finding of the text without a place, if the report has the same test with a place.
func supersede(text, report []result.Finding) (kept []result.Finding) {
	for _, f := range text {
		better := func(r result.Finding) bool { return r.ID == f.ID && r.At != nil && f.At == nil }
		if !slices.ContainsFunc(report, better) {
			kept = append(kept, f)
		}
	}
	return kept
}

// failed reads a row of the list: "3 - fails (Failed)", perhaps with labels behind it.
func (c *ctest) failed(s *read.Sink, l tool.Line, text string) bool {
	number, rest, ok := strings.Cut(text, " - ")
	i := strings.LastIndex(rest, " (")
	if !ok || !lex.IsDigits(number) || i < 0 {
		return false
	}
	name := rest[:i]
	why, _, _ := strings.Cut(rest[i+2:], ")")
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(lex.IsOneOf(why, "SEGFAULT ILLEGAL INTERRUPT NUMERICAL Subprocess") || why == "Not Run" || why == "Timeout"), ID: name, Message: why}
	if lines := append(c.said[name], c.said["#"+number]...); len(lines) > 0 {
		g := f
		junit.Explain(c.in, &g, fromFrame(lines), "", "")
		if f.Detail = g.Detail; cmakeSaid(lines, &f, why) {
			f.Detail = g.Detail
		} else if g.At != nil {
			f.At, f.Message = g.At, why+": "+g.Message
		} else if at, said := lastPlace(lines); at != nil {
			f.At, f.Message = at, why+": "+said
		} else if why == "Failed" && strings.Contains(lines[0], "egular expression") {
			f.Message = lines[0]
		} else if failure := fromFailure(lines); len(failure) > 0 && strings.HasSuffix(failure[0], ": Failure") {
			junit.Explain(c.in, &g, failure, "", "")
			f.Message = why + ": " + g.Message
		} else if said := read.Reason(lines); said != "" {
			f.Message = why + ": " + said
		}
	}
	f.Message += failedParts(c.said["#"+number])
	s.Find(l, f)
	c.runs.tell(s, l, number+" "+name)
	return true
}

// cmakeSaid completes the finding of a test that is a CMake script from cmake's error, and reports whether there is
// one.
func cmakeSaid(lines []string, f *result.Finding, why string) bool {
	for i, line := range lines {
		rest, severity, ok := cutCMake(line)
		if !ok || severity != result.SevError || !strings.HasPrefix(rest, " at ") {
			continue
		}
		f.At = cmakePlace(strings.TrimSuffix(strings.TrimPrefix(rest, " at "), ":"))
		f.Message = why + ": " + strings.TrimSpace(lex.FirstOf(lines[i+1:]))
		return true
	}
	return false
}

// ctestReports describes the JUnit reports of ctest, which have the output of a test unchanged, and call a test that
// could not be started skipped.
var ctestReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool {
		return !tag.All && tag.Has("disabled", "skipped", "hostname") && !tag.Has("errors")
	},
	Printed: true,
	NotStarted: func(status, message string) bool {
		return status == "notrun" && message != "" && !strings.HasPrefix(message, "SKIP_") && message != "Disabled"
	},
}
