package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("scons", func(p *tool.Parser) {
	p.Is("scons", result.Build, 1, "SCons 3 and 4: targets that failed, mistakes in an SConstruct")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"scons: *** "}, Named: true, Parse: read.IfFound(read.Text{Line: sconsLine}.Parse)})
})

// sconsLine reads "scons: *** [x.o] Error 1", and an exception raised by an SConstruct:
//
//	NameError: name 'Env' is not defined:
//	  File "/src/SConstruct", line 1:
//	    env = Env()
func sconsLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "scons: *** ")
	f := s.Last()
	switch {
	case ok && strings.HasPrefix(text, "["):
		target, why, _ := strings.Cut(text[1:], "] ")
		return s.Find(l, result.Finding{Kind: result.BuildError, ID: target, Message: why})
	case ok:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: text})
		s.Meaning = result.MeansUsage
		return true
	case strings.HasPrefix(l.Text, "scons: "):
		return s.Break()
	case f != nil && strings.HasPrefix(strings.TrimSpace(l.Text), `File "`):
		path, number, _ := strings.Cut(strings.TrimSpace(l.Text)[len(`File "`):], `", line `)
		if f.At == nil && !strings.Contains(path, "/SCons/") {
			f.At = &result.Location{Path: path, Line: lex.LeadingNumber(number)}
		}
		return s.More(l)
	case f != nil && strings.HasPrefix(l.Text, "  "):
		return s.More(l)
	}
	class, message, raised := strings.Cut(strings.TrimSuffix(l.Text, ":"), ": ")
	if raised && strings.HasSuffix(class, "Error") && lex.IsIdentifier(class) && strings.HasSuffix(l.Text, ":") {
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	}
	return false
}
