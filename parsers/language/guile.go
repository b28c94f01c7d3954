package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("guile | guild", func(p *tool.Parser) {
	p.Is("guile", result.Generic, 1, "GNU Guile 2.2 and 3.0: errors that nothing caught, and what the compiler warns of")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Text{Line: guileLine}.Parse)})
})

// guileLine reads "ERROR: In procedure x:" with the message below it, "In procedure x: message" behind a place in
// Guile's own files ("ice-9/…"), and messages behind a place in the program.
func guileLine(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	at, message, ok := place.Cut(strings.TrimPrefix(l.Text, ";;; "))
	_, why, in := strings.Cut(message, "In procedure ")
	procedure, reason, told := strings.Cut(why, ": ")
	switch {
	case strings.HasPrefix(l.Text, "ERROR: "):
		return s.Find(l, result.Finding{Kind: result.Panic, Message: l.Text[7:]})
	case ok && in && told && strings.HasPrefix(at.Path, "ice-9/"):
		return s.Find(l, result.Finding{Kind: result.Panic, Message: procedure + ": " + reason})
	case ok && in && why == "raise-exception:" && strings.HasPrefix(at.Path, "ice-9/"): // the program is on stdin
		return s.Find(l, result.Finding{Kind: result.Panic, Message: message})
	case ok && strings.HasPrefix(at.Path, "ice-9/"):
		return true
	case ok && message != "" && l.Stream == tool.Stderr && !strings.HasPrefix(l.Text, " "):
		word, rest := read.CutSeverity(message)
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Message: rest, At: &at})
	case f != nil && l.Text != "":
		if strings.HasPrefix(f.Message, "In procedure ") && strings.HasSuffix(f.Message, ":") {
			f.Message = strings.TrimPrefix(l.Text, "In procedure ")
		}
		return s.More(l)
	}
	return false
}
