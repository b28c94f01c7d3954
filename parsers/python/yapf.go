package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yapf | yapf3", func(p *tool.Parser) {
	p.Is("yapf", result.Format, 1, "yapf 0.30 to 0.43: --diff, --quiet, files that do not parse")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "diff", Parse: read.Patch{Says: unformatted, Other: yapfLine}.Parse})
	p.Reads(read.PythonTrouble("yapf"))
})

// yapfLine reads "yapf: src/a.py:1:7: invalid syntax" and "yapf: text".
func yapfLine(s *read.Sink, l tool.Line) bool {
	text, ok := strings.CutPrefix(l.Text, "yapf: ")
	if !ok || strings.HasPrefix(text, "error: ") {
		return false
	}
	if at, message, placed := place.Cut(text); placed {
		return s.Find(l, result.Finding{Rule: "invalid-syntax", Message: message, At: &at})
	}
	return s.Misuse(l, text)
}
