package ruby

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("test-unit testrb", func(p *tool.Parser) {
	p.Is("test-unit", result.Test, 2, "test-unit 3: the console runner")
	p.Filter = tool.Filter{Flag: "-n", Spell: func(f *result.Finding) string { return f.Name }}
	p.Reads(tool.Format{Name: "text", Starts: testUnitStarts, Sniff: func(line string) bool { return isTestUnit(line) || strings.HasPrefix(line, "Loaded suite ") }, Parse: read.Fresh(func(t *testUnit) read.Text { return read.Text{Line: t.line, Turn: t.flush, End: t.flush, Closes: true} })})
})

// testUnitStarts begin the first line and the tally: "5 tests, 2 assertions, 1 failures, …".
var testUnitStarts = []string{
	"Loaded suite ", "0… tests, ", "1… tests, ", "2… tests, ", "3… tests, ", "4… tests, ", "5… tests, ", "6… tests, ", "7… tests, ", "8… tests, ", "9… tests, ",
}

// isTestUnit recognizes the tally by its "notifications", which no other runner counts.
func isTestUnit(line string) bool {
	n, rest, _ := strings.Cut(line, " ")
	return lex.IsDigits(n) && strings.HasPrefix(rest, "tests, ") && strings.Contains(rest, " omissions, ") && strings.HasSuffix(rest, " notifications")
}

// testUnit reads blocks between double rules:
//
//	Failure: test_total(CartTest)
//	test/cart_test.rb:3:in `test_total'
//	  => 3:   def test_total; assert_equal 4, 3; end
//	<4> expected but was
//	<3>
type testUnit struct {
	said   []string
	frames []result.Location
}

func (t *testUnit) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "====") && strings.Trim(text, "=") == "":
		t.flush(s)
	case isTestUnit(text):
		t.flush(s)
		testUnitTally(s, l, text)
	case s.Last() == nil && lex.HasAnyPrefix(text, "Failure: ", "Error: "):
		t.begin(s, l, text)
	case s.Last() != nil:
		t.below(l.Text, text)
		s.More(l)
	default:
		return strings.HasPrefix(text, "Loaded suite ") || text == "Started"
	}
	return true
}

// begin takes "Failure: test_total(CartTest): message" and "Error: test_b(CartTest): RuntimeError: boom".
func (t *testUnit) begin(s *read.Sink, l tool.Line, text string) {
	word, rest, _ := strings.Cut(text, ": ")
	name, message, _ := strings.Cut(rest, "):")
	name = strings.TrimSuffix(name, ")")
	i := strings.LastIndexByte(name, '(')
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(word == "Error"), RawSeverity: word}
	if class, why, _ := strings.Cut(rest, ": "); i < 1 && isClass(class) { // of its startup or shutdown
		f.ID, message = class, why
	} else if i < 1 {
		return
	} else {
		f.ID, f.Name = name[i+1:]+"#"+name[:i], name[:i]
	}
	s.Find(l, f)
	if message = strings.TrimSpace(message); message != "" {
		t.said = append(t.said, message)
	}
}

// below reads a line of a block: a frame, source, or the assertion's message.
func (t *testUnit) below(line, text string) {
	at, framed := frame.Ruby(text)
	number, _, numbered := strings.Cut(strings.TrimPrefix(text, "=> "), ":")
	switch {
	case framed:
		t.frames = append(t.frames, at)
	case numbered && lex.IsDigits(number) && strings.HasPrefix(line, " "), len(t.said) > 60:
	default:
		t.said = append(t.said, strings.Clone(text))
	}
}

// flush gives the last failure its message, values and place from the lines read below it.
func (t *testUnit) flush(s *read.Sink) {
	f := s.Last()
	said := lex.TrimBlankLines(t.said)
	frames := t.frames
	t.said, t.frames = nil, nil
	if s.Break(); f == nil {
		return
	}
	read.Locate(s.In, f, frames)
	f.Detail = strings.Join(said, "\n")
	if f.Message = lex.FirstOf(said); f.Message == "" {
		f.Message = "failed"
	}
	if class, message, ok := strings.Cut(f.Message, ": "); ok && isClass(class) && f.Severity == result.SevError {
		f.Rule, f.Message = class, message
	}
	for i, line := range said {
		expected, ok := strings.CutSuffix(line, "> expected but was")
		if ok && i+1 < len(said) && strings.HasPrefix(expected, "<") {
			f.Expected, f.Actual = expected[1:], strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(said[i+1], "<"), "."), ">")
			f.Message = line + " " + said[i+1]
			break
		}
	}
}

func testUnitTally(s *read.Sink, l tool.Line, text string) {
	c := read.Counts(text)
	s.Sum(l, c["tests"], c["failures"], c["errors"], c["pendings"]+c["omissions"])
	s.Tested, s.NoTests = c["tests"] > 0, c["tests"] == 0
}

// minitestRows reads the rows of -v: the name is printed before the test runs, its duration and outcome after. The
// test may print between the two.
//
//	LedgerTest#test_adds = 0.00 s = .
//	LedgerTest#test_loud = what the test printed
//	0.01 s = F
//
// If the "Run options:" line has no -v, minitest prints no rows, and lines that look like rows come from tests.
type minitestRows struct {
	open  string        // the test that runs, or ""
	from  int64         // the offset of the line with that name, in bytes
	quiet bool          // minitest prints no rows
	bad   []minitestBad // the rows of tests that failed
}

// minitestBad is the row of a failed test. The reason is in the list of failures at the end.
type minitestBad struct {
	line tool.Line
	test tool.Test
}

// other reads a line outside of the failures.
func (r *minitestRows) other(s *read.Sink, l tool.Line) bool {
	if options, ok := cutRunOptions(l.Text); ok {
		r.quiet = !slices.ContainsFunc(strings.Fields(options), isVerbose)
	}
	return !r.quiet && r.line(s, l) || minitestOther(s, l)
}

// cutRunOptions reads "Run options: -v --seed 9890" and "Started with run options -v", of minitest-reporters.
func cutRunOptions(text string) (options string, ok bool) {
	if options, ok = strings.CutPrefix(text, "Run options: "); ok {
		return options, true
	}
	_, options, ok = strings.Cut(text, " with run options ")
	return options, ok && lex.HasAnyPrefix(text, "Started ", "# Running tests ")
}

// isVerbose recognizes "-v", "-sv" and "--verbose".
func isVerbose(arg string) bool {
	return arg == "--verbose" || len(arg) > 1 && arg[0] == '-' && arg[1] != '-' && strings.Contains(arg, "v")
}

// end adds the failed tests of the rows if the list of failures is missing, because a test ended the program or the
// output is cut short. If the counts were printed before that, they count fewer failures than there are rows.
func (r *minitestRows) end(s *read.Sink) {
	if s.Closed() && len(r.bad) <= s.Counts["failed"]+s.Counts["error"] {
		return
	}
	for _, b := range r.bad {
		if slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == b.test.ID }) {
			continue
		}
		f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(b.test.Outcome == tool.Errored), ID: b.test.ID, Message: tool.Untold}
		s.Find(b.line, f)
		s.Break()
	}
}

func (r *minitestRows) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	head, took, came, ended := cutMinitestEnd(text)
	if !ended {
		if id, _, ok := cutMinitestHead(text); ok {
			r.begin(s, l, id)
		}
		return false
	}
	id, printed, ok := cutMinitestHead(head)
	switch {
	case ok && printed == "":
		r.begin(s, l, id)
	case ok:
		if _, _, two := cutMinitestHead(printed); two {
			s.Unread("tests that run at once are not told apart")
			r.open = ""
			return true
		}
		r.begin(s, l, id)
	case r.open == "":
		return false
	}
	one := tool.Test{ID: r.open, Outcome: came}
	one.DurationMS, _ = lex.Millis(took)
	s.Ran(one)
	if came.Bad() && len(r.bad) < s.Most() {
		one.ID, l.Start = strings.Clone(one.ID), r.from
		r.bad = append(r.bad, minitestBad{l, one})
	}
	r.open = ""
	return true
}

// begin keeps the name of a test that starts. If the test before has no verdict yet, two tests run at once, and the
// next verdict may belong to either.
func (r *minitestRows) begin(s *read.Sink, l tool.Line, id string) {
	if r.open != "" {
		s.Unread("the verdict of " + r.open + " is not told")
	}
	r.open, r.from = id, l.Start
}

// cutMinitestEnd reads "… 0.01 s = F".
func cutMinitestEnd(text string) (head, took string, came read.Outcome, ok bool) {
	end := strings.LastIndex(text, " s = ")
	if end < 0 || len(text) != end+len(" s = ")+1 {
		return "", "", "", false
	}
	head, mark := text[:end], text[len(text)-1]
	i := len(head)
	for i > 0 && (head[i-1] >= '0' && head[i-1] <= '9' || head[i-1] == '.') {
		i--
	}
	took = head[i:]
	if took == "" {
		return "", "", "", false
	}
	came = map[byte]read.Outcome{'.': tool.Passed, 'F': tool.Failed, 'E': tool.Errored, 'S': tool.Skipped}[mark]
	return head[:i], took, came, came != ""
}

// cutMinitestHead reads "LedgerTest#test_adds = ", and what the test printed behind it.
func cutMinitestHead(text string) (id, printed string, ok bool) {
	i := strings.Index(text, minitestMark)
	if i <= 0 {
		return "", "", false
	}
	if all, whole := strings.CutSuffix(text, " = "); whole && strings.LastIndex(text, minitestMark) == i {
		return all, "", true // the name may contain " = "
	}
	name, printed, ok := strings.Cut(text[i:], " = ")
	return text[:i] + name, printed, ok
}

const minitestMark = "#test_"
