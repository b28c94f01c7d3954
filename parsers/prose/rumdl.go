package prose

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rumdl", func(p *tool.Parser) {
	p.Is("rumdl", result.Lint, 1, "rumdl 0.x: text, full, concise, grouped, pylint, json, json-lines, gitlab, sarif; github, azure and junit are anyone's")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*", ""}, Path: "file", Line: "line", Column: "column", Rule: "rule", Message: "message", Severity: "severity", Fixable: "fixable",
	}.Parse})
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(nil)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "text", Named: true, Parse: read.Fresh(func(r *rumdl) read.Text { return read.Text{Line: r.line, Usage: []string{"Config error: ", "error: "}} })})
})

// rumdl reads three formats: a finding on each line; rule and message above a frame; rows below the file and the rule:
//
//	a.md:3:1: [MD012] Multiple consecutive blank lines between content [*]
//
//	MD012 Multiple consecutive blank lines between content [*]
//	 --> a.md:3:1
//
//	a.md:
//	  MD012:
//	    3:1 Multiple consecutive blank lines between content (fixable)
type rumdl struct {
	path, rule string
	head       tool.Line // the line with rule and message above a frame; the place is in the frame
}

func (r *rumdl) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	if where, framed := strings.CutPrefix(l.Text, " --> "); framed && r.head.Text != "" {
		rule, message, _ := strings.Cut(r.head.Text, " ")
		at := place.LastColons(where)
		s.Find(r.head, rumdlFinding(rule, message, at))
		r.head.Text = ""
		return s.More(l)
	}
	if r.head.Text = ""; isRumdlRule(text) && indent == 0 {
		r.head, r.head.Text = l, strings.Clone(text)
		s.Break()
		return false // the line is taken once the arrow below shows that it is rumdl's
	}
	if at, rest, ok := place.Cut(l.Text); ok && strings.HasPrefix(rest, "[") {
		rule, message, _ := strings.Cut(rest[1:], "] ")
		return isRumdlRule(strings.TrimPrefix(rule, "C")) && s.Find(l, rumdlFinding(strings.TrimPrefix(rule, "C"), message, &at))
	}
	name, head := strings.CutSuffix(text, ":")
	spot, message, _ := strings.Cut(text, " ")
	line, column, row := strings.Cut(spot, ":")
	switch {
	case strings.HasPrefix(text, "Issues: Found "):
		s.Claim(lex.LeadingNumber(text[len("Issues: Found "):]))
		return s.Close(l)
	case strings.HasPrefix(text, "Error: Failed to find markdown files: "):
		return s.Misuse(l, text)
	case head && indent == 0:
		r.path, r.rule = strings.Clone(name), ""
	case head && indent == 2 && isRumdlRule(name):
		r.rule = strings.Clone(name)
	case indent == 4 && row && lex.IsDigits(line) && lex.IsDigits(column) && r.path != "" && r.rule != "":
		return s.Find(l, rumdlFinding(r.rule, message, &result.Location{Path: r.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}))
	case indent > 0 && s.Open():
		return s.More(l)
	}
	s.Break()
	return false
}

// isRumdlRule reports whether text begins with a rule: "MD012".
func isRumdlRule(text string) bool {
	rule, _, _ := strings.Cut(text, " ")
	return strings.HasPrefix(rule, "MD") && lex.IsDigits(rule[2:])
}

func rumdlFinding(rule, message string, at *result.Location) result.Finding {
	f := result.Finding{Rule: rule, Message: message, At: at}
	for _, mark := range [...]string{" [*]", " (fixable)"} {
		if rest, ok := strings.CutSuffix(message, mark); ok {
			f.Message, f.Fixable = rest, true
		}
	}
	return f
}
