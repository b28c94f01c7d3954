package infra

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// The linters in this file print a rule with its message, and the place on the next line:
//
//	E3002 Additional properties are not allowed
//	cfn/bad.yaml:6:7

var _ = Room.Add("cfn-lint", func(p *tool.Parser) {
	p.Is("cfn-lint", result.Lint, 1, "cfn-lint 0.x and 1.x: default, parseable, pretty, quiet, json")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "Filename", Line: "Location.Start.LineNumber", Column: "Location.Start.ColumnNumber",
		Rule: "Rule.Id", URL: "Rule.Source", Severity: "Level", Message: "Message", Fit: func(f *result.Finding) {
			f.Severity, f.RawSeverity = cfnSeverity(f.Rule), strings.ToLower(f.RawSeverity)
		},
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*cfnLint).line)})
	p.Reads(read.PythonTrouble("cfn-lint"))
})

// cfnSeverity returns the severity that a rule's first letter stands for: W3002 is a warning.
func cfnSeverity(rule string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(rule[:min(1, len(rule))], "warning: W; info: I")), result.SevError)
}

func isCfnRule(rule string) bool {
	return len(rule) == 5 && strings.IndexByte("EWI", rule[0]) >= 0 && lex.IsDigits(rule[1:])
}

type cfnLint struct {
	head result.Finding
	at   tool.Line
}

func (p *cfnLint) line(s *read.Sink, l tool.Line) bool {
	rule, message, _ := strings.Cut(l.Text, " ")
	at, rest, placed := place.Cut(l.Text)
	switch {
	case isCfnRule(strings.TrimSuffix(rule, ":")):
		p.head, p.at = result.Finding{Rule: strings.TrimSuffix(rule, ":"), Message: message}, l
		if path, line, ok := place.CutLineNumber(lastWord(message)); ok && strings.HasSuffix(rule, ":") { // the format quiet
			p.head.Message, p.head.At = strings.TrimSuffix(message, " "+lastWord(message)), &result.Location{Path: path, Line: line}
			p.found(s, l)
		}
	case strings.HasPrefix(l.Text, "None:1:1") && p.head.Rule != "":
		p.head.Kind = result.GenericFinding
		p.found(s, p.at)
		s.Cover(l)
	case placed && rest == "" && p.head.Rule != "":
		p.head.At = &at
		p.found(s, p.at)
		s.Cover(l)
	case placed: // the format parseable: path:6:7:6:16:E3002:text
		parts := strings.SplitN(rest, ":", 4)
		if len(parts) != 4 || !isCfnRule(parts[2]) {
			return false
		}
		p.head = result.Finding{Rule: parts[2], Message: parts[3], At: &at}
		p.found(s, l)
	case s.Path != "" && strings.HasPrefix(message, " "): // a row below its path, in the format pretty
		row := strings.Fields(l.Text)
		if len(row) < 3 || !isCfnRule(row[1]) {
			return false
		}
		where, _, ok := place.Cut(s.Path + ":" + row[0])
		if !ok {
			return false
		}
		p.head = result.Finding{Rule: row[1], Message: strings.TrimSpace(l.Text[strings.Index(l.Text, row[1])+len(row[1]):]), At: &where}
		p.found(s, l)
	case message == "" && strings.Contains(rule, "."):
		s.Path = rule
		return false
	default:
		return strings.HasPrefix(l.Text, "Cfn-lint scanned ")
	}
	return true
}

func (p *cfnLint) found(s *read.Sink, l tool.Line) {
	p.head.Severity = cfnSeverity(p.head.Rule)
	s.Find(l, p.head)
	p.head = result.Finding{}
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }
