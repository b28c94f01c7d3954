package data

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

// sqlfmt prints the files that it would change, or cannot read:
//
//	sql/bad.sql failed formatting check.
//	sql/bad.sql would be formatted.             --diff
//	models/x.sql
//	    sqlfmt encountered an error: Parse error at position 4
var _ = Room.Add("sqlfmt", func(p *tool.Parser) {
	p.Is("sqlfmt", result.Format, 1, "sqlfmt 0.9 and later: --check, --diff")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: []read.Row{
		{Form: "{word} file {}", As: read.Close},
		{Form: "{word} files {}", As: read.Close},
		{Form: "{path} failed formatting check.", Fit: sqlfmtFile},
		{Form: "{path} would be formatted.", Fit: sqlfmtFile},
		{Form: "    sqlfmt encountered an error: {message}"},
		{Form: "{path}", As: read.InPath},
	}}.Parse})
	p.Reads(read.PythonTrouble("sqlfmt"))
})

func sqlfmtFile(f *result.Finding) {
	f.Rule, f.Message, f.Fixable = "unformatted", "failed formatting check", true
}
