package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("mdformat", func(p *tool.Parser) {
	p.Is("mdformat", result.Format, 1, "mdformat 0.7 to 1.0: --check")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: mdformatLine}.Parse})
	p.Reads(read.PythonTrouble("mdformat"))
})

// mdformatLine reads `Error: File "a.md" is not formatted.`, and "Error: Could not
// format a.md".
func mdformatLine(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "Error: ")
	if !ok {
		return false
	}
	path, quoted := strings.CutPrefix(message, `File "`)
	path, ends := strings.CutSuffix(path, `" is not formatted.`)
	if quoted && ends {
		return s.Find(l, result.Finding{Rule: "unformatted", Message: "is not formatted", At: &result.Location{Path: path}, Fixable: true})
	}
	return s.Find(l, result.Finding{Message: message, At: place.InSentence(message)})
}
