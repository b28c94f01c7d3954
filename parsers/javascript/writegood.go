package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("write-good writegood", func(p *tool.Parser) {
	p.Is("write-good", result.Lint, 1, "write-good 1.0: default and --parse; its exit code is the number of suggestions")
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: writeGoodLine}.Parse})
	p.Reads(tool.Format{Name: "parse", Parse: read.Linter{Default: result.SevWarning, Plain: true, Accept: writeGoodColumn}.Parse})
})

// writeGoodLine reads "In notes.md", and of each suggestion the line
// `"very" is a weasel word on line 3 at column 71`, whose columns count from 0.
func writeGoodLine(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutPrefix(l.Text, "In "); ok && !strings.Contains(path, " ") {
		s.Path = strings.Clone(path)
		return false
	}
	i := strings.LastIndex(l.Text, " on line ")
	if i < 0 || l.Text[0] != '"' || s.Path == "" {
		return false
	}
	line, column, ok := strings.Cut(l.Text[i+len(" on line "):], " at column ")
	if !ok || !lex.IsDigits(line) || !lex.IsDigits(column) {
		return false
	}
	return s.Find(l, result.Finding{Severity: result.SevWarning, Message: l.Text[:i], At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column) + 1}})
}

// writeGoodColumn counts columns from 1.
func writeGoodColumn(d *read.Diagnostic) bool {
	d.At.Column++
	return true
}
