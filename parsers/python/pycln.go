package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pycln", func(p *tool.Parser) {
	p.Is("pycln", result.Lint, 1, "pycln 1.x and 2.x: --check, files that do not parse")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 250: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: pyclnLine}.Parse})
	p.Reads(read.PythonTrouble("pycln"))
})

// pyclnLine reads the lines that end in a picture, and the closing line:
//
//	harbor/tide.py:1:0 'import os' would be removed! 🔮
//	harbor/tide.py 2 imports would be removed! 🚀
//	syn/bad.py:1:7 SyntaxError: invalid syntax 'def f(:' ⛔
func pyclnLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	at, message, placed := place.Cut(text)
	message = strings.TrimRight(message, " 🔮🚀⛔✨🧹")
	switch {
	case placed && strings.HasPrefix(message, "SyntaxError: "):
		return s.Find(l, result.Finding{Rule: "SyntaxError", Message: strings.TrimPrefix(message, "SyntaxError: "), At: &at})
	case placed && strings.HasPrefix(message, "'") && strings.HasSuffix(message, "!"):
		return s.Find(l, result.Finding{Rule: "unused-import", Message: strings.TrimSuffix(message, "!"), At: &at, Fixable: true})
	case strings.HasPrefix(text, "No Path provided. Nothing to do"):
		return s.Misuse(l, "No Path provided. Nothing to do")
	case strings.Contains(text, " would be removed! "), strings.HasPrefix(text, "All done! "), strings.HasPrefix(text, "Oh no, there was an error!"), strings.Contains(text, "left unchanged."):
		return s.Sign(l)
	}
	return false
}
