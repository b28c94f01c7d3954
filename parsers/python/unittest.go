package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

// What unittest prints, and with it Django's and nose2's runners: a block for
// each test that failed, then the counts.
//
//	======================================================================
//	FAIL: test_fill (tests.test_tank.TankTest.test_fill)
//	Fills up.
//	----------------------------------------------------------------------
//	Traceback (most recent call last):
//	  File "/src/tests/test_tank.py", line 7, in test_fill
//	    self.assertEqual(fill(1, 2), 3)
//	AssertionError: 4 != 3
//
//	----------------------------------------------------------------------
//	Ran 10 tests in 0.004s
//
//	FAILED (failures=6, errors=2, skipped=1)

var unittestText = tool.Format{
	Name:   "text",
	Starts: []string{"Ran … test", "FAIL: …(", "ERROR: …(", "UNEXPECTED SUCCESS: …("},
	Sniff:  func(line string) bool { _, ok := cutUnittestHead(line); return ok || isUnittestEnd(line) },
	Parse:  parseUnittest,
}

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "unittest", Kind: result.Test, Version: 1,
		About:   "unittest of Python 3.8 to 3.14",
		Matches: tool.Runs("unittest"), Programs: []string{"unittest"},
		Exits:   map[int]result.Meaning{2: result.MeansUsage, 5: result.MeansNoTests},
		Files:   []tool.Files{{Flags: []tool.FileFlag{{Flag: "-o", Of: []string{"xmlrunner"}}}}},
		Formats: []tool.Format{unittestText, read.PythonTrouble("unittest")},
	}
})

func parseUnittest(in *tool.Input) *tool.Report {
	u := &unittests{files: place.NewFiles(in.Workspace), bad: map[string]bool{}, ran: -1}
	return read.Text{Line: u.line, End: u.end, Closes: true}.Parse(in)
}

type unittests struct {
	files  *place.Files
	trace  read.Traceback
	stream tool.Stream // that the block is on
	below  []string    // lines behind the exception
	ran    int
	bad    map[string]bool // tests that did not pass, subtests not told apart
}

// rule is the width of the lines between blocks.
const ruleWidth = 70

func isRule(line string, of byte) bool {
	return len(line) == ruleWidth && line[0] == of && strings.Trim(line, string(of)) == ""
}

func isUnittestEnd(line string) bool {
	n, rest, ok := strings.Cut(strings.TrimPrefix(line, "Ran "), " ")
	return ok && strings.HasPrefix(line, "Ran ") && lex.IsDigits(n) && (strings.HasPrefix(rest, "test in ") || strings.HasPrefix(rest, "tests in "))
}

func (u *unittests) line(s *read.Sink, l tool.Line) bool {
	if f, ok := cutUnittestHead(l.Text); ok && (s.Last() == nil || l.Stream == u.stream) {
		u.endBlock(s)
		u.trace, u.stream = read.Traceback{}, l.Stream
		s.Find(l, f)
		u.note(f)
		return true
	}
	switch {
	case isUnittestEnd(l.Text):
		u.endBlock(s)
		s.Sign(l)
		s.Break()
		u.ran = max(u.ran, 0) + lex.LeadingNumber(strings.TrimPrefix(l.Text, "Ran "))
		return true
	case u.ran >= 0 && isVerdict(l.Text):
		u.tally(s, l)
		return true
	case s.Last() == nil || l.Stream != u.stream:
		return isRule(l.Text, '=') || isRule(l.Text, '-')
	case isRule(l.Text, '='):
		u.endBlock(s)
		s.Break()
		return true
	}
	u.inside(s, l)
	return true
}

// note remembers which test it is that did not pass; a class or module that
// could not be set up is none.
func (u *unittests) note(f result.Finding) {
	if !strings.HasPrefix(f.Name, "setUp") && !strings.HasPrefix(f.Name, "tearDown") {
		u.bad[strings.TrimSuffix(f.ID, " "+f.Params)] = true
	}
}

// inside takes a line of a block.
func (u *unittests) inside(s *read.Sink, l tool.Line) {
	f := s.Last()
	s.Cover(l)
	f.RawSpan.End = max(f.RawSpan.End, l.End)
	switch {
	case u.trace.Line(l.Text):
		if u.trace.Whole() {
			t := u.trace.Finding(u.files)
			f.Rule, f.Message, f.At, f.Frames = t.Rule, t.Message, t.At, t.Frames
			u.below = u.below[:0]
		}
	case u.trace.Whole():
		if len(u.below) < 60 {
			u.below = append(u.below, l.Text)
		}
	case f.Message == "" && l.Text != "" && !isRule(l.Text, '-'):
		if class, _, ok := strings.Cut(l.Text, ": "); ok && lex.IsIdentifier(class) && strings.HasSuffix(class, "Error") {
			f.Rule, f.Message = class, l.Text // of a test that could not be loaded
		}
	}
}

// endBlock ends a block: what stood behind the exception is more of its message, as
// a rule the difference of two values.
func (u *unittests) endBlock(s *read.Sink) {
	f := s.Last()
	if f == nil {
		return
	}
	if text := lex.JoinBounded(lex.TrimBlankLines(u.below), 2048); strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "+ ") || strings.Contains(text, "\n- ") || strings.Contains(text, "\n+ ") {
		f.Diff = text
	} else {
		f.Detail = text
	}
	if u.below = u.below[:0]; f.Message == "" {
		f.Message = "failed"
	}
}

// isVerdict: "OK", "OK (skipped=1)", "FAILED (failures=2)", "NO TESTS RAN".
func isVerdict(line string) bool {
	word, _, _ := strings.Cut(line, " (")
	return word == "OK" || word == "FAILED" || word == "NO TESTS RAN"
}

var unittestCounts = map[string]string{
	"failures": "failed", "errors": "error", "skipped": "skipped",
	"expected failures": "xfailed", "unexpected successes": "xpassed",
}

// tally takes the verdict and its counts.
func (u *unittests) tally(s *read.Sink, l tool.Line) {
	_, list, _ := strings.Cut(strings.TrimSuffix(l.Text, ")"), " (")
	claimed, off := 0, len(u.bad)
	for part := range strings.SplitSeq(list, ", ") {
		name, n, _ := strings.Cut(part, "=")
		key := unittestCounts[name]
		if key == "" || !lex.IsDigits(n) {
			continue
		}
		s.Count(key, lex.Atoi(n))
		switch key {
		case "failed", "error", "xpassed":
			claimed += lex.Atoi(n)
		default:
			off += lex.Atoi(n)
		}
	}
	if len(u.bad) == 0 {
		off += claimed // the blocks were cut off, or have another form
	}
	s.Claim(claimed)
	s.Count("passed", max(0, u.ran-off))
	s.Tested = s.Tested || u.ran > 0
	s.NoTests = !s.Tested && claimed == 0
	u.ran = -1
	clear(u.bad)
	s.Close(l)
}

func (u *unittests) end(s *read.Sink) { u.endBlock(s) }
