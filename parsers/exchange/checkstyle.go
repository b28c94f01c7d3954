package exchange

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("checkstyle-xml", result.Lint, 1, "the XML of Checkstyle, as other linters write it")
	p.Reads(tool.Format{
		Name: "checkstyle", Evidence: tool.Shape,
		Starts: []string{"<checkstyle", "<?xml…<checkstyle"},
		Parse:  anyones(read.Checkstyle(nil)),
	})
})

// anyones makes a report unsigned: the end of a document in this format does not show which tool wrote it.
func anyones(parse func(*tool.Input) *tool.Report) func(*tool.Input) *tool.Report {
	return func(in *tool.Input) *tool.Report {
		r := parse(in)
		if r != nil {
			r.Signed = false
		}
		return r
	}
}
