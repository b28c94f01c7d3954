package infra

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("nsd-checkzone", func(p *tool.Parser) {
	p.Is("nsd-checkzone", result.Infra, 1, "nsd-checkzone 4: what is wrong in a zone")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "[{}] nsd-checkzone[{}]: {severity}: {path}:{line}: {message}"}, {Form: "[{}] nsd-checkzone[{}]: {severity}: {message}"},
		{Form: "zone {} file {} has {} errors", As: read.Close},
	}}.Parse)})
})
