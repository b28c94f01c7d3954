package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("autopep8", func() *tool.Parser {
	return &tool.Parser{
		Tool: "autopep8", Kind: result.Format, Version: 1,
		About:   "autopep8 1.x and 2.x: --diff --exit-code",
		Exits:   map[int]result.Meaning{99: result.MeansUsage},
		Formats: []tool.Format{{Name: "diff", Parse: read.Patch{Says: unformatted, Other: notThere}.Parse}, read.PythonTrouble("autopep8")},
	}
})
