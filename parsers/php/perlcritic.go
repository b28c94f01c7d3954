package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("perlcritic", func(p *tool.Parser) {
	p.Is("perlcritic", result.Lint, 1, "Perl::Critic 1: --verbose 2 to 11; most of them do not name the file")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal}
	p.Reads(perlcriticTemplate.Format("perlcritic"))
	p.Reads(tool.Format{Name: "text", Starts: []string{"Code before strictures are enabled at line "}, Named: true, Parse: read.Text{Line: perlcriticLine}.Parse})
	p.Reads(tool.Format{Name: "explained", Parse: read.Lines((*perlcriticPair).line)})
	p.Reads(tool.Format{Name: "short", Parse: perlcriticShort.Parse})
})

// perlcriticTemplate reads --verbose with a format string given by the user.
var perlcriticTemplate = read.Template{
	Letters: true,
	Names:   map[string]string{"f": "{path}", "F": "{path}", "l": "{line}", "c": "{column}", "m": "{message}", "p": "{rule}", "P": "{rule}", "s": "{word}"},
	Fit: func(f *result.Finding) bool {
		f.Rule = strings.TrimPrefix(f.Rule, "Perl::Critic::Policy::")
		if f.Severity = result.SevWarning; f.RawSeverity >= "5" {
			f.Severity = result.SevError
		}
		return true
	},
}

// perlcriticLine reads the formats of one line, with and without the rule or the path:
//
//	Code before strictures are enabled at line 2, column 1.  See page 429 of PBP.  (Severity: 5)
//	[TestingAndDebugging::RequireUseStrict] Code before … at line 2, column 1.  (Severity: 5)
//	lib/L.pm: Code before … at line 2, column 1.  See page 429 of PBP.  (Severity: 5)
func perlcriticLine(s *read.Sink, l tool.Line) bool {
	text, end, ok := strings.Cut(l.Text, "(Severity: ")
	severity := lex.LeadingNumber(end)
	if !ok || severity == 0 {
		return strings.HasSuffix(l.Text, " source OK") && s.Sign(l)
	}
	f := result.Finding{RawSeverity: string(rune('0' + severity%10)), At: &result.Location{}}
	perlcriticTemplate.Fit(&f)
	if rule, rest, has := strings.Cut(text, "] "); has && strings.HasPrefix(text, "[") {
		f.Rule, text = rule[1:], rest
	} else if path, rest, has := strings.Cut(text, ": "); has && !strings.Contains(path, " ") && strings.Contains(path, ".") {
		f.At.Path, text = path, rest
	}
	message, where, ok := strings.Cut(text, " at line ")
	if !ok {
		return false
	}
	f.Message, f.At.Line = message, lex.LeadingNumber(where)
	if _, column, has := strings.Cut(where, "column "); has {
		f.At.Column = lex.LeadingNumber(column)
	}
	if f.At.Path == "" {
		f.At.Path = read.OnlyFile(s.In, ".pm", ".pl", ".t")
	}
	if f.At.Path == "" { // the file is not known
		f.At, f.Message = nil, strings.TrimRight(message+" at line "+strings.SplitN(where, ".  ", 2)[0], " .")
	}
	return s.Find(l, f)
}

// perlcriticPair reads --verbose 10 and 11: the problem, the policy below it, and then the policy's explanation.
//
//	Code is not tidy at line 1, column 1.
//	  CodeLayout::RequireTidyCode (Severity: 1)
type perlcriticPair struct{ above tool.Line }

func (p *perlcriticPair) line(s *read.Sink, l tool.Line) bool {
	policy, severity, ok := strings.Cut(strings.TrimPrefix(l.Text, "  "), " (Severity: ")
	if !ok || !strings.HasPrefix(l.Text, "  ") || strings.Contains(policy, " ") || !strings.Contains(p.above.Text, " at line ") {
		p.above = l
		p.above.Text = strings.Clone(l.Text)
		s.Break()
		return strings.HasPrefix(l.Text, "    ") || l.Text == "" || strings.Contains(l.Text, " at line ")
	}
	above := p.above
	above.Text += "(Severity: " + severity
	if !perlcriticLine(s, above) {
		return false
	}
	if f := s.Last(); f != nil {
		f.Rule = policy
		s.More(l)
	}
	return true
}

// perlcriticShort reads --verbose 2 and 3, which print no severity.
var perlcriticShort = read.Rows{Rows: []read.Row{
	{Form: "{path}: ({line}:{column}) {message}", As: read.Warning},
	{Form: "{message} at {path} line {line}", As: read.Warning},
}}
