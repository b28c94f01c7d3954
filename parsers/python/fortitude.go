package python

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// fortitude lints Fortran. Its output is in ruff's formats.
var _ = Room.Add("fortitude", func(p *tool.Parser) {
	p.Is("fortitude", result.Lint, 1, "fortitude 0.7 and later: full, concise, json, github, sarif, statistics")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{"/*"}, Path: "filename", Line: "location.row", Column: "location.column", Rule: "code", Message: "message", Severity: "severity"}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "github", Parse: read.WorkflowCommands(fortitudeCommand)})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: fortitudeLine}.Parse})
})

// fortitudeCommand removes the place and the rule that begin the message of a workflow command, "x.f90:1:1: C001 text".
func fortitudeCommand(f *result.Finding) bool {
	text, _, _ := strings.Cut(f.Message, "\n")
	at, rest, ok := place.Cut(text)
	rule, message, told := strings.Cut(rest, " ")
	if !ok || !told {
		return false
	}
	f.Rule, f.Message, f.At.Column = rule, strings.TrimPrefix(message, "[*] "), at.Column
	return true
}

// fortitudeLine reads the text forms, concise and full, and the rows of --statistics:
//
//	x.f90:3:3: S071 [*] variable declaration missing '::'
//
//	S071 [*] variable declaration missing '::'
//	 --> x.f90:3:3
//
//	1	S071   	[*] missing-double-colon
func fortitudeLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f, last := result.Finding{}, s.Last()
	if where, ok := strings.CutPrefix(text, "--> "); ok && last != nil {
		last.At = cmp.Or(last.At, place.LastColons(where))
		return s.More(l)
	}
	at, rest, placed := place.Cut(l.Text)
	columns := strings.Split(text, "\t")
	switch {
	case placed:
		f.At = &at
	case len(columns) == 3 && lex.IsDigits(columns[0]):
		rest = strings.TrimSpace(columns[1]) + " " + strings.TrimPrefix(strings.TrimPrefix(columns[2], "[ ] "), "[*] ") + " (" + columns[0] + ")"
	default:
		rest = l.Text
	}
	rule, message, ok := strings.Cut(rest, " ")
	switch number, isCount := strings.CutPrefix(text, "Number of diagnostics: "); {
	case isCount:
		s.Claim(lex.LeadingNumber(number))
		s.Sign(l)
		return s.Break()
	case ok && isFortitudeRule(rule):
		f.Rule, f.Message = rule, strings.TrimPrefix(message, "[*] ")
		return s.Find(l, f)
	case last == nil || text == "":
		return s.Break()
	}
	return s.More(l)
}

// isFortitudeRule reports whether a word is a rule: "C001", "PORT021".
func isFortitudeRule(word string) bool {
	digits := strings.TrimLeft(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(digits) == 3 && len(word) > 3 && lex.IsDigits(digits)
}
