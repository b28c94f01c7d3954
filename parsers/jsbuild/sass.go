package jsbuild

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sass", func(p *tool.Parser) {
	p.Is("sass", result.Build, 1, "dart-sass 1.x")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{64: result.MeansUsage, 66: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: sassLine}.Parse})
})

// sassLine reads "Error: Undefined variable.", an excerpt, and the place with what sass was doing there:
// "  src/a.scss 1:13  root stylesheet".
func sassLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, bad := strings.CutPrefix(l.Text, "Error: ")
	switch {
	case bad:
		s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
	case lex.HasAnyPrefix(l.Text, "Error reading ", "Could not find an option", "Positional arguments"):
		s.Misuse(l, l.Text)
		s.Break()
	case lex.HasAnyPrefix(l.Text, "WARNING: ", "DEPRECATION WARNING"):
		s.Find(l, result.Finding{Severity: result.SevWarning, Message: l.Text})
	case s.Last() == nil:
		return s.Meaning == result.MeansUsage
	default:
		path, rest, _ := strings.Cut(text, " ")
		where, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if at := place.LastColons(path + ":" + where); at != nil && at.Column > 0 && s.Last().At == nil {
			s.Last().At = at
		}
		s.More(l)
	}
	return true
}
