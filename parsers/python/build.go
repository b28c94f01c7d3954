package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pyproject-build build", func() *tool.Parser {
	return &tool.Parser{
		Tool: "build", Kind: result.Build, Version: 1,
		About:    "build 0.7 to 1.3, python -m build",
		Programs: []string{"pyproject-build"},
		Formats: []tool.Format{
			{Name: "text", Starts: []string{"ERROR Backend ", "ERROR Source "}, Named: true, Parse: read.Said{Kind: result.BuildError, Errors: []string{"ERROR "}, Warnings: []string{"WARNING "}}.Parse},
			read.PythonTrouble("pyproject-build", "build"),
		},
	}
})
