package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("drizzle-kit", func(p *tool.Parser) {
	p.Is("drizzle-kit", result.Pipeline, 1, "drizzle-kit 0.2x and 0.3x: its configuration, its schema; what a database refuses it does not print")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Fresh(func(r *drizzle) read.Text {
		return read.Text{Line: r.line, Usage: []string{"Unknown command: ", "Unrecognized options for command "}}
	}))})
})

type drizzle struct {
	thrown
	zod bool // inside the list of configuration problems, which is JSON
}

// line reads "Error  text", whose message continues on the lines below, and problems of the configuration:
//
//	_ZodError: [
//	    "message": "Invalid enum value. Expected 'postgresql' | …"
//	]
//
//	Error  Please provide required params:
//	    [x] schema: undefined
func (d *drizzle) line(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "Error  ")
	invalid, told := strings.CutPrefix(strings.TrimSpace(l.Text), `"message": "`)
	missing, lacks := strings.CutPrefix(strings.TrimSpace(l.Text), "[x] ")
	at, wrong, placed := place.Cut(l.Text)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "_ZodError: [") || strings.HasPrefix(l.Text, "ZodError: ["):
		d.zod = true
	case d.zod && l.Text == "]":
		d.zod = false
	case d.zod && told:
		s.Misuse(l, strings.TrimSuffix(strings.TrimSuffix(invalid, ","), `"`))
	case d.zod:
	case failed && f != nil:
		s.More(l)
	case failed:
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
	case lacks && f != nil:
		s.More(l)
		name, _, _ := strings.Cut(missing, ":")
		f.Message += " " + name
	case strings.HasSuffix(l.Text, " file does not exist"):
		s.Misuse(l, l.Text)
	case placed && strings.HasPrefix(wrong, "ERROR: "):
		s.Find(l, result.Finding{At: &at, Message: strings.TrimPrefix(wrong, "ERROR: ")})
	case lex.HasAnyPrefix(l.Text, "Expected ", "Unexpected ") && strings.Contains(l.Text, " JSON "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: l.Text})
	default:
		return d.thrown.line(s, l)
	}
	return true
}
