package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("oxlint", func(p *tool.Parser) {
	p.Is("oxlint", result.Lint, 1, "oxlint 0.15 to 1.94: default, json, unix, github, gitlab, stylish, agent, checkstyle, sarif")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "json", Starts: []string{`{ "diagnostics": [`}, Parse: read.Objects{
		At: []string{"/diagnostics/*"}, Clean: true, Path: "filename", Line: "labels.span.line", Column: "labels.span.column",
		Rule: "code", URL: "url", Severity: "severity", Message: "message", Help: "help",
	}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(oxlintSARIF)})
	p.Reads(tool.Format{Name: "gitlab", Parse: oxlintGitLab})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "github", Parse: annotations(oxlintAnnotation)})
	p.Reads(tool.Format{Name: "unix", Parse: read.Linter{Accept: oxlintUnix}.Parse})
	p.Reads(tool.Format{Name: "agent", Parse: read.Linter{Accept: oxlintAgent}.Parse})
	p.Reads(tool.Format{Name: "stylish", Parse: read.Grouped{Row: read.RowForm{LastColumn: true}}.Parse})
	p.Reads(tool.Format{Name: "default", Parse: read.Text{Line: oxlintLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Error: ", "Failed to parse oxlint configuration file", "Failed to ")})
})

// oxlintGitLab reads the GitLab report, the only format in which oxlint's paths are relative to the root of the
// repository.
func oxlintGitLab(in *tool.Input) *tool.Report {
	root := in.Workspace.Root
	return read.Fitted(read.JSON{Items: map[string]func(*read.Sink, []byte) error{"/*": biomeIssue.Item}}.Parse, func(f *result.Finding) {
		if f.At != nil && root != "" && root != in.Workspace.Dir && !result.IsAbsolute(f.At.Path) {
			f.At.Path = strings.TrimRight(root, "/") + "/" + f.At.Path
		}
	})(in)
}

// oxlintSARIF removes OXL0001, the rule that SARIF output gives to a finding without a rule.
func oxlintSARIF(f *result.Finding) {
	if f.Rule == "OXL0001" {
		f.Rule = ""
	}
}

// oxlintAnnotation removes the place that begins the message, and the title "oxlint" of a finding without a rule.
func oxlintAnnotation(f *result.Finding) {
	if _, rest, ok := place.Cut(f.Message); ok {
		f.Message = rest
	}
	if f.Rule == "oxlint" {
		f.Rule = ""
	}
}

// oxlintUnix splits "[Warning/eslint(no-unused-vars)]", severity and rule, from the end of a message.
func oxlintUnix(d *read.Diagnostic) bool {
	i := strings.LastIndex(d.Message, " [")
	if i < 0 || !strings.HasSuffix(d.Message, "]") {
		return false
	}
	d.Word, d.Rule, _ = strings.Cut(d.Message[i+2:len(d.Message)-1], "/")
	d.Word, d.Message = strings.ToLower(d.Word), d.Message[:i]
	return read.SeverityOf(d.Word) != ""
}

// oxlintAgent reads "warning eslint(no-unused-vars): text help: what to do".
func oxlintAgent(d *read.Diagnostic) bool {
	if d.Word == "" || strings.HasPrefix(d.Message, "TS") && lex.LeadingNumber(d.Message[2:]) > 0 { // printed by tsc, not by oxlint
		return false
	}
	d.Message, _, _ = strings.Cut(d.Message, " help: ")
	d.Rule, d.Message = oxlintRule(d.Message)
	return true
}

// oxlintRule splits "eslint(no-unused-vars): text".
func oxlintRule(text string) (rule, message string) {
	if name, rest, ok := strings.Cut(text, "): "); ok && !strings.Contains(name, " ") && strings.Contains(name, "(") {
		return name + ")", rest
	}
	return "", text
}

// oxlintLine reads blocks: "  ! rule: text" and below it ",-[path:3:7]".
func oxlintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	mark, rest, ok := strings.Cut(text, " ")
	severity := biomeMark(mark)
	if mark == "x" {
		severity = result.SevError
	}
	f := s.Last()
	switch {
	case ok && severity != "" && severity != result.SevInfo && strings.HasPrefix(l.Text, "  ") && l.Text[2] != ' ':
		rule, message := oxlintRule(rest)
		s.Find(l, result.Finding{Severity: severity, Rule: rule, Message: message})
		if strings.HasPrefix(message, "Failed to ") && rule == "" {
			s.Meaning = result.MeansUsage
		}
	case strings.HasPrefix(text, "No files found to lint"):
		s.Find(l, result.Finding{Message: text})
		s.Meaning = result.MeansUsage
		s.Break()
	case strings.HasPrefix(text, "Found ") && strings.Contains(text, " warning") && strings.Contains(text, " error"):
		counts := read.Counts(text)
		s.Claim(counts["errors"] + counts["error"])
		s.Close(l)
	case strings.HasPrefix(text, "Finished in ") && strings.Contains(text, " file"):
		s.Sign(l)
	case f == nil:
		return false
	default:
		if f.At == nil {
			f.At = place.InCorner(text)
		}
		s.More(l)
	}
	return true
}
