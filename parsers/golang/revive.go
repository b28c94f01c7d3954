package golang

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("revive", func(p *tool.Parser) {
	p.Is("revive", result.Lint, 1, "revive 1: default, plain, unix, friendly, stylish, json, ndjson, checkstyle, sarif; the default names no rule")
	p.ColumnUnit = "byte"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(func(f *result.Finding) {
		f.Rule = strings.TrimPrefix(f.Rule, "revive/")
		f.Message, _, _ = strings.Cut(f.Message, " (confidence ")
	})})
	p.Reads(tool.Format{Name: "stylish", Parse: read.Text{Line: staticcheckRow}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: reviveFailures.Parse})
	p.Reads(tool.Format{Name: "friendly", Starts: []string{"⚠  https://revive.run/r#", "✘  https://revive.run/r#"}, Parse: read.Text{Line: reviveFriendly}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Plain: true, Default: result.SevWarning, Accept: reviveAccept, Other: reviveTrouble}.Parse})
})

const reviveRules = "https://revive.run/r#"

// reviveAccept cuts the rule out of the message: format plain appends the rule's address, unix prepends "[rule]".
func reviveAccept(d *read.Diagnostic) bool {
	if message, rule, ok := strings.Cut(d.Message, " "+reviveRules); ok {
		d.Message, d.Rule = message, rule
	} else if rule, message, ok := strings.Cut(d.Message, "] "); ok && strings.HasPrefix(rule, "[") {
		d.Message, d.Rule = message, rule[1:]
	}
	return strings.HasSuffix(d.At.Path, ".go")
}

func reviveTrouble(s *read.Sink, l tool.Line) bool {
	if l.Stream != tool.Stderr || len(s.Findings) > 0 || !lex.HasAnyPrefix(l.Text, "cannot ", "flag provided ", "initializing revive - ") && !lex.HasAnyPrefix(l.Text, "linting - ", "formatting - ") {
		return false
	}
	return s.Misuse(l, l.Text)
}

// reviveFriendly reads "  ⚠  https://revive.run/r#exported  text", and the place on the line below.
func reviveFriendly(s *read.Sink, l tool.Line) bool {
	t := strings.TrimLeft(l.Text, " ")
	if _, rest, ok := strings.Cut(t, reviveRules); ok && (strings.HasPrefix(t, "⚠") || strings.HasPrefix(t, "✘")) {
		rule, message, _ := strings.Cut(rest, " ")
		f := result.Finding{Severity: result.SevWarning, Rule: rule, RuleURL: reviveRules + rule, Message: strings.TrimLeft(message, " ")}
		if strings.HasPrefix(t, "✘") {
			f.Severity = result.SevError
		}
		return s.Find(l, f)
	}
	if last := s.Last(); last != nil && last.At == nil {
		if at, rest, ok := place.Cut(t); ok && rest == "" {
			last.At = &at
			return true
		}
	}
	count, rule, _ := strings.Cut(t, "  ") // a row of the closing table
	return t == "" || lex.HasAnyPrefix(t, "⚠ ", "✘ ", "Warnings:", "Errors:") || lex.IsDigits(count) && !strings.Contains(rule, " ")
}

// reviveFailures: a failure without a rule is a file that does not parse.
var reviveFailures = read.Objects{At: []string{"/*", ""}, Path: "Position.Start.Filename", Line: "Position.Start.Line", Column: "Position.Start.Column",
	EndLine: "Position.End.Line", EndColumn: "Position.End.Column", Rule: "RuleName", Severity: "Severity", Message: "Failure",
	Accept: func(f *result.Finding) bool { return f.Message != "" && f.At.Path != "" },
	Fit: func(f *result.Finding) {
		if f.Rule != "" {
			f.RuleURL = reviveRules + f.Rule
		}
	}}
