package prose

import (
	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("doc8", func(p *tool.Parser) {
	p.Is("doc8", result.Lint, 1, "doc8 1.x and 2.x")
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.First, Accept: func(d *read.Diagnostic) bool {
		return len(d.Rule) == 4 && d.Rule[0] == 'D'
	}, Other: doc8Line}.Parse})
	p.Reads(read.PythonTrouble("doc8"))
})

// doc8Line reports whether a line belongs to the progress or the summary.
func doc8Line(s *read.Sink, l tool.Line) bool {
	return lex.HasAnyPrefix(l.Text, "Scanning...", "Validating...", "========", "Total ", "Detailed error counts:", "    - doc8.checks.") && s.Sign(l)
}
