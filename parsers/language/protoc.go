package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("protoc", func(p *tool.Parser) {
	p.Is("protoc", result.Build, 1, "protoc 3 to 33: gcc and msvs")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Accept: isProtoc, Other: protocSays}.Parse})
})

func isProtoc(d *read.Diagnostic) bool {
	if column, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "in "), ": "); ok && strings.HasPrefix(column, "column=") {
		d.At.Column, d.Message = lex.Atoi(column[len("column="):]), message
	}
	return strings.HasSuffix(d.At.Path, ".proto")
}

// protocSays reads messages without a line number: "a.proto: text" and "name: text".
func protocSays(s *read.Sink, l tool.Line) bool {
	path, message, ok := strings.Cut(l.Text, ": ")
	switch {
	case l.Stream != tool.Stderr || !ok:
		return false
	case strings.HasSuffix(path, ".proto"):
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: path}})
	default:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: l.Text})
	}
	return true
}
