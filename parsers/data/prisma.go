package data

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("prisma", func(p *tool.Parser) {
	p.Is("prisma", result.Pipeline, 2, "Prisma 4 to 7: validate, format, generate, migrate, db")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Error: Prisma schema validation"}, Named: true, Parse: read.IfFound(read.Fresh(func(r *prisma) read.Text {
		return read.Text{Line: r.line, Usage: []string{"! Unknown command ", "! unknown or unexpected option: "}}
	}))})
})

// prisma keeps the code that is printed above the errors of a schema.
type prisma struct{ code string }

// line reads an error with its code and its place:
//
//	Error code: P1012
//	error: Type "B" is neither a built-in type, nor refers to another model.
//	  -->  schema.prisma:6
//
//	Error: P1001: Can't reach database server at `localhost:5432`
func (p *prisma) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, ok := strings.CutPrefix(text, "error: ")
	if !ok {
		if message, ok = strings.CutPrefix(text, "Error: "); ok && strings.HasPrefix(message, "Prisma schema validation") {
			return s.Sign(l)
		}
	}
	at, placed := strings.CutPrefix(text, "-->")
	switch f := s.Last(); {
	case ok:
		f := result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Rule: p.code, Message: message}
		if code, rest, has := strings.Cut(message, ": "); has && len(code) == 5 && code[0] == 'P' && lex.IsDigits(code[1:]) {
			f.Rule, f.Message = code, rest
		}
		return s.Find(l, f)
	case strings.HasPrefix(text, "warning: "):
		return s.Find(l, result.Finding{Severity: result.SevWarning, Message: strings.TrimPrefix(text, "warning: ")})
	case placed && f != nil && f.At == nil:
		path, line, _ := strings.Cut(strings.TrimSpace(at), ":")
		f.At = &result.Location{Path: path}
		if lex.IsDigits(line) && len(line) < 8 {
			f.At.Line = lex.Atoi(line)
		}
		return s.More(l)
	case strings.HasPrefix(text, "! There are unformatted files"):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(text, "! ")})
	case lex.HasAnyPrefix(text, "Prisma schema loaded from ", "Error code: P", "Validation Error Count: "):
		if code, ok := strings.CutPrefix(text, "Error code: "); ok {
			p.code = code
		}
		s.Sign(l)
		return s.Break()
	case f != nil && strings.Contains(text, "|"):
		return s.More(l)
	}
	return false
}
