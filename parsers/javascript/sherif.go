package javascript

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("sherif", func(p *tool.Parser) {
	p.Is("sherif", result.Lint, 1, "sherif 1: default")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: sherif.Parse})
})

// sherif reads a file's name, each issue in the file, and the expected content below the issue.
var sherif = read.Rows{
	Rows: []read.Row{
		{Form: "{} found in {path}:", As: read.InPath},
		{Form: "{} found ({}", As: read.Close},
		{Form: " ⨯ error {message} {rule}", As: read.Error, Fit: ofAllPackages},
		{Form: " ⚠️ warning {message} {rule}", As: read.Warning, Fit: ofAllPackages},
	},
	Below: read.Indented,
}

// ofAllPackages removes the place "./" of an issue that concerns the whole workspace.
func ofAllPackages(f *result.Finding) {
	if f.At != nil && f.At.Path == "./" {
		f.At = nil
	}
}
