package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("hatch", func() *tool.Parser {
	return &tool.Parser{
		Tool: "hatch", Kind: result.Package, Version: 1,
		About: "hatch 1: build, env, run, version, publish",
		Exits: map[int]result.Meaning{2: result.MeansUsage},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Whole: []string{"Cannot import '", "Environment `", "Unable to locate ", "Unable to determine which files", "Missing `", "Invalid version "},
			Usage: []string{"No project detected", "Unknown build target", "Field `", "Invalid TOML"},
		}.Parse}, started("Unknown environment: ", result.MeansUsage), read.PythonTrouble("hatch")},
	}
})
