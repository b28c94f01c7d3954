package jsbuild

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("size-limit", func(p *tool.Parser) {
	p.Is("size-limit", result.Lint, 1, "size-limit 8 to 12: text and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(sizeItem, "/*")}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Package size limit has exceeded by "}, Parse: read.Text{Line: sizeLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: read.Said{Errors: []string{" ERROR  ", "ERROR  "}, End: read.Misused}.Parse})
})

// sizeLine reads a name, whether its limit was exceeded, and sizes:
//
//	src/b.js
//	Package size limit has exceeded by 589 B
//	Size limit: 100 B
//	Size:       689 B brotlied
func sizeLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	key, value, _ := strings.Cut(text, ":")
	switch value = strings.TrimSpace(value); {
	case strings.HasPrefix(text, "Package size limit has exceeded by "):
		s.Find(l, result.Finding{ID: s.Path, Message: text})
	case (key == "Size limit" || key == "Size") && s.Last() != nil:
		if s.More(l); key == "Size" {
			s.Last().Actual = value
		} else {
			s.Last().Expected = value
		}
	case text == "":
		s.Break()
	case s.Path == "" || s.Last() == nil && !strings.Contains(text, ":"):
		s.Path = strings.Clone(text)
	}
	return true
}

// sizeItem reads an entry of the json format, with sizes in bytes.
func sizeItem(s *read.Sink, v *struct {
	Name            string
	Passed          *bool
	Size, SizeLimit int
}) {
	if v.Passed == nil || *v.Passed {
		return
	}
	f := result.Finding{ID: v.Name, Message: fmt.Sprintf("Package size limit has exceeded by %d B", v.Size-v.SizeLimit)}
	f.Expected, f.Actual = fmt.Sprintf("%d B", v.SizeLimit), fmt.Sprintf("%d B", v.Size)
	s.FindHere(f)
}
