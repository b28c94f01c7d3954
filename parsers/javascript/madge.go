package javascript

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

// madge numbers the cycles of files that import each other, "1) a.ts > b.ts"; with --json each cycle is a list. Its
// other lists, such as all files with their imports, have no findings.
var _ = Room.Add("madge", func(p *tool.Parser) {
	p.Is("madge", result.Lint, 1, "madge 5 to 8: --circular, text and --json")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Rows: madgeRows}.Parse})
	p.Reads(tool.Format{Name: "json", Parse: read.IfFound(read.JSON{Items: read.Items(func(s *read.Sink, files *[]string) {
		if len(*files) > 0 {
			s.FindHere(madgeCircle(*files))
		}
	}, "/*")}.Parse)})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("✖ Error: ", "error: ")})
})

var madgeRows = []read.Row{
	{Form: "✖ Found {#problems} circular dependenc{}", As: read.Close},
	{Form: "✔ No circular dependency found{}", As: read.Close},
	{Form: "{line}) {message}", Fit: func(f *result.Finding) { *f = madgeCircle(strings.Split(f.Message, " > ")) }},
}

func madgeCircle(files []string) result.Finding {
	return result.Finding{Rule: "circular", Message: strings.Join(files, " > "), At: &result.Location{Path: files[0]}}
}
