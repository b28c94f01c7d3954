package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// terser began as a copy of uglify-js and prints the same messages, so one reader serves both.

var _ = Room.Add("terser", func(p *tool.Parser) { minifier(p, "terser", "terser 3 to 5") })
var _ = Room.Add("uglifyjs", func(p *tool.Parser) { minifier(p, "uglify-js", "uglify-js 2 to 3") })

func minifier(p *tool.Parser, name, about string) {
	p.Is(name, result.Build, 1, about)
	p.ColumnUnit = "utf16"
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: minifierLine}.Parse})
}

// minifierLine reads "Parse error at src/a.js:1,10", with a 0-based column, the source below it, and
// "ERROR: Unexpected token: punc (;)".
func minifierLine(s *read.Sink, l tool.Line) bool {
	if where, ok := strings.CutPrefix(l.Text, "Parse error at "); ok {
		i := strings.LastIndexByte(where, ':')
		line, column, two := strings.Cut(where[max(i, 0):], ",")
		if i < 0 || !two || !lex.IsDigits(column) {
			return false
		}
		at := &result.Location{Path: where[:i], Line: lex.Atoi(strings.TrimPrefix(line, ":")), Column: lex.Atoi(column) + 1}
		return s.Find(l, result.Finding{Kind: result.BuildError, Message: "Parse error", At: at})
	}
	message, ok := lex.CutAnyPrefix(l.Text, "ERROR: ", "error: ")
	f := s.Last()
	switch {
	case ok && f != nil && f.Message == "Parse error":
		f.Message = message
		return s.More(l)
	case ok:
		return s.Misuse(l, message)
	case f != nil:
		return s.More(l)
	}
	return false
}
