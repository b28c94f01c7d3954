package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("invoke inv | fab", func(p *tool.Parser) {
	p.Is("invoke", result.Build, 1, "invoke and fabric 2: what is no task; a command that failed prints what it prints")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.BuildError, Rows: []read.Row{
		{Form: "No idea what '{}' is!", As: read.Misuse}, {Form: "Can't find any collection named '{}", As: read.Misuse}, {Form: "'{}' did not receive {}", As: read.Misuse},
		{Form: "Encountered a bad command exit code!", Fit: func(f *result.Finding) { f.Message = "Encountered a bad command exit code!" }}, // its output was hidden
		{Form: "Command: {message}", As: read.Fill, Fit: func(f *result.Finding) { f.Message = "command failed: " + f.Message }},
	}}.Parse)})
})
