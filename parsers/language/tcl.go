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
