package shell

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkbashisms", func(p *tool.Parser) {
	p.Is("checkbashisms", result.Lint, 1, "checkbashisms of devscripts")
	p.Reads(tool.Format{Name: "text", Starts: []string{"possible bashism in "}, Named: true, Parse: read.Rows{
		Rows: []read.Row{
			{Form: "possible bashism in {path} line {line} ({message}):", As: read.Warning},
			{Form: "cannot open script {}", As: read.Misuse},
			{Form: "script {} does not appear to {}", As: read.Misuse},
			{Form: "could not find any possible bashisms in bash script {}", As: read.Misuse},
		},
		Below: read.OneLine, // the source
	}.Parse})
})
