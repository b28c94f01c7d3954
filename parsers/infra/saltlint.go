package infra

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("salt-lint", func(p *tool.Parser) {
	p.Is("salt-lint", result.Lint, 1, "salt-lint 0.9: default, --severity, json")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/*"}, Clean: true, Path: "filename", Line: "linenumber", Rule: "id", Severity: "severity", Message: "message", Fit: saltFit,
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{ // "[201] [INFO] Trailing whitespace", and the place below it
		{Form: "[{rule}] [{}] {message}", As: read.Error}, {Form: "[{rule}] {message}", As: read.Error}, {Form: "{path}:{line}", As: read.Fill},
	}, Below: func(_ *read.Sink, l tool.Line) bool { return l.Text != "" }}.Parse})
	p.Reads(read.PythonTrouble("salt-lint"))
})

// saltFit drops the severity, which the text format prints only on request.
func saltFit(f *result.Finding) { f.Severity, f.RawSeverity = "", strings.ToLower(f.RawSeverity) }
