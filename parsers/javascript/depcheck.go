package javascript

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("depcheck", func(p *tool.Parser) {
	p.Is("depcheck", result.Lint, 1, "depcheck 1: text, --oneline and --json")
	p.Reads(tool.Format{Name: "json", Parse: read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/dependencies/*": depcheckUnused(unusedDeps), "/devDependencies/*": depcheckUnused(unusedDev), "/missing": read.Item(depcheckMissing),
	}}.Parse})
	p.Reads(tool.Format{Name: "text", Starts: []string{"Unused dependencies", "Unused devDependencies", "Missing dependencies", "No depcheck issue"}, Sniff: isDepcheck, Parse: read.Text{Line: depcheckLine}.Parse})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Path ", "Error: ", "SyntaxError: ")})
})

// The lists of depcheck, by their headings.
const (
	unusedDeps = "Unused dependencies"
	unusedDev  = "Unused devDependencies"
	missing    = "Missing dependencies"
	noIssue    = "No depcheck issue"
)

func isDepcheck(line string) bool {
	return slices.Contains([]string{unusedDeps, unusedDev, missing, noIssue}, strings.TrimSpace(line))
}

// depcheckLine reads the heading of a list and its rows, "* name" or "* name: ./src/index.js".
func depcheckLine(s *read.Sink, l tool.Line) bool {
	name, row := strings.CutPrefix(l.Text, "* ")
	switch {
	case isDepcheck(l.Text):
		s.Path = strings.TrimSpace(l.Text)
		return s.Sign(l)
	case row && s.Path != "":
		name, where, _ := strings.Cut(name, ": ")
		return s.Find(l, depcheckFinding(s.Path, name, where))
	case s.Path != "" && l.Text != "" && l.Text[0] != ' ': // --oneline
		for name := range strings.FieldsSeq(l.Text) {
			s.Find(l, depcheckFinding(s.Path, name, ""))
		}
		s.Path = ""
		return true
	}
	s.Path = ""
	return false
}

// depcheckFinding returns the finding for a package that package.json lists but no file uses, or that a file imports
// but package.json does not list.
func depcheckFinding(list, name, where string) result.Finding {
	where = cmp.Or(where, "package.json")
	return result.Finding{Rule: list, ID: name, Message: name, At: &result.Location{Path: where}, Package: &result.PackageRef{Ecosystem: "npm", Name: name}}
}

// depcheckUnused reads a name in one of the lists of the json format.
func depcheckUnused(list string) func(s *read.Sink, item []byte) error {
	return read.Item(func(s *read.Sink, name *string) { s.FindHere(depcheckFinding(list, *name, "")) })
}

// depcheckMissing reads the missing packages with the files that import them, and keeps the first file, as the text
// does.
func depcheckMissing(s *read.Sink, wanted *map[string][]string) {
	for _, name := range slices.Sorted(maps.Keys(*wanted)) {
		if files := (*wanted)[name]; len(files) > 0 {
			s.FindHere(depcheckFinding(missing, name, files[0]))
		}
	}
}
