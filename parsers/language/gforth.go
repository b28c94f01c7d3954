package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gforth gforth-fast gforth-itc", func(p *tool.Parser) {
	p.Is("gforth", result.Generic, 1, "Gforth 0.7, which exits 0 whatever is wrong with a program on stdin")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*forth).line))})
})

// forth reads an error: the reason, and below it the source line with the faulty word between arrows. An error in a
// program on stdin has no path.
//
//	a.fs:2: Undefined word
//	: f >>>nosuch<<< ;
//	Backtrace:
//	$7FC0A5466A68 throw
type forth struct{ above tool.Line } // the line before

func (c *forth) line(s *read.Sink, l tool.Line) bool {
	above := c.above
	c.above = l
	_, marked, opens := strings.Cut(l.Text, ">>>")
	word, _, closes := strings.Cut(marked, "<<<")
	path, rest, placed := strings.Cut(above.Text, ":")
	number, reason, told := strings.Cut(rest, ": ")
	switch {
	case opens && closes && placed && told && lex.IsDigits(number):
		f := result.Finding{Kind: result.BuildError, Message: reason + ": " + word}
		if path != "" && path[0] != '*' {
			f.At = &result.Location{Path: path, Line: lex.Atoi(number)}
		}
		return s.Find(tool.Line{Start: above.Start, End: l.End, Stream: l.Stream}, f)
	case s.Last() != nil && (strings.HasPrefix(l.Text, "Backtrace:") || strings.HasPrefix(l.Text, "$")):
		return s.More(l)
	}
	s.Break()
	return false
}
