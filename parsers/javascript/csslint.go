package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("csslint", func(p *tool.Parser) {
	p.Is("csslint", result.Lint, 1, "csslint 0.10 and 1: text, compact, lint-xml, csslint-xml, checkstyle-xml, junit-xml, json")
	p.Reads(tool.Format{Name: "text", Starts: []string{"csslint: There are ", "csslint: There is "}, Named: true, Parse: read.Rows{Rows: csslintRows, Below: csslintBelow}.Parse})
	p.Reads(tool.Format{Name: "lint-xml", Parse: read.XMLByShape("lint", nil)})
	p.Reads(tool.Format{Name: "csslint-xml", Parse: read.XMLByShape("csslint", nil)})
	p.Reads(tool.Format{Name: "json", Parse: read.JSONByShape(`"messages":`, nil)})
	p.Reads(tool.Format{Name: "checkstyle-xml", Parse: read.Checkstyle(read.BareRule("net.csslint."))})
	p.Reads(tool.Format{Name: "junit-xml", Parse: junit.Lints})
})

// csslintRows reads "csslint: There are 7 problems in F." and, for each problem, a line with its number and place and
// a line with its text; or a problem in one line, "F: line 1, col 2, Error - text (rule)".
var csslintRows = []read.Row{
	{Form: "csslint: There {} problem{} in {path}.", As: read.InPath},
	{Form: "csslint: No errors {}", As: read.Close},
	{Form: "csslint: {message}", As: read.Misuse},
	{Form: "{path}: line {line}, col {column}, {severity} - {message} ({rule})"},
	{Form: "{}: {severity} at line {line}, col {column}", Fit: func(f *result.Finding) { f.Message = f.RawSeverity }},
}

// csslintBelow takes the text of a problem and the source below the text.
func csslintBelow(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f != nil && f.Detail == "" && l.Text != "" && f.Rule == "" {
		f.Message = strings.Clone(l.Text)
	}
	return f != nil && f.Rule == "" && l.Text != ""
}
