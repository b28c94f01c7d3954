package security

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("brakeman", func(p *tool.Parser) {
	p.Is("brakeman", result.Security, 1, "Brakeman 4 to 7: text, json; sarif, junit and github are anyone's")
	p.Exits = map[int]result.Meaning{3: result.MeansFindings, 4: result.MeansUsage, 7: result.MeansInternal}
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"scan_info":{"app_path":`}, Named: true, Parse: read.Objects{
		At: []string{"/warnings/*"}, Clean: true, Path: "file", Line: "line", Rule: "check_name", Message: "message", Fit: func(f *result.Finding) { f.Severity = result.SevWarning },
	}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"== Brakeman Report =="}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "Confidence: {}", As: read.Warning}, {Form: "Check: {rule}", As: read.Fill}, {Form: "Message: {message}", As: read.Fill},
		{Form: "File: {path}", As: read.Fill}, {Form: "Line: {line}", As: read.Fill}, {Form: "Category: {}", As: read.More}, {Form: "Code: {}", As: read.More},
		{Form: "== Warnings ==", As: read.Close}, {Form: "Security Warnings: {}", As: read.Skip},
	}}.Parse})
})
