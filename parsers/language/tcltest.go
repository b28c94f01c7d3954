package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("tcltest", result.Test, 1, "tcltest 2: the tests that failed and the counts of each file")
	p.Matches = func([]string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"==== Contents of test case:"}, Parse: read.Fresh(func(c *tclTest) read.Text { return read.Text{Line: c.line, Closes: true} })})
})

// tclTest reads failed tests, each from its head to the line that repeats the head:
//
//	==== a-1 adds FAILED
//	---- Result was:
//	2
//	---- Result should have been (exact matching):
//	3
//	==== a-1 FAILED
type tclTest struct {
	name  string
	above string
}

func (c *tclTest) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	title, failed := strings.CutSuffix(strings.TrimPrefix(t, "==== "), " FAILED")
	f := s.Last()
	switch {
	case failed && strings.HasPrefix(t, "==== ") && title == c.name:
		c.name = ""
		s.Break()
	case failed && strings.HasPrefix(t, "==== "):
		var about string
		c.name, about, _ = strings.Cut(title, " ")
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: c.name, Name: c.name, Message: about})
		s.Tested = true
	case strings.Contains(t, ":\tTotal\t"):
		n := read.Counts(strings.Join(swapPairs(strings.Fields(t)), " "))
		s.Claim(n["failed"])
		for _, key := range [...]string{"passed", "failed", "skipped"} {
			s.Count(key, n[key])
		}
		s.Ended(l)
	case c.name == "" || f == nil:
		return false
	default:
		switch {
		case strings.HasPrefix(c.above, "---- Result was"):
			f.Actual = t
		case strings.HasPrefix(c.above, "---- Result should have been"):
			f.Expected = t
		case strings.HasPrefix(t, "---- errorInfo: "):
			f.Message += ": " + t[len("---- errorInfo: "):]
		}
		s.More(l)
	}
	c.above = t
	return true
}

// swapPairs makes "4 Total, 1 Passed," of "a.tcl: Total 4 Passed 1".
func swapPairs(words []string) (out []string) {
	for i := 1; i+1 < len(words); i += 2 {
		out = append(out, words[i+1], words[i]+",")
	}
	return out
}
