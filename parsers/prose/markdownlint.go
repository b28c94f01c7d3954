package prose

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("markdownlint", func(p *tool.Parser) {
	p.Is("markdownlint", result.Lint, 1, "markdownlint-cli 0.2x to 0.4x: text and --json")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 3: result.MeansUsage, 4: result.MeansInternal}
	p.Reads(tool.Format{Name: "json", Parse: markdownlintJSON})
	p.Reads(tool.Format{Name: "text", Parse: markdownlintText.Parse})
})

// markdownlintText reads "a.md:3:7 error MD009/no-trailing-spaces text", without the severity before 0.46. Both names
// together, as printed, are the rule.
var markdownlintText = read.Linter{Rule: read.First, Accept: isMarkdownlintRule, Other: markdownlintOther}

func isMarkdownlintRule(d *read.Diagnostic) bool { return strings.Contains(d.Rule, "/") }

// markdownlintOther reads errors in the options or the configuration, and the count of markdownlint-cli2.
func markdownlintOther(s *read.Sink, l tool.Line) bool {
	var n int
	switch text := l.Text; {
	case strings.HasPrefix(text, "markdownlint-cli2 v"):
		s.Version, _, _ = strings.Cut(strings.TrimPrefix(text, "markdownlint-cli2 v"), " ")
		s.Sign(l)
	case strings.HasPrefix(text, "Summary: "):
		if _, err := fmt.Sscanf(text, "Summary: %d", &n); err != nil {
			return false
		}
		s.Claim(n)
		s.Close(l)
	case strings.HasPrefix(text, "Finding: "), strings.HasPrefix(text, "Linting: "):
	case strings.HasPrefix(text, "error: "), strings.HasPrefix(text, "Error: "):
		s.Misuse(l, text[len("error: "):])
	case strings.HasPrefix(text, "Cannot read or parse config file "):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
	default:
		return s.Meaning == result.MeansUsage && strings.HasPrefix(text, "    at ")
	}
	return true
}

func markdownlintJSON(in *tool.Input) *tool.Report {
	return read.JSON{Clean: true, Items: read.Items(markdownlintItem, "/*")}.Parse(in)
}

func markdownlintItem(s *read.Sink, v *struct {
	FileName, RuleDescription, RuleInformation, ErrorDetail, ErrorContext, Severity string
	LineNumber                                                                      int
	RuleNames                                                                       []string
	ErrorRange                                                                      []int
}) {
	message := v.RuleDescription
	if v.ErrorDetail != "" {
		message += " [" + v.ErrorDetail + "]"
	}
	if v.ErrorContext != "" {
		message += ` [Context: "` + v.ErrorContext + `"]`
	}
	at := result.Location{Path: v.FileName, Line: v.LineNumber}
	if len(v.ErrorRange) > 0 {
		at.Column = v.ErrorRange[0]
	}
	s.FindHere(result.Finding{
		Severity: read.SeverityOf(v.Severity), RawSeverity: v.Severity, Rule: strings.Join(v.RuleNames, "/"),
		RuleURL: v.RuleInformation, Message: message, At: &at,
	})
}
