package ruby

import (
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
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: word}
	if class, why, _ := strings.Cut(rest, ": "); i < 1 && isClass(class) { // of its startup or shutdown
		f.ID, message = class, why
	} else if i < 1 {
		return
	} else {
		f.ID, f.Name = name[i+1:]+"#"+name[:i], name[:i]
	}
	if word == "Error" {
		f.Severity = result.SevError
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
