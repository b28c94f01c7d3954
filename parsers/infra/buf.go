package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("buf", func(p *tool.Parser) {
	p.Is("buf", result.Lint, 1, "buf 1.x lint, build, breaking and format: text, json, junit, github-actions, gitlab-code-quality")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 100: result.MeansFindings}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{At: []string{""}, Path: "path", Line: "start_line", Column: "start_column", Rule: "type", Message: "message"}.Parse})
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(func(f *result.Finding) { f.Severity = "" })})
	p.Reads(tool.Format{Name: "junit", Parse: junit.Lints})
	p.Reads(tool.Format{Name: "github", Parse: read.WorkflowCommands(func(f *result.Finding) bool {
		f.Severity = result.SevError
		return true
	})})
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Other: bufSays, Accept: bufMSVS}.Parse})
})

// bufSays reads lines without a place: failures, usage, and the files that buf format would change.
func bufSays(s *read.Sink, l tool.Line) bool {
	if path, ok := strings.CutPrefix(l.Text, "+++ "); ok && l.Stream == tool.Stdout {
		path, _, _ = strings.Cut(path, "\t")
		s.Find(l, result.Finding{Rule: "format", Message: "not formatted", At: &result.Location{Path: path}, Fixable: true})
		return s.Break()
	}
	message, ok := strings.CutPrefix(l.Text, "Failure: ")
	if !ok && (strings.HasPrefix(l.Text, "unknown command ") || strings.HasPrefix(l.Text, "unknown flag: ")) {
		message, ok, s.Meaning = l.Text, true, result.MeansUsage
	}
	return ok && s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
}

// bufMSVS takes the rule from ": error RULE : ", which --error-format=msvs puts before a message. The other formats
// for people do not print the rule.
func bufMSVS(d *read.Diagnostic) bool {
	for _, word := range [...]string{": error ", "error "} {
		if rule, message, ok := strings.Cut(d.Message, " : "); ok && strings.HasPrefix(rule, word) {
			d.Rule, d.Message = strings.TrimPrefix(rule, word), message
		}
	}
	return true
}
