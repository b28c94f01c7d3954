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

// graphql-inspector lists the changes that diff finds, and of validate each document's messages.
var _ = Room.Add("graphql-inspector", func(p *tool.Parser) {
	p.Is("graphql-inspector", result.Lint, 1, "graphql-inspector 6: diff and validate")
	graded := func(f *result.Finding) {
		if strings.Contains(f.Message, " is deprecated. ") {
			f.Severity = result.SevWarning
		}
	}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "[log] ✖  {message}", As: read.Error}, {Form: "[log] ⚠  {message}", As: read.Warning}, {Form: "[log] ✔  {}", As: read.Skip},
		{Form: "[log] in {path}:", As: read.InPath}, {Form: "[log]  - {message}", Fit: graded}, {Form: " - {message}", Fit: graded},
		{Form: "[error] Detected {#error} breaking change{}", As: read.Close}, {Form: "[error] {message}"},
	}, Below: func(s *read.Sink, l tool.Line) bool {
		if f, text := s.Last(), strings.TrimSpace(l.Text); strings.HasSuffix(f.Message, ":") && text != "" {
			f.Message += " " + text
		}
		return l.Text != "" && !strings.HasPrefix(l.Text, "[")
	}}.Parse})
})
