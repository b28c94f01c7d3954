package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("spring-boot", result.Generic, 1, "Spring Boot 1.4 to 4: why an application did not start")
	p.Matches = func([]string) bool { return false }
	p.Reads(tool.Format{Name: "text", Starts: []string{"APPLICATION FAILED TO START"}, Parse: read.Fresh(func(b *springBoot) read.Text { return read.Text{Line: b.line} })})
})

// springBoot reads the report of a failure analyzer:
//
//	APPLICATION FAILED TO START
//	***************************
//
//	Description:
//
//	Web server failed to start. Port 8080 was already in use.
//
//	Action:
//
//	Identify and stop the process that's listening on port 8080 …
type springBoot struct {
	part string // "Description" or "Action"; "" outside of both
	help string // the action so far
	said bool   // a line of text of the part was read
}

func (b *springBoot) line(s *read.Sink, l tool.Line) bool {
	text, f := strings.TrimSpace(l.Text), s.Last()
	switch {
	case text == "APPLICATION FAILED TO START":
		*b = springBoot{}
		return s.Find(l, result.Finding{Kind: result.Panic})
	case f == nil:
		return false
	case text == "Description:" && f.Message == "", text == "Action:" && b.part == "Description":
		b.part, b.said = strings.TrimSuffix(text, ":"), false
	case text == "" && b.part == "Action" && b.said:
		b.part = ""
		return s.Break()
	case text == "" || strings.Trim(text, "*") == "":
	case b.part == "Description":
		f.Message, b.said = lex.Clip(strings.TrimPrefix(f.Message+" "+text, " ")), true
	case b.part == "Action":
		b.help, b.said = lex.Clip(strings.TrimPrefix(b.help+" "+text, " ")), true
		f.Suggestions = []string{b.help}
	default:
		return s.Break() && false
	}
	s.More(l)
	return true
}
