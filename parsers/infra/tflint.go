package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("tflint", func(p *tool.Parser) {
	p.Is("tflint", result.Lint, 2, "tflint 0.2x to 0.6x: default, compact, json, checkstyle and sarif")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansFindings, 3: result.MeansFindings}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: map[string]func(*read.Sink, []byte) error{"/issues/*": tflintIssue.Item, "/errors/*": read.Item(tflintError)}}.Parse})
	p.Reads(tool.Format{Name: "checkstyle", Parse: read.Checkstyle(nil)})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(nil)})
	p.Reads(tool.Format{Name: "compact", Parse: read.Linter{Plain: true, Rule: read.Parens, Accept: func(d *read.Diagnostic) bool {
		d.Word, d.Message = read.CutSeverity(strings.Replace(strings.Replace(d.Message, " - ", ": ", 1), "Notice: ", "Info: ", 1))
		return d.Rule != "" && d.Word != ""
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Reference: https://github.com/terraform-linters/tflint-ruleset"}, Named: true, Parse: read.Text{Line: tflintLine}.Parse})
})

type tflintRange struct {
	Filename string
	Start    struct{ Line, Column int }
}

func (r tflintRange) at() *result.Location {
	return &result.Location{Path: r.Filename, Line: r.Start.Line, Column: r.Start.Column}
}

var tflintIssue = read.Objects{Path: "range.filename", Line: "range.start.line", Column: "range.start.column",
	Rule: "rule.name", URL: "rule.link", Severity: "rule.severity", Message: "message"}

func tflintError(s *read.Sink, v *struct {
	Message, Summary string
	Range            *tflintRange
}) {
	f := result.Finding{Kind: result.GenericFinding, Message: v.Message}
	if v.Summary != "" {
		f.Message = v.Summary + "; " + v.Message
	}
	if v.Range != nil {
		f.At = v.Range.at()
	}
	s.FindHere(f)
}

// tflintFailure reads "Failed to load the root module; main.tf:2,7-3,1: Invalid
// expression; text:".
func tflintFailure(message string) result.Finding {
	f := result.Finding{Kind: result.GenericFinding, Message: strings.TrimSuffix(message, ":")}
	_, why, _ := strings.Cut(f.Message, "; ")
	span, why, ok := strings.Cut(why, ": ")
	path, span, _ := strings.Cut(span, ":")
	line, column, _ := strings.Cut(span, ",")
	column, _, _ = strings.Cut(column, "-")
	if ok && path != "" && lex.IsDigits(line) && lex.IsDigits(column) && len(line)+len(column) < 12 {
		f.At, f.Message = &result.Location{Path: path, Line: lex.Atoi(line), Column: lex.Atoi(column)}, why
	}
	return f
}

// tflintLine reads "Warning: text (rule)", the place below it, and the source:
//
//	Warning: variable "x" is declared but not used (terraform_unused_declarations)
//
//	  on main.tf line 3:
//	   3: variable "x" {}
func tflintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	word, message := read.CutSeverity(strings.ReplaceAll(text, "Notice: ", "Info: "))
	if message, rule := read.Parens.Cut(message); word != "" && rule != "" && l.Text[0] != ' ' {
		message = strings.TrimPrefix(message, "[Fixable] ")
		return s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message})
	}
	f := s.Last()
	if rest, ok := strings.CutPrefix(text, "on "); ok && f != nil && f.At == nil {
		path, line, _ := strings.Cut(rest, " line ")
		if n, _, _ := strings.Cut(strings.TrimSuffix(line, ":"), ","); lex.IsDigits(n) && len(n) < 9 {
			f.At = &result.Location{Path: path, Line: lex.Atoi(n)}
		}
		return s.More(l)
	}
	switch message, failed := strings.CutPrefix(text, "Failed to "); {
	case failed && l.Stream == tool.Stderr:
		return s.Find(l, tflintFailure("Failed to "+message))
	case strings.HasSuffix(text, " issue(s) found:"):
		return s.Sign(l)
	case f != nil && (strings.HasPrefix(l.Text, " ") || strings.HasPrefix(text, "Reference: ")):
		return s.More(l)
	}
	return false
}
