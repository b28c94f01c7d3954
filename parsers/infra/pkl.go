package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pkl | jpkl", func(p *tool.Parser) {
	p.Is("pkl", result.Build, 1, "pkl 0.25 to 0.29: eval, and what a module's test says fails")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*pklError).line))})
})

// pklError reads the message below the head "–– Pkl Error ––", and the first place below the message:
//
//	–– Pkl Error ––
//	Expected value of type `Int`, but got type `String`.
//
//	1 | x: Int = "a"
//	       ^^^
//	at a#x (file:///home/dev/a.pkl, line 1)
type pklError struct{ head bool }

func (p *pklError) line(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	switch {
	case l.Text == "–– Pkl Error ––":
		p.head = true
		return s.Break()
	case p.head && l.Text != "":
		p.head = false
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	case f == nil:
		return false
	}
	if _, where, ok := strings.Cut(l.Text, " (file://"); ok && f.At == nil && strings.HasPrefix(l.Text, "at ") {
		path, line, _ := strings.Cut(where, ", line ")
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
	}
	return s.More(l)
}
