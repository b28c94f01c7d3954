package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("babel", func(p *tool.Parser) {
	p.Is("babel", result.Build, 1, "babel 7 and 8 on the command line")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: babelLine}.Parse})
})

// babelLine reads "SyntaxError: /src/a.js: Unexpected token (1:10)", an excerpt and
// babel's own stack; and "error: unknown option '--nope'".
func babelLine(s *read.Sink, l tool.Line) bool {
	class, message := jserror.CutClass(l.Text)
	at, text, placed := jserror.CutSyntax(message)
	switch {
	case s.Last() != nil:
		return s.More(l)
	case placed:
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: text, At: &at})
	case strings.HasPrefix(l.Text, "Error: "), class != "":
		return s.Find(l, result.Finding{Kind: result.BuildError, Rule: class, Message: message})
	case strings.HasPrefix(l.Text, "error: "):
		return s.Misuse(l, l.Text[len("error: "):])
	case l.Text == "babel:":
		s.Path = l.Text
		return true
	case s.Path != "" && strings.HasPrefix(l.Text, "  "):
		return s.Misuse(l, strings.TrimSpace(l.Text))
	}
	return false
}
