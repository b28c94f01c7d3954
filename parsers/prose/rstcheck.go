package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rstcheck", func(p *tool.Parser) {
	p.Is("rstcheck", result.Lint, 1, "rstcheck 3 to 6")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Plain: true, Accept: rstcheckItem, Other: func(s *read.Sink, l tool.Line) bool {
		if message, ok := strings.CutPrefix(l.Text, "WARNING:rstcheck_core."); ok {
			_, message, _ = strings.Cut(message, ":")
			return s.Misuse(l, message)
		}
		return strings.HasPrefix(l.Text, "Success! No issues detected.") || strings.HasPrefix(l.Text, "Error! Issues detected.")
	}}.Parse})
	p.Reads(read.PythonTrouble("rstcheck"))
})

// rstcheckItem reads "(WARNING/2) text", where docutils counts the severity too.
func rstcheckItem(d *read.Diagnostic) bool {
	level, message, ok := strings.Cut(strings.TrimPrefix(d.Message, "("), ") ")
	word, _, counted := strings.Cut(level, "/")
	if !ok || !counted || !strings.HasPrefix(d.Message, "(") {
		return false
	}
	d.Word, d.Message = strings.ToLower(word), message
	if d.Word == "severe" {
		d.Word = "error"
	}
	return true
}
