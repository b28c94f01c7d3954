package reports

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Place is a pattern for paths of reports that no command line names: slash-separated elements in which "*" stands
// for any run of characters of one element, as in path.Match.
type Place struct {
	Dir     string // the directory of the pattern, relative to where the command starts
	Pattern string
	Gate    string // a file in Dir that must exist, or there are no reports; "": no condition
}

// shared are places where the usual reporters of many tools write.
var shared = [...]string{
	"junit.xml", "report.xml", "results.xml", "test-results.xml", "test-report.xml",
	"test-results/*.xml", "test-results/*/*.xml", "test-reports/*.xml",
	"reports/*.xml", "reports/*/*.xml", "junit/*.xml", "coverage/junit.xml",
	"test/reports/TEST-*.xml", "TestResults/*.trx",
}

// Shared returns the places where reports of many tools are.
func Shared() (all []Place) {
	for _, pattern := range shared {
		all = append(all, Place{Pattern: pattern})
	}
	return all
}

// PlacesOf returns where the programs of a command line may write reports by default. Most programs write none.
func (c *Catalog) PlacesOf(argv []string, shellText string) (all []Place) {
	for _, s := range c.tools.CommandsOf(argv, shellText) {
		dir := shell.JoinDir(s.Dir, c.tools.Unwrap(s.Argv, "").Dir)
		for _, p := range c.placesFor(s) {
			if p.Dir = dir; !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func (c *Catalog) placesFor(s shell.Step) []Place {
	if s.Opaque {
		return c.anywhere()
	}
	program := c.tools.Unwrap(s.Argv, "").Program()
	if shell.RunsOthers(program) {
		return c.anywhere()
	}
	if all, known := c.ofProgram(program); known {
		return all
	}
	if shell.IsPython(program) {
		return Shared() // a script, or a module that runs tests
	}
	if strings.ContainsAny(s.Argv[0], `/\`) && !result.IsAbsolute(s.Argv[0]) {
		return c.anywhere() // a script of the project
	}
	return nil
}

// anywhere returns the places for a command that may run anything; a tool's places count only if one of its Homes
// exists.
func (c *Catalog) anywhere() []Place {
	all := Shared()
	for _, e := range c.entries {
		for _, home := range e.files.Homes {
			for _, pattern := range e.files.Places {
				all = append(all, Place{Pattern: pattern, Gate: home})
			}
		}
	}
	return all
}

// PlacesSeen returns where reports may be, judged by the output: by the tools that were recognised, and by its
// lines.
func (c *Catalog) PlacesSeen(recognised func(p *tool.Parser) bool, lines []string) (all []Place) {
	ran := make([]bool, len(c.entries))
	for i, e := range c.entries {
		ran[i] = recognised(e.parser)
	}
	for _, line := range lines {
		for i, e := range c.entries {
			if e.files.Printed == nil {
				continue
			}
			report, seen := e.files.Printed(line)
			if ran[i] = ran[i] || seen; report != "" {
				all = append(all, Place{Dir: path.Dir(report), Pattern: path.Base(report)})
			}
		}
	}
	for i, e := range c.entries {
		if !ran[i] {
			continue
		}
		for _, p := range e.declared() {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}
