package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("codespell", func(p *tool.Parser) {
	p.Is("codespell", result.Lint, 1, "codespell 2.0 to 2.4: default, --enable-colors, -C, --summary, -w")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 64: result.MeansUsage, 78: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{
		Accept: func(d *read.Diagnostic) bool {
			d.Rule = "misspelling"
			return strings.Contains(d.Message, " ==> ")
		},
		Other: codespellTrouble,
	}.Parse})
	p.Reads(read.PythonTrouble("codespell"))
})

// codespellTrouble reads "ERROR: cannot find dictionary file: nope.txt".
func codespellTrouble(s *read.Sink, l tool.Line) bool {
	why, ok := strings.CutPrefix(l.Text, "ERROR: ")
	return ok && l.Stream == tool.Stderr && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: why})
}
