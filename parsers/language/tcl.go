package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tclsh expect | tclsh8.6 tclsh9.0 wish", func(p *tool.Parser) {
	p.Is("tcl", result.Generic, 1, "Tcl 8.5 to 9: errors that nothing caught")
	p.Interprets = tool.Always
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*tclTrace).line)})
})

// tclTrace reads a message and the commands below it, innermost first; the file is named last:
//
//	can't read "nope": no such variable
//	    while executing
//	"expr {$x + $nope}"
//	    (procedure "f" line 1)
//	    (file "a.tcl" line 3)
//
// A line that the script itself writes to stderr looks like a message. A line is taken for a message only if
// "while executing" follows. For a program on stdin, Tcl prints the message alone and runs the next command.
type tclTrace struct{ above tool.Line } // the line before

func (c *tclTrace) line(s *read.Sink, l tool.Line) bool {
	f, t := s.Last(), strings.TrimSpace(l.Text)
	if l.Stream != tool.Stderr || t == "" {
		return f != nil
	}
	if rest, ok := strings.CutPrefix(t, `couldn't read file "`); ok {
		path, why, _ := strings.Cut(rest, `": `)
		return s.Find(l, result.Finding{Kind: result.Panic, Message: why, At: &result.Location{Path: path}})
	}
	if f == nil && t == "while executing" && c.above.Text != "" {
		s.Find(c.above, result.Finding{Kind: result.Panic, Message: strings.TrimSpace(c.above.Text)})
		f = s.Last()
	}
	c.above = l
	if len(s.In.Command().Argv) == 1 && lex.HasAnyPrefix(t, tclSays...) {
		s.Find(l, result.Finding{Kind: result.Panic, Message: t})
		return s.Break()
	}
	if f == nil {
		return false
	}
	if rest, ok := strings.CutPrefix(t, `(file "`); ok && f.At == nil {
		path, line, _ := strings.Cut(rest, `" line `)
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
		s.More(l)
		return s.Break()
	}
	return s.More(l)
}

// tclSays lists how the messages of Tcl's own commands begin.
var tclSays = []string{
	"can't read \"", "can't set \"", "can't unset \"", "invalid command name \"", "wrong # args: ", "divide by zero", "expected integer but got ",
	"expected floating-point number but got ", "invalid bareword \"", "missing close-", "missing \"", "extra characters after close-", "couldn't open \"",
	"can't find package ", "unknown or ambiguous subcommand ", "bad option \"", "can not find channel named ", "list element in ", "missing operand",
}

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("tcltest", result.Test, 1, "tcltest 2: the tests that failed and the counts of each file")
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
