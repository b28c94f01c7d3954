package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("storybook | sb build-storybook", func(p *tool.Parser) {
	p.Is("storybook", result.Build, 1, "storybook build 8 to 10")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{storybookFails, storybookIndex}, Named: true, Parse: read.Lines((*storybook).line)})
})

const (
	storybookFails = "=> Failed to build the preview"
	storybookIndex = "🚨 Unable to index "
)

// storybook reads storybook's own message about a file of stories that it cannot index. Below
// "=> Failed to build the preview" it repeats what vite prints below "error during build:".
type storybook struct {
	vite
	index bool   // the reason why the last file was not indexed follows
	addon string // the last line about an addon that could not be resolved; it is printed several times
}

func (b *storybook) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	path, indexed := strings.CutPrefix(text, storybookIndex)
	switch {
	case text == storybookFails:
		b.failed, b.waits, b.stream = true, true, l.Stream
		s.Break()
		return s.Sign(l)
	case indexed:
		b.index, b.failed, b.stream = true, true, l.Stream
		s.Sign(l)
		return s.Find(l, result.Finding{Kind: result.BuildError, At: &result.Location{Path: strings.TrimSuffix(path, ":")}, Message: text})
	case b.index && s.Last() != nil:
		b.index = false
		f := s.Last()
		f.Message = "Unable to index: " + strings.TrimPrefix(text, "Error: ")
		if _, where, ok := strings.Cut(text, " (line "); ok {
			f.At.Line = lex.LeadingNumber(where)
		}
		return s.More(l)
	case strings.HasPrefix(text, "Could not resolve addon ") && text == b.addon:
		s.Cover(l)
		return true
	case strings.HasPrefix(text, "Could not resolve addon "):
		b.addon = strings.Clone(text)
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevWarning, Message: text}) && s.Break()
	case strings.HasPrefix(text, "Error: Unable to index "): // the same error again, with its stack
		s.Break()
		s.Cover(l)
		return true
	}
	return b.vite.line(s, l)
}
