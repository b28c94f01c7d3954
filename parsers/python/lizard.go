package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("lizard", func() *tool.Parser {
	return &tool.Parser{
		Tool: "lizard", Kind: result.Lint, Version: 1,
		About: "lizard 1.1x: default, -w, --csv, --xml, --html, --checkstyle",
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "text", Parse: read.Lines((*lizard).line)},
			{Name: "csv", Parse: read.Text{Line: lizardCSV}.Parse},
			{Name: "xml", Parse: read.IfFound(read.Lines((*lizardXML).line))},
			{Name: "html", Parse: read.IfFound(read.Lines((*lizardPage).line))},
			{Name: "checkstyle", Parse: read.Checkstyle(lizardStyle)},
			read.PythonTrouble("lizard"),
		},
	}
})

type lizard struct{ warnings bool }

// line reads the rows below "!!!! Warnings (…)", "20 12 80 1 20 high@5-24@src/a.py",
// and with -w "src/a.py:5: warning: high has 20 NLOC, 12 CCN, …".
func (p *lizard) line(s *read.Sink, l tool.Line) bool {
	if d, ok := read.CutDiagnostic(l.Text); ok && strings.Contains(d.Message, " NLOC, ") {
		name, _, _ := strings.Cut(d.Message, " has ")
		return s.Find(l, result.Finding{Severity: result.SevWarning, ID: name, Rule: "complexity", Message: strings.TrimPrefix(d.Message, name+" has "), At: &d.At})
	}
	p.warnings = (p.warnings || strings.HasPrefix(l.Text, "!!!! Warnings (")) && !strings.HasPrefix(l.Text, "Total nloc")
	cells := strings.Fields(l.Text)
	if !p.warnings || len(cells) < 6 || !lex.IsDigits(cells[0]) || !lex.IsDigits(cells[4]) {
		return p.warnings
	}
	parts := strings.SplitN(strings.Join(cells[5:], " "), "@", 3)
	return len(parts) == 3 && s.Find(l, lizardFunction(result.SevWarning, cells, parts[0], parts[2], lex.LeadingNumber(parts[1])))
}
