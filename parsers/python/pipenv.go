package python

import (
	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("pipenv", func(p *tool.Parser) {
	p.Is("pipenv", result.Package, 1, "pipenv 2018 to 2026: install, lock, sync, run, check")
	p.Exits = map[int]result.Meaning{2: result.MeansUsage, 127: result.MeansNotFound}
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"ERROR:pip.subprocess: ", "ERROR: ", "Error: ", "[ResolutionFailure]: ", "[pipenv.exceptions.", "Aborting deploy: "}, Warnings: []string{"Warning: "},
		Whole: []string{"Error:  the command ", "Your Pipfile.lock ", "Pipfile.lock is out-of-date", "No Pipfile present at project home"},
	}.Parse})
	p.Reads(read.PythonTrouble("pipenv"))
})
