package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// detect-secrets-hook prints the kind of a secret, and its place on the next line.
var _ = Room.Add("detect-secrets-hook detect-secrets", func(p *tool.Parser) {
	p.Is("detect-secrets", result.Security, 1, "detect-secrets 1: detect-secrets-hook")
	p.Reads(tool.Format{Name: "text", Starts: []string{"Secret Type: "}, Parse: read.Rows{Rows: []read.Row{
		{Form: "Secret Type: {message}"},
		{Form: "Location:    {path}:{line}", As: read.Fill},
		{Form: "ERROR: Potential secrets about to be committed{}", As: read.Skip},
		{Form: "Possible mitigations:", As: read.Skip},
		{Form: "  - {}", As: read.Skip},
		{Form: "    #security{}", As: read.Skip},
		{Form: "If a secret has already been committed, visit", As: read.Skip},
		{Form: "https://help.github.com/articles/removing-{}", As: read.Skip},
	}}.Parse})
	p.Reads(read.PythonTrouble("detect-secrets-hook", "detect-secrets"))
})
