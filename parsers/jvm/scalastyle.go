package jvm

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("scalastyle | scalastyle-batch", func(p *tool.Parser) {
	p.Is("scalastyle", result.Lint, 1, "scalastyle 1: text")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"error file=", "warning file=", "info file="}, Named: true, Parse: read.Rows{Closes: true, Rows: []read.Row{
		{Form: "{severity} file={path} message={message} line={line} column={column}"},
		{Form: "{severity} file={path} message={message} line={line}"},
		{Form: "{severity} file={path} message={message}"},
		{Form: "Found {#error} errors", As: read.Count},
		{Form: "Found {#warning} warnings", As: read.Count},
		{Form: "Finished in {} ms", As: read.Close},
	}}.Parse})
})
