package infra

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("stunnel | stunnel4", func(p *tool.Parser) {
	p.Is("stunnel", result.Infra, 1, "stunnel 5: a configuration that it does not take")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.GenericFinding, Rows: []read.Row{
		{Form: "[!] Configuration failed", As: read.Close}, {Form: "[!] realpath: {}", As: read.More}, {Form: "[!] {path}:{line}: {message}"}, {Form: "[!] {message}"},
		{Form: "[.] {}", As: read.Skip}, {Form: "[ ] {}", As: read.Skip},
	}}.Parse)})
})
