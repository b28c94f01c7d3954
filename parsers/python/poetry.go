package python

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("poetry", func(p *tool.Parser) {
	p.Is("poetry", result.Package, 1, "poetry 1 and 2: install, lock, add, check, build, run")
	p.Reads(tool.Format{Name: "text", Parse: read.Said{
		Errors: []string{"Error: "}, Warnings: []string{"Warning: "},
		Whole: []string{
			"Because ", "So, because ", "Could not find a matching version of ", "Unable to find installation candidates for ", "Invalid constraint ", "Group(s) not found",
			"The current project could not be installed", "The current project's supported Python range", "The currently activated Python version ", "Hash for ", "HTTP Error ", "All attempts to connect to ", "Current Python version ", "Failed to read existing lock file", "The lock file is not compatible",
			"Expecting value: ",
		},
		Usage: []string{
			"Poetry could not find a pyproject.toml", "The requested command ", "The option ", "The Poetry configuration is invalid", "Either [project.name] or [tool.poetry.name] is required", "Not enough arguments", "No arguments expected", "Too many arguments", "Too few arguments", "The group ",
			"pyproject.toml changed significantly since poetry.lock", "poetry.lock is not up to date", "Invalid TOML file", "Unexpected character: ", "Unable to parse ", "'int' object has no attribute",
		},
		Other: poetryLine,
	}.Parse})
	p.Reads(started("Command not found: ", result.MeansNotFound), read.PythonTrouble("poetry"))
})

// poetryLine reads an exception, the class on a line of its own and the message two
// lines below, and "/srv/x/pyproject.toml is not a valid TOML file.".
func poetryLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	f := s.Last()
	switch {
	case strings.HasPrefix(l.Text, "  ") && !strings.HasPrefix(l.Text, "   ") && strings.HasSuffix(text, "Error") && !strings.Contains(text, " "):
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Rule: text})
	case f != nil && strings.Contains(f.Message, " configuration is invalid:") && strings.HasPrefix(l.Text, "  - "):
		f.Message = strings.Replace(f.Message+"; "+l.Text[len("  - "):], " invalid:; ", " invalid: ", 1)
		return s.More(l)
	case f != nil && f.Rule != "" && f.Message == "":
		f.Message = text
		return s.More(l)
	case strings.Contains(text, "pyproject.toml is not a valid TOML file"), strings.HasPrefix(text, "Invalid TOML file "):
		return s.Misuse(l, text)
	}
	return false
}
