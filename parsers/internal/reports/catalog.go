package reports

import (
	"cmp"
	"slices"

	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
)

// Catalog holds what all tools declare about the files that their runs write.
type Catalog struct {
	tools     shell.Tools
	flags     map[string][]tool.FileFlag
	arguments []func(arg, next string) []string
	files     map[string]bool   // variables that name a report
	folders   map[string]bool   // variables that name a directory of reports
	argsOf    map[string]string // variables that hold arguments of a program, with the program
	asFlag    map[string]string
	entries   []entry // the tools that write reports by default, in their order
}

// entry is one tool's declaration of places.
type entry struct {
	parser   *tool.Parser
	files    *tool.Files
	programs []string
}

// NewCatalog collects the declarations of the parsers.
func NewCatalog(parsers []*tool.Parser, tools shell.Tools) *Catalog {
	c := &Catalog{tools: tools, flags: map[string][]tool.FileFlag{}, files: map[string]bool{}, folders: map[string]bool{}, argsOf: map[string]string{}, asFlag: map[string]string{}}
	for _, p := range parsers {
		for i := range p.Files {
			c.add(p, &p.Files[i])
		}
	}
	return c
}

func (c *Catalog) add(p *tool.Parser, f *tool.Files) {
	programs := f.Programs
	if programs == nil {
		programs = p.Programs
	}
	for _, flag := range f.Flags {
		flag.Role = cmp.Or(flag.Role, tool.RoleReport)
		c.flags[flag.Flag] = append(c.flags[flag.Flag], flag)
	}
	if f.Argument != nil {
		c.arguments = append(c.arguments, f.Argument)
	}
	for _, name := range f.Variables {
		c.files[name] = true
	}
	for _, name := range f.Folders {
		c.folders[name] = true
	}
	for _, name := range f.Arguments {
		c.argsOf[name] = p.Tool
		if len(programs) > 0 {
			c.argsOf[name] = programs[0]
		}
	}
	for name, flag := range f.AsFlag {
		c.asFlag[name] = flag
	}
	if f.Shared || len(f.Places) > 0 || f.Printed != nil {
		c.entries = append(c.entries, entry{p, f, programs})
	}
}

// declared returns the places of the declaration.
func (e *entry) declared() (all []Place) {
	for _, pattern := range e.files.Places {
		all = append(all, Place{Pattern: pattern})
	}
	if e.files.Shared {
		all = append(all, Shared()...)
	}
	return all
}

// ofProgram returns the places where a program leaves reports; known is false if none are declared.
func (c *Catalog) ofProgram(program string) (all []Place, known bool) {
	for i := range c.entries {
		if e := &c.entries[i]; slices.Contains(e.programs, program) {
			all, known = append(all, e.declared()...), true
		}
	}
	return all, known
}

// Writes reports whether a program writes reports by default.
func (c *Catalog) Writes(program string) bool {
	_, known := c.ofProgram(program)
	return known
}
