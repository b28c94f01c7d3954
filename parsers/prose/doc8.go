package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doc8", func() *tool.Parser {
	return &tool.Parser{
		Tool: "doc8", Kind: result.Lint, Version: 1,
		About: "doc8 1.x and 2.x",
		Formats: []tool.Format{{Name: "text", Parse: read.Linter{Rule: read.First, Accept: func(d *read.Diagnostic) bool {
			return len(d.Rule) == 4 && d.Rule[0] == 'D'
		}, Other: doc8Line}.Parse}, read.PythonTrouble("doc8")},
	}
})

// doc8Line takes the summary.
func doc8Line(s *read.Sink, l tool.Line) bool {
	for _, head := range [...]string{"Scanning...", "Validating...", "========", "Total ", "Detailed error counts:", "    - doc8.checks."} {
		if strings.HasPrefix(l.Text, head) {
			return s.Sign(l)
		}
	}
	return false
}
