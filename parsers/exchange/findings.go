package exchange

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("annotations", result.Lint, 1, "commands for a log that name a file: GitHub's ::error file=a.py,line=3::text, Azure's ##vso[task.logissue …]")
	p.Reads(tool.Format{
		Name: "workflow commands", Evidence: tool.Shape,
		Starts: []string{"::error file=", "::warning file=", "::notice file=", "::error …file=", "::warning …file=", "::notice …file="},
		Parse:  read.WorkflowCommands(ruled),
	})
	p.Reads(tool.Format{
		Name: "workflow commands", Evidence: tool.Shape,
		Starts: []string{azureMark},
		Parse:  read.Text{Line: azureLine}.Parse,
	})
})

const azureMark = "##vso[task.logissue "

// azureLine reads "##vso[task.logissue type=error;sourcepath=a.py;linenumber=3;columnnumber=7;code=C0116;]text".
func azureLine(s *read.Sink, l tool.Line) bool {
	list, is := strings.CutPrefix(l.Text, azureMark)
	list, message, ok := strings.Cut(list, "]")
	f := result.Finding{Message: strings.TrimSpace(message), At: &result.Location{}}
	for p := range strings.SplitSeq(list, ";") {
		switch key, value, _ := strings.Cut(p, "="); key {
		case "type":
			f.Severity, f.RawSeverity = read.SeverityOf(value), value
		case "sourcepath":
			f.At.Path = value
		case "linenumber":
			f.At.Line = lex.Atoi(value)
		case "columnnumber":
			f.At.Column = lex.Atoi(value)
		case "code":
			f.Rule = value
		}
	}
	return is && ok && f.At.Path != "" && f.Severity != "" && s.Find(l, f)
}

// ruled takes the rule from a message if the title has no rule: "text [rule]" or, behind a position, "3:7 [rule] text".
func ruled(f *result.Finding) bool {
	where, text, _ := strings.Cut(f.Message, " [")
	rule, message, ok := strings.Cut(text, "] ")
	if line, column, at := strings.Cut(where, ":"); at && ok && f.Rule == "" && lex.IsDigits(line) && lex.IsDigits(column) && !strings.Contains(rule, " ") {
		f.Rule, f.Message = rule, message
	}
	if f.Rule == "" {
		f.Message, f.Rule = read.AnyRule(f.Message)
	}
	return true
}

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("checkstyle-xml", result.Lint, 1, "the XML of Checkstyle, as other linters write it")
	p.Reads(tool.Format{
		Name: "checkstyle", Evidence: tool.Shape,
		Starts: []string{"<checkstyle", "<?xml…<checkstyle"},
		Parse:  anyones(read.Checkstyle(nil)),
	})
})

// anyones makes a report unsigned: the end of a document in this format does not show which tool wrote it.
func anyones(parse func(*tool.Input) *tool.Report) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		r := parse(in)
		if r != nil {
			r.Signed = false
		}
		return r
	}
}

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("code-quality", result.Lint, 1, "issues as Code Climate specifies them and GitLab reads them")
	p.Reads(tool.Format{
		Name: "issues", Evidence: tool.Shape,
		Starts: []string{`[{"…"check_name":`, `{"…"check_name":`, `"check_name":`},
		Parse:  read.CodeQuality(nil),
	})
})

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
		Message: cmp.Or(v.Message, v.Name, v.Description), Severity: cmp.Or(result.Severity(lex.Means(v.Severity, "warning: Low, Medium; info: Info")), result.SevError), RawSeverity: strings.ToLower(v.Severity),
		At: &result.Location{Path: v.Location.File, Line: v.Location.Start, EndLine: v.Location.End},
	}
	if len(v.Identifiers) > 0 {
		f.Rule = cmp.Or(v.Identifiers[0].Value, v.Identifiers[0].Name)
	}
	s.FindHere(f)
}

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("sarif", result.Lint, 1, "SARIF 2.1.0 (OASIS), of any analyzer")
	p.Reads(tool.Format{
		Name: "sarif", Evidence: tool.Shape,
		Starts: []string{`{"$schema":…sarif`, `"$schema":…sarif`, `{"version":"2.1.0"`, `"version": "2.1.0"`, `{"runs":[`, `"runs": [`},
		Parse:  read.SARIF(nil),
	})
})

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("junit-lint", result.Lint, 1, "JUnit XML of linters: golangci-lint, phpcs, flake8, rubocop, luacheck, oxlint and others")
	p.Reads(tool.Format{
		Name: "junit", Evidence: tool.Shape,
		Starts: []string{"<testsuite", "<?xml…<testsuite"},
		Sniff:  junit.IsLine,
		Parse:  junit.Lints,
	})
})
