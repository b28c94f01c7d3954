package read

import (
	"cmp"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// CodeQuality reads issues in Code Climate's format, which GitLab's code quality reports follow: an array of
// issues, or one after the other. fit changes each finding into what the tool's other formats give; it may be nil.
//
//	{"check_name": "rule", "description": "text", "severity": "major",
//	 "location": {"path": "src/a.go", "lines": {"begin": 3}}}
func CodeQuality(fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	take := Item(func(s *Sink, v *qualityIssue) {
		if v.CheckName == "" && v.Location.Path == "" {
			s.Doubt = "an issue has neither a name nor a path"
			return
		}
		f := v.finding()
		if fit != nil {
			fit(&f)
		}
		s.FindHere(f)
	})
	return JSON{Items: map[string]func(*Sink, []byte) error{"/*": take, "": take}}.Parse
}

type qualityIssue struct {
	CheckName   string `json:"check_name"`
	Description string
	Severity    string
	URL         string
	Content     struct{ Body string }
	Fingerprint string
	Location    struct {
		Path      string
		Lines     struct{ Begin, End int }
		Positions struct{ Begin, End struct{ Line, Column int } }
	}
}

func (v *qualityIssue) finding() result.Finding {
	at := result.Location{Path: v.Location.Path, Line: v.Location.Lines.Begin, EndLine: v.Location.Lines.End}
	if p := v.Location.Positions; p.Begin.Line > 0 {
		at.Line, at.Column, at.EndLine, at.EndColumn = p.Begin.Line, p.Begin.Column, p.End.Line, p.End.Column
	}
	rule := v.CheckName
	if rule == "" { // "no-empty-servers-#/info": the checked part follows the rule
		rule, _, _ = strings.Cut(v.Fingerprint, "-#/")
		rule = strings.TrimSuffix(rule, v.Fingerprint)
	}
	return result.Finding{
		Severity: qualitySeverity(v.Severity), RawSeverity: v.Severity, Rule: rule, RuleURL: v.URL,
		Message: v.Description, Detail: strings.TrimSpace(v.Content.Body), At: &at,
	}
}

// qualitySeverity maps the specification's info, minor, major, critical and blocker; tools use the last three for
// errors.
func qualitySeverity(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "warning: minor; info: info")), result.SevError)
}
