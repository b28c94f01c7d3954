package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("hatch", func(p *tool.Parser) {
	p.Is("hatch", result.Package, 1, "hatch 1: build, env, run, version, publish")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Whole: []string{"Cannot import '", "Environment `", "Unable to locate ", "Unable to determine which files", "Missing `", "Invalid version "},
		Usage: []string{"No project detected", "Unknown build target", "Field `", "Invalid TOML"},
	}.Parse})
	p.Reads(started("Unknown environment: ", result.MeansUsage), read.PythonTrouble("hatch"))
})
