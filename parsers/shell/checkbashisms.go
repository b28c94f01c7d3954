package shell

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("checkbashisms", func() *tool.Parser {
	return &tool.Parser{
		Tool: "checkbashisms", Kind: result.Lint, Version: 1,
		About: "checkbashisms of devscripts",
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"possible bashism in "}, Named: true, Parse: read.Rows{
				Rows: []read.Row{
					{Form: "possible bashism in {path} line {line} ({message}):", As: read.Warning},
					{Form: "cannot open script {}", As: read.Misuse},
					{Form: "script {} does not appear to {}", As: read.Misuse},
					{Form: "could not find any possible bashisms in bash script {}", As: read.Misuse},
				},
				Below: read.OneLine, // the source
			}.Parse},
		},
	}
})
