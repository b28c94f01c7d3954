package reports

import (
	"cmp"
	"path"
	"slices"
	"strings"

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

// WrittenByEnv returns the reports that an environment, a list of NAME=VALUE, tells the tools to write.
func (c *Catalog) WrittenByEnv(env []string) (all []Written) {
	for _, e := range env {
		all = append(all, c.variableWrites(e, env)...)
	}
	return knownNames(all)
}

// variableWrites returns the reports that one variable of an environment names.
func (c *Catalog) variableWrites(e string, env []string) []Written {
	name, value, ok := strings.Cut(e, "=")
	switch {
	case !ok || value == "":
	case c.folders[name]:
		return []Written{{Path: value, Role: tool.RoleReport}}
	case c.files[name]:
		if dir, ok := strings.CutSuffix(name, "_NAME"); ok && slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, dir+"_DIR=") }) {
			return nil // the neighbour in _DIR names the folder
		}
		if strings.Contains(path.Base(value), "[hash]") {
			value = path.Dir(value)
		}
		return []Written{{Path: value, Role: tool.RoleReport}}
	case c.asFlag[name] != "":
		return c.flagWrites("", c.asFlag[name]+value, "")
	case c.argsOf[name] != "":
		var all []Written
		args := strings.Fields(value)
		for i, arg := range args {
			next := ""
			if i+1 < len(args) {
				next = args[i+1]
			}
			all = append(all, c.flagWrites(c.argsOf[name], arg, next)...)
		}
		return all
	}
	return nil
}
