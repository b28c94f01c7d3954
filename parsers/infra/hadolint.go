package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(func() *tool.Parser {
	return &tool.Parser{
		Tool: "hadolint", Kind: result.Lint, Version: 1,
		About:   "hadolint 2.x: tty, gnu, json, sarif, checkstyle, sonarqube, codeclimate",
		Matches: tool.Runs("hadolint"), Programs: []string{"hadolint"},
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(func(s *read.Sink, v *struct {
				File, Code, Level, Message string
				Line                       int
			}) {
				s.FindHere(hadolintFinding(result.Location{Path: v.File, Line: v.Line}, v.Code, v.Level, v.Message))
			}, "/*")}.Parse},
			{Name: "sarif", Parse: read.SARIF(hadolintFit)},
			{Name: "checkstyle", Parse: read.Checkstyle(hadolintFit)},
			{Name: "codeclimate", Parse: hadolintIssues},
			{Name: "sonarqube", Parse: read.JSON{Items: read.Items(hadolintSonar, "/issues/*")}.Parse},
			{Name: "tty", Parse: read.Text{Line: hadolintLine, Usage: []string{"Invalid option `"}}.Parse},
		},
	}
})

// hadolintFit makes of what the exchange formats tell what hadolint's own do: lines.
func hadolintFit(f *result.Finding) {
	if f.At == nil {
		return
	}
	f.At.Column, f.At.EndLine, f.At.EndColumn = 0, 0, 0
	*f = hadolintFinding(*f.At, f.Rule, f.RawSeverity, f.Message)
}

// hadolintIssues reads GitLab's array, and codeclimate's documents between zeros.
func hadolintIssues(in *tool.Input) *tool.Report {
	if rep := read.CodeQuality(hadolintFit)(in); rep != nil && len(rep.Findings) > 0 {
		return rep
	}
	return nil
}

func hadolintSonar(s *read.Sink, v *struct {
	RuleID, Severity string
	PrimaryLocation  struct {
		FilePath, Message string
		TextRange         struct{ StartLine int }
	}
}) {
	at := result.Location{Path: v.PrimaryLocation.FilePath, Line: v.PrimaryLocation.TextRange.StartLine}
	s.FindHere(hadolintFinding(at, v.RuleID, v.Severity, v.PrimaryLocation.Message))
}

func hadolintFinding(at result.Location, rule, level, message string) result.Finding {
	f := result.Finding{Severity: read.StyleIsNote(level), RawSeverity: level, Rule: rule, Message: message, At: &at}
	if strings.HasPrefix(rule, "DL") {
		f.RuleURL = "https://github.com/hadolint/hadolint/wiki/" + rule
	}
	return f
}

// hadolintLine reads "Dockerfile:3 DL3008 warning: text" and "Dockerfile:4:1
// unexpected 'X'", a file that cannot be read.
func hadolintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimPrefix(l.Text, "hadolint:") // -f gnu
	at, rest, ok := place.Cut(text)
	if stdin, has := strings.CutPrefix(text, "-:"); has && !ok {
		at, rest, ok = place.Cut("stdin:" + stdin)
		at.Path = "-"
	}
	if !ok {
		if message, said := strings.CutPrefix(l.Text, "hadolint: "); said {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
			return true
		}
		return false
	}
	rule, level, _ := strings.Cut(rest, " ")
	if word, message, ok := strings.Cut(level, ": "); ok && read.SeverityOf(word) != "" {
		s.Find(l, hadolintFinding(at, rule, word, message))
		return true
	}
	s.Find(l, result.Finding{Message: rest, At: &at})
	return true
}
