package php

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("psalm | psalm.phar", func(p *tool.Parser) {
	p.Is("psalm", result.Typecheck, 1, "Psalm 4 to 6: console; from its documentation")
	p.ColumnUnit = "char"
	p.Exits = map[int]result.Meaning{1: result.MeansInternal, 2: result.MeansFindings}
	p.Reads(tool.Format{Name: "console", Parse: read.Rows{Rows: []read.Row{
		{Form: "{severity}: {rule} - {path}:{line}:{column} - {message} (see {url})"}, {Form: "{severity}: {rule} - {path}:{line}:{column} - {message}"},
	}, Below: read.Indented, End: read.Unseen}.Parse})
})
