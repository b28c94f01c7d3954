package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("yamllint", func() *tool.Parser {
	return &tool.Parser{
		Tool: "yamllint", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About: "yamllint 1.26 to 1.37: standard, colored, parsable, github",
		Exits: map[int]result.Meaning{-1: result.MeansUsage, 255: result.MeansUsage},
		Formats: []tool.Format{
			{Name: "parsable", Parse: read.Linter{Rule: read.Parens, Accept: func(d *read.Diagnostic) bool { return d.Word != "" }}.Parse},
			{Name: "standard", Parse: read.Grouped{Row: read.RowForm{Rule: read.Parens}, Usage: []string{"invalid config: ", "[Errno "}}.Parse},
			{Name: "github", Parse: read.Text{Line: yamllintWorkflow}.Parse},
			read.PythonTrouble("yamllint"),
		},
	}
})

// yamllintWorkflow reads "::error file=a.yml,line=5,col=22::5:22 [commas] text".
func yamllintWorkflow(s *read.Sink, l tool.Line) bool {
	w, ok := read.CutWorkflow(l.Text)
	_, text, has := strings.Cut(w.Message, " [")
	rule, message, _ := strings.Cut(text, "] ")
	if _, text, cut := strings.Cut(w.Message, " syntax error: "); cut {
		rule, message, has = "syntax", "syntax error: "+strings.TrimSuffix(text, " (syntax)"), true
	}
	if !ok || !has || message == "" {
		return strings.HasPrefix(l.Text, "::group::") || l.Text == "::endgroup::"
	}
	return s.Find(l, result.Finding{Severity: read.SeverityOf(w.Word), RawSeverity: w.Word, Rule: rule, Message: message, At: &w.At})
}
