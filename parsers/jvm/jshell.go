package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jshell", func(p *tool.Parser) {
	p.Is("jshell", result.Generic, 1, "jshell 9 to 25, which exits 0 whatever is wrong with the code that it is given")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*jshell).line))})
})

// jshell reads an error, whose message is on the next line, and an exception. If the code comes
// from stdin, a prompt and a bar begin the line.
//
//	jshell>  |  Error:
//	|  incompatible types: java.lang.String cannot be converted to int
//	|  int x = "s";
//	|          ^-^
type jshell struct{ head string }

func (j *jshell) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	for strings.HasPrefix(t, "jshell>") || strings.HasPrefix(t, "...>") {
		_, t, _ = strings.Cut(t, ">")
		t = strings.TrimSpace(t)
	}
	t, barred := strings.CutPrefix(t, "|")
	t = strings.TrimSpace(t)
	thrown, exception := strings.CutPrefix(t, "Exception ")
	switch class, why, _ := strings.Cut(thrown, ": "); {
	case t == "Error:" || t == "Warning:":
		j.head = strings.ToLower(strings.TrimSuffix(t, ":"))
	case j.head != "":
		s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(j.head), RawSeverity: j.head, Message: t})
		j.head = ""
	case exception && strings.Contains(class, ".") && !strings.Contains(class, " "):
		s.Find(l, result.Finding{Kind: result.Panic, Rule: class, Message: class[strings.LastIndexByte(class, '.')+1:] + ": " + why})
	case strings.HasPrefix(t, "File '") && strings.HasSuffix(t, " is not found."):
		s.Misuse(l, t)
	case s.Last() != nil && t != "" && (barred || t[0] == '^' || strings.HasPrefix(t, "at (") || strings.HasPrefix(t, "symbol:")):
		if symbol, ok := strings.CutPrefix(t, "symbol:"); ok {
			s.Last().Message += ": " + strings.TrimSpace(symbol)
		}
		s.More(l)
	default:
		s.Break()
		return false
	}
	return true
}
