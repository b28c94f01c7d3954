package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("parcel", func(p *tool.Parser) {
	p.Is("parcel", result.Build, 1, "parcel 2")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"🚨 Build failed."}, Parse: read.Text{Line: parcelLine}.Parse})
})

// parcelLine reads "@parcel/core: text" and "  /tmp/src/a.js:1:10" below it.
func parcelLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if message, ok := strings.CutPrefix(l.Text, "@parcel/"); ok {
		rule, message, _ := strings.Cut(message, ": ")
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: "@parcel/" + rule, Message: message})
	}
	if strings.HasPrefix(text, "🚨 Build failed.") {
		return s.Sign(l)
	}
	f := s.Last()
	if f == nil {
		return false
	}
	if at := place.LastColons(text); at != nil && f.At == nil && !frame.IsLibrary(at.Path) {
		f.At = at
	}
	return s.More(l)
}
