package prose

import (
	"fmt"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
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
var markdownlintText = read.Linter{Rule: read.First, Accept: func(d *read.Diagnostic) bool { return strings.Contains(d.Rule, "/") }, Other: markdownlintOther}

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
		s.Found(l, n)
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

var _ = Room.Add("markdownlint-cli2", func(p *tool.Parser) {
	p.Is("markdownlint-cli2", result.Lint, 1, "markdownlint-cli2 0.x: default, json and template formatters")
	p.ColumnUnit = "utf16"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: markdownlintJSON})
	p.Reads(tool.Format{Name: "template", Parse: read.Pairs})
	p.Reads(tool.Format{Name: "text", Starts: []string{"markdownlint-cli2 v"}, Parse: markdownlintText.Parse})
})

var _ = Room.Add("mdformat", func(p *tool.Parser) {
	p.Is("mdformat", result.Format, 1, "mdformat 0.7 to 1.0: --check")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: `Error: File "{path}" {message}.`, Fit: func(f *result.Finding) { f.Rule, f.Fixable = "unformatted", true }},
		{Form: "Error: {message}", Fit: func(f *result.Finding) { f.At = place.InSentence(f.Message) }},
	}}.Parse})
	read.InPython(p)
})

var _ = Room.Add("pymarkdown | pymarkdownlnt", func(p *tool.Parser) {
	p.Is("pymarkdown", result.Lint, 1, "pymarkdown 0.9: scan")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Rule: read.Colon, Accept: func(d *read.Diagnostic) bool {
		d.Message, _ = read.Parens.Cut(d.Message) // the rule's names stand at the end in brackets
		return strings.HasPrefix(d.Rule, "MD") || strings.HasPrefix(d.Rule, "PML")
	}, Usage: []string{"Provided path '", "Provided file path '", "No matching files found"}}.Parse})
	read.InPython(p)
})

// mdbook builds a book and exits 0 even if a file that a page includes is missing. Its tests are run by rustdoc, whose
// output another parser reads.
var _ = Room.Add("mdbook", func(p *tool.Parser) {
	p.Is("mdbook", result.Build, 1, "mdBook 0.5: build, test, and what is wrong with its configuration")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Starts: []string{"INFO Book building has started", "INFO Testing chapter '"}, Named: true, Parse: read.IfFound(read.Said{
		Kind: result.Diagnostic, Errors: []string{"ERROR "}, Other: mdbookLine, Fill: fillMdbook,
	}.Parse)})
})

// fillMdbook makes the errors that say only that tests failed build errors: rustdoc names the tests.
func fillMdbook(f *result.Finding) {
	if f.Message == "rustdoc returned an error:" || f.Message == "One or more tests failed" {
		f.Kind = result.BuildError
	}
}

// mdbookLine adds the cause to an error, and reads the progress:
//
//	ERROR Invalid configuration file
//		Caused by: TOML parse error at line 2, column 9
func mdbookLine(s *read.Sink, l tool.Line) bool {
	head, cause, caused := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l.Text), "WARN "), ": ")
	caused = caused && strings.EqualFold(head, "caused by")
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, " INFO "):
		s.Sign(l)
		return s.Break()
	case caused && f == nil:
		return false
	case !caused:
		message, warns := strings.CutPrefix(l.Text, " WARN ")
		return warns && s.Find(l, result.Finding{Severity: result.SevWarning, Message: message})
	}
	if f.Message == "Invalid configuration file" {
		s.Meaning = result.MeansUsage
	}
	f.Message += ": " + cause
	return s.Reach(l)
}

var _ = Room.Add("rumdl", func(p *tool.Parser) {
	p.Is("rumdl", result.Lint, 1, "rumdl 0.x: text, full, concise, grouped, pylint, json, json-lines, gitlab, sarif; github, azure and junit are anyone's")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*", ""}, Path: "file", Line: "line", Column: "column", Rule: "rule", Message: "message", Severity: "severity", Fixable: "fixable",
	}.Parse})
	p.Reads(tool.Format{Name: "gitlab", Parse: read.CodeQuality(nil)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "text", Named: true, Parse: read.Fresh(func(r *rumdl) read.Text { return read.Text{Line: r.line, Usage: []string{"Config error: ", "error: "}} })})
})

// rumdl reads three formats: a finding on each line; rule and message above a frame; rows below the file and the rule:
//
//	a.md:3:1: [MD012] Multiple consecutive blank lines between content [*]
//
//	MD012 Multiple consecutive blank lines between content [*]
//	 --> a.md:3:1
//
//	a.md:
//	  MD012:
//	    3:1 Multiple consecutive blank lines between content (fixable)
type rumdl struct {
	path, rule string
	head       tool.Line // the line with rule and message above a frame; the place is in the frame
}

func (r *rumdl) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(text)
	if where, framed := strings.CutPrefix(l.Text, " --> "); framed && r.head.Text != "" {
		rule, message, _ := strings.Cut(r.head.Text, " ")
		at := place.LastColons(where)
		s.Find(r.head, rumdlFinding(rule, message, at))
		r.head.Text = ""
		return s.More(l)
	}
	if r.head.Text = ""; isRumdlRule(text) && indent == 0 {
		r.head, r.head.Text = l, strings.Clone(text)
		s.Break()
		return false // the line is taken once the arrow below shows that it is rumdl's
	}
	if at, rest, ok := place.Cut(l.Text); ok && strings.HasPrefix(rest, "[") {
		rule, message, _ := strings.Cut(rest[1:], "] ")
		return isRumdlRule(strings.TrimPrefix(rule, "C")) && s.Find(l, rumdlFinding(strings.TrimPrefix(rule, "C"), message, &at))
	}
	name, head := strings.CutSuffix(text, ":")
	spot, message, _ := strings.Cut(text, " ")
	line, column, row := strings.Cut(spot, ":")
	switch {
	case strings.HasPrefix(text, "Issues: Found "):
		return s.Found(l, lex.LeadingNumber(text[len("Issues: Found "):]))
	case strings.HasPrefix(text, "Error: Failed to find markdown files: "):
		return s.Misuse(l, text)
	case head && indent == 0:
		r.path, r.rule = strings.Clone(name), ""
	case head && indent == 2 && isRumdlRule(name):
		r.rule = strings.Clone(name)
	case indent == 4 && row && lex.IsDigits(line) && lex.IsDigits(column) && r.path != "" && r.rule != "":
		return s.Find(l, rumdlFinding(r.rule, message, &result.Location{Path: r.path, Line: lex.Atoi(line), Column: lex.Atoi(column)}))
	case indent > 0 && s.Open():
		return s.More(l)
	}
	s.Break()
	return false
}

// isRumdlRule reports whether text begins with a rule: "MD012".
func isRumdlRule(text string) bool {
	rule, _, _ := strings.Cut(text, " ")
	return strings.HasPrefix(rule, "MD") && lex.IsDigits(rule[2:])
}

func rumdlFinding(rule, message string, at *result.Location) result.Finding {
	f := result.Finding{Rule: rule, Message: message, At: at}
	for _, mark := range [...]string{" [*]", " (fixable)"} {
		if rest, ok := strings.CutSuffix(message, mark); ok {
			f.Message, f.Fixable = rest, true
		}
	}
	return f
}
