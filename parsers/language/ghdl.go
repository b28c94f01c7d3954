package language

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ghdl", func(p *tool.Parser) {
	p.Is("ghdl", result.Build, 1, "GHDL 1 to 5: analysis and elaboration, and what a simulation asserts and reports, without notes")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Kind: result.BuildError, Below: read.Indented, Rows: []read.Row{
		{Form: "{path}:{line}:{column}:@{}:({} note): {}", As: read.Skip}, {Form: "{path}:{line}:{column}:@{}:({} {severity}): {message}"},
		{Form: "{path}:{line}:{column}:{severity}: {message}"}, {Form: "{path}:{line}:{column}: {message}"},
		{Form: "{}: compilation error", As: read.Close}, {Form: "{}:error: simulation failed", As: read.Close}, {Form: "{}:error: {} failed", As: read.Skip},
		{Form: "{}:error: {message} at {path}:{line}"}, {Form: "in process {}", As: read.Skip},
	}}.Parse})
})
