package reports

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/tool"
)

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
