package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("bundlewatch bundlesize", func(p *tool.Parser) {
	p.Is("bundlewatch", result.Generic, 1, "bundlewatch 0.2 to 0.4, bundlesize 0.18")
	p.Reads(tool.Format{Name: "text", Starts: []string{"bundlewatch FAIL", "bundlewatch PASS"}, Parse: read.Text{Line: bundlewatchLine}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: bundlewatchLine}.Parse})
})

// bundlewatchLine reads "FAIL dist/a.js: 4.14KB > 1KB (gzip)", "ERROR F: text" of a
// file that is not there, and "[FATAL] text".
func bundlewatchLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, rest, _ := strings.Cut(text, " ")
	path, told, ok := strings.Cut(strings.TrimSpace(rest), ": ")
	got, limit, over := strings.Cut(told, " > ")
	switch {
	case strings.HasPrefix(text, "bundlewatch FAIL"), strings.HasPrefix(text, "bundlewatch PASS"):
		s.Close(l)
	case word == "FAIL" && ok && over:
		limit = strings.TrimPrefix(limit, "maxSize ")
		s.Find(l, result.Finding{ID: path, Message: "larger than " + limit, Expected: limit, Actual: got})
	case word == "ERROR" && ok:
		s.Find(l, result.Finding{ID: path, Message: told})
	case word == "[FATAL]":
		s.Misuse(l, strings.TrimSuffix(rest, "}"))
	default:
		return false
	}
	return s.Break()
}
