package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("electron-builder", func(p *tool.Parser) {
	p.Is("electron-builder", result.Build, 1, "electron-builder 24 to 26: what ended a build")
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*electronBuilder).line)})
})

// electronBuilder reads "  ⨯ text  failedTask=build stackTrace=…", and a list of mistakes in the configuration,
// " - configuration has an unknown property 'file'". The stack repeats the list.
type electronBuilder struct{ stack bool }

func (e *electronBuilder) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	said, ok := strings.CutPrefix(text, "⨯ ")
	before, _, stack := strings.Cut(text, "failedTask=")
	e.stack = (e.stack || stack) && !strings.HasPrefix(text, "• ")
	f := s.Last()
	switch {
	case ok:
		if stack {
			said = strings.TrimPrefix(before, "⨯ ")
		}
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimSpace(said)})
	case strings.HasPrefix(text, "• "), f == nil:
		s.Break()
		return false
	case !e.stack && strings.HasPrefix(text, "- "):
		f.Message += "; " + strings.TrimSuffix(text[2:], ":")
	}
	return s.More(l)
}
