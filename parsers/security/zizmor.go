package security

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("zizmor", func(p *tool.Parser) {
	p.Is("zizmor", result.Security, 1, "zizmor 1.x: plain, json, sarif, github")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Clean: true, Items: read.Items(zizmorItem, "/*", "/findings/*")}.Parse})
	p.Reads(tool.Format{Name: "sarif", Parse: read.SARIF(zizmorResult)})
	p.Reads(tool.Format{Name: "text", Parse: read.Lines((*zizmor).line)})
})

// zizmorItem reads a finding of the JSON, whose lines and columns count from 0.
func zizmorItem(s *read.Sink, v *struct {
	Ident, Desc, URL string
	Determinations   struct{ Severity string }
	Locations        []struct {
		Symbolic struct {
			Key struct {
				Local struct {
					Given    string `json:"given_path"`
					Verbatim string `json:"verbatim_path"`
				}
			}
			Kind string
		}
		Concrete struct {
			Location struct {
				Start struct{ Row, Column int } `json:"start_point"`
			}
		}
	}
}) {
	f := result.Finding{Severity: cmp.Or(result.Severity(lex.Means(v.Determinations.Severity, "error: High; warning: Medium")), result.SevInfo), RawSeverity: strings.ToLower(v.Determinations.Severity), Rule: v.Ident, RuleURL: v.URL, Message: v.Desc}
	for _, at := range v.Locations {
		if at.Symbolic.Kind == "Primary" || f.At == nil {
			start := at.Concrete.Location.Start
			f.At = &result.Location{Path: cmp.Or(at.Symbolic.Key.Local.Given, at.Symbolic.Key.Local.Verbatim), Line: start.Row + 1, Column: start.Column + 1}
		}
	}
	s.FindHere(f)
}

type zizmor struct{ read.Framed }

// line reads a finding in a frame or in GitHub's form, and the errors that stop the program.
func (p *zizmor) line(s *read.Sink, l tool.Line) bool {
	if p.Line(s, l) {
		return true
	}
	if w, ok := read.CutWorkflow(l.Text); ok && w.Title != "" {
		_, message, _ := strings.Cut(w.Message, ": ")
		message, _, _ = strings.Cut(message, ": ")
		return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), Rule: w.Title, Message: message, At: &w.At})
	}
	text := strings.TrimSpace(l.Text)
	message, fatal := strings.CutPrefix(text, "fatal: ")
	usage, wrong := strings.CutPrefix(text, "error: ")
	switch {
	case fatal:
		return s.Misuse(l, message)
	case wrong && len(s.Findings) == 0 && strings.Contains(text, " argument"):
		return s.Misuse(l, usage)
	case s.Last() != nil && s.Meaning == result.MeansUsage && text != "":
		return s.More(l)
	case strings.HasPrefix(text, "No findings to report"), strings.Contains(text, " findings (") && strings.HasSuffix(text, "high"), strings.HasPrefix(text, "INFO zizmor: "), strings.HasPrefix(text, "INFO audit: zizmor: "):
		return s.Sign(l)
	}
	return false
}

// zizmorResult removes from a result of SARIF the texts that the other formats do not have.
func zizmorResult(f *result.Finding) {
	f.Rule = strings.TrimPrefix(f.Rule, "zizmor/")
	f.Message, _, _ = strings.Cut(f.Message, ": ")
}
