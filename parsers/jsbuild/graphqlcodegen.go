package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("graphql-codegen | gql-gen", func(p *tool.Parser) {
	p.Is("graphql-codegen", result.Build, 1, "graphql-codegen 2 to 7")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: codegenLine}.Parse})
})

// codegenLine reads "✖ Generate [FAILED: text", a message that continues below until "]", and for documents that do
// not fit the schema "Error 0: text", with the place behind "at ". With --verbose, "[FAILED] " begins each of these
// lines.
func codegenLine(s *read.Sink, l tool.Line) bool {
	text, failed := strings.CutPrefix(strings.TrimSpace(l.Text), "[FAILED] ")
	if failed && s.Last() == nil {
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: text})
	}
	if _, message, ok := strings.Cut(text, " [FAILED: "); ok && lex.HasAnyPrefix(text, "✖ ", "× ") {
		s.Sign(l)
		if s.Path = ""; !strings.HasSuffix(message, " errors;") {
			s.Find(l, result.Finding{Kind: result.BuildError, Message: strings.TrimRight(message, "]")})
		}
		return true
	}
	number, message, ok := strings.Cut(strings.TrimPrefix(text, "Error "), ": ")
	f := s.Last()
	switch where, at := strings.CutPrefix(text, "at "); {
	case ok && lex.IsDigits(number) && strings.HasPrefix(text, "Error "):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case f == nil:
		return false
	case at && f.At == nil && !strings.Contains(where, " "):
		f.At = place.LastColons(strings.TrimSuffix(where, "]"))
		s.More(l)
	case strings.HasSuffix(f.Message, ":") && text != "":
		f.Message += " " + strings.TrimSuffix(text, "]")
		s.More(l)
	case text == "]" || strings.HasPrefix(text, "❯ ") || strings.HasPrefix(text, "✔ "):
		s.Break()
	default:
		s.More(l)
	}
	return true
}
