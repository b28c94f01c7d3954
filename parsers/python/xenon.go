package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("xenon", func(p *tool.Parser) {
	p.Is("xenon", result.Lint, 1, "xenon 0.9: ranks of complexity")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"ERROR:xenon:"}, Parse: read.Rows{Rows: []read.Row{
		{Form: `{severity}:xenon:block "{path}:{line} {id}" {message}`, Fit: func(f *result.Finding) { f.Message = "block " + f.Message }},
		{Form: "{severity}:xenon:cannot parse {path}: {message} (<unknown>, line {line})", Fit: xenonFile},
		{Form: "{severity}:xenon:cannot parse {path}: {message}", Fit: xenonFile},
		{Form: "{severity}:xenon:module '{path}' {message}", Fit: func(f *result.Finding) { f.Message = "module " + f.Message }},
		{Form: "{severity}:xenon:{message}"},
	}}.Parse})
	p.Reads(read.PythonTrouble("xenon"))
})

func xenonFile(f *result.Finding) { f.Message = "cannot parse: " + f.Message }
