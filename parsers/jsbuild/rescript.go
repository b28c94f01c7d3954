package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rescript bsc", func(p *tool.Parser) {
	p.Is("rescript", result.Build, 1, "rescript (bsc) 9 to 12: build")
	p.Reads(tool.Format{Name: "text", Starts: []string{"We've found a bug for you!"}, Named: true, Parse: read.Text{Line: rescriptLine}.Parse})
})

// rescriptLine reads a head, the place, the source in a frame, and the message in a paragraph:
//
//	We've found a bug for you!
//	/home/dev/src/A.res:1:14-16
//
//	1 │ let a: int = "x"
//
//	This has type: string
//	But it's expected to have type: int
func rescriptLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	severity := result.SevError
	if strings.HasPrefix(text, "Warning number ") {
		severity = result.SevWarning
	}
	f := s.Last()
	switch {
	case text == "We've found a bug for you!", text == "Syntax error!", severity == result.SevWarning:
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: severity, Message: text})
	case strings.HasPrefix(text, "Could not initialize build: "):
		s.Misuse(l, text)
		return s.Break()
	case f == nil:
		return false
	case text != "" && l.Text[0] != ' ':
		s.Break()
		return false
	case f.At == nil && text != "":
		if f.At = read.PlaceOf(text); f.At == nil || !strings.Contains(f.At.Path, ".res") {
			s.Break()
			return false
		}
		s.Path = "source"
	case text == "" && s.Path == "message":
		s.Path = ""
	case text == "" || strings.Contains(text, "│"):
	case s.Path == "source":
		s.Path, f.Message = "message", strings.Clone(text)
	case s.Path == "message":
		f.Message += " " + text
	}
	return s.More(l)
}
