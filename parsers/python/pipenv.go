package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pipenv", func() *tool.Parser {
	return &tool.Parser{
		Tool: "pipenv", Kind: result.Package, Version: 1,
		About: "pipenv 2018 to 2026: install, lock, sync, run, check",
		Exits: map[int]result.Meaning{2: result.MeansUsage, 127: result.MeansNotFound},
		Formats: []tool.Format{{Name: "text", Parse: read.Said{
			Errors: []string{"ERROR:pip.subprocess: ", "ERROR: ", "Error: ", "[ResolutionFailure]: ", "[pipenv.exceptions.", "Aborting deploy: "}, Warnings: []string{"Warning: "},
			Whole: []string{"Error:  the command ", "Your Pipfile.lock ", "Pipfile.lock is out-of-date", "No Pipfile present at project home"},
		}.Parse}, read.PythonTrouble("pipenv")},
	}
})
