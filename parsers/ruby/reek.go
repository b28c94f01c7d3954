package ruby

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("reek", func(p *tool.Parser) {
	p.Is("reek", result.Lint, 1, "reek 4 to 6: grouped by file, and --single-line")
	p.Exits = map[int]result.Meaning{1: result.MeansUsage, 2: result.MeansFindings}
	p.Reads(tool.Format{Name: "text", Starts: []string{"[… [https://github.com/troessner/reek/", "1… total warning", "2… total warnings", "3… total warnings", "4… total warnings", "5… total warnings", "6… total warnings", "7… total warnings", "8… total warnings", "9… total warnings"}, Named: true, Parse: read.Rows{Rows: []read.Row{
		{Form: "{path} -- {} warning{}", As: read.InPath},
		{Form: "  [{line}]:{rule}: {message}", As: read.Warning, Fit: reekFit}, {Form: "  [{line}, {}]:{rule}: {message}", As: read.Warning, Fit: reekFit},
		{Form: "  {path}:{line}: {rule}: {message}", As: read.Warning}, {Form: "{} total warning{}", As: read.Close},
	}}.Parse})
})

// reekFit removes the address of the rule's page.
func reekFit(f *result.Finding) { f.Message, _, _ = strings.Cut(f.Message, " [https://") }
