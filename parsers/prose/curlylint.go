package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// curlylint groups problems by file, as ESLint does; the format compact has one line for each problem.
var _ = Room.Add("curlylint", func(p *tool.Parser) {
	p.Is("curlylint", result.Lint, 1, "curlylint 0.12 and 0.13: stylish, compact, json")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "file_path", Line: "line", Column: "column", Rule: "code", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: curlylintLine}.Parse})
	p.Reads(read.PythonTrouble("curlylint"))
})

// curlylintLine reads a row below its path, "1:1<tab>text<tab>rule".
func curlylintLine(s *read.Sink, l tool.Line) bool {
	cells := strings.Split(l.Text, "\t")
	line, column, ok := strings.Cut(cells[0], ":")
	switch {
	case len(cells) == 3 && ok && lex.IsDigits(line) && lex.IsDigits(column) && len(line)+len(column) < 16 && s.Path != "":
		s.Find(l, result.Finding{Rule: cells[2], Message: cells[1], At: &result.Location{Path: s.Path, Line: lex.Atoi(line), Column: lex.Atoi(column)}})
	case strings.HasSuffix(l.Text, " reported"), strings.HasPrefix(l.Text, "All done! "):
		if n := lex.LeadingNumber(l.Text); n > 0 {
			s.Claim(n)
		}
		s.Sign(l)
	case strings.HasPrefix(l.Text, "Oh no! "):
	default:
		if d, ok := read.CutDiagnostic(l.Text); ok {
			d.Message, d.Rule = read.Parens.Cut(d.Message)
			return s.Find(l, result.Finding{Rule: d.Rule, Message: d.Message, At: &d.At})
		}
		if !strings.ContainsAny(l.Text, " \t") {
			s.Path = strings.Clone(l.Text)
		}
		return false
	}
	return true
}
