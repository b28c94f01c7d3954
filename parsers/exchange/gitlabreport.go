package exchange

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("gitlab-security", result.Security, 1, "GitLab's security reports: SAST, secret detection, of any analyzer")
	p.Reads(tool.Format{
		Name: "report", Evidence: tool.Shape,
		Starts: []string{`"schema":…-report-format.json`, `"$schema":…-report-format.json`, `{"$schema":…-report-format.json`, `{"schema":…-report-format.json`},
		Parse:  read.JSON{Items: read.Items(gitlabVulnerability, "/vulnerabilities/*")}.Parse,
	})
})

// gitlabVulnerability reads a finding. The first of the identifiers is the analyzer's rule.
func gitlabVulnerability(s *read.Sink, v *struct {
	Name, Message, Description, Severity string
	Identifiers                          []struct{ Name, Value string }
	Location                             struct {
		File  string
		Start int `json:"start_line"`
		End   int `json:"end_line"`
	}
}) {
	f := result.Finding{
		Message: cmp.Or(v.Message, v.Name, v.Description), Severity: gitlabSeverity(v.Severity), RawSeverity: strings.ToLower(v.Severity),
		At: &result.Location{Path: v.Location.File, Line: v.Location.Start, EndLine: v.Location.End},
	}
	if len(v.Identifiers) > 0 {
		f.Rule = cmp.Or(v.Identifiers[0].Value, v.Identifiers[0].Name)
	}
	s.FindHere(f)
}

func gitlabSeverity(word string) result.Severity {
	return cmp.Or(result.Severity(lex.Means(word, "warning: Low, Medium; info: Info")), result.SevError)
}
