package reports

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
)

// Written is a file, or a directory of files, that a command line names as one
// that it writes.
type Written struct {
	Path   string // with "cd DIR &&" in front of it applied; relative to where the command starts
	Role   tool.Role
	Append bool // ">>": what it held before is not of this run
}

// maxWritten bounds how many files of one command line are looked at.
const maxWritten = 32

// WrittenBy says which reports and outputs a command line names: by the flags
// of the tools that have such, behind whatever wrapper, and by redirection in a
// shell line. What the shell would have to expand is not known.
func (c *Catalog) WrittenBy(argv []string, shellText string) []Written {
	var all []Written
	var exported []string
	for _, s := range c.tools.CommandsOf(argv, shellText) {
		s.Env = append(slices.Clip(exported), s.Env...)
		if len(s.Argv) > 0 && s.Argv[0] == "export" {
			exported = append(exported, s.Argv[1:]...)
		}
		all = append(all, c.writes(s)...)
	}
	return knownNames(all)
}

// knownNames leaves out what is no file, or is not known.
func knownNames(all []Written) []Written {
	all = slices.DeleteFunc(all, func(w Written) bool {
		return w.Path == "" || w.Path == "." || shell.Expanded(w.Path) || w.Path == "-" || strings.HasPrefix(w.Path, "/dev/") || strings.HasPrefix(w.Path, "~")
	})
	return all[:min(len(all), maxWritten)]
}

// RoleOf says what a file that was recorded with a run was to it: what the
// command line says, else a report.
func (c *Catalog) RoleOf(argv []string, shellText, name string) tool.Role {
	for _, w := range c.WrittenBy(argv, shellText) {
		if path.Clean(w.Path) == path.Clean(name) {
			return w.Role
		}
	}
	return tool.RoleReport
}

// writes are the files that one simple command names.
func (c *Catalog) writes(s shell.Step) (all []Written) {
	for _, r := range s.Redirects {
		if w, ok := redirection(r.Op, r.Target); ok {
			all = append(all, w)
		}
	}
	shells := len(all)
	run, env := c.tools.Unwrap(s.Argv, ""), slices.Clone(s.Env)
	for i, arg := range s.Argv {
		next := ""
		if i+1 < len(s.Argv) {
			next = s.Argv[i+1]
		}
		all = append(all, c.flagWrites(run.Program(), arg, next)...)
		if lex.IsAssignment(arg) && s.Argv[0] != "export" { // of env, or cross-env
			env = append(env, arg)
		}
	}
	for _, e := range env {
		all = append(all, c.variableWrites(e, env)...)
	}
	for i := range all {
		dir := s.Dir
		if i >= shells {
			dir = shell.JoinDir(dir, run.Dir)
		}
		all[i].Path = shell.Below(dir, all[i].Path)
	}
	return all
}

// redirection reads "2>> FILE". "2>&1" names no file.
func redirection(op, target string) (w Written, ok bool) {
	w = Written{Path: target, Role: tool.RoleOutput}
	kind := strings.TrimLeft(op, "0123456789")
	switch fd := op[:len(op)-len(kind)]; fd {
	case "", "1":
	case "2":
		w.Role = tool.RoleErrors
	default:
		return w, false
	}
	switch kind {
	case ">", ">|", "&>":
	case ">>", "&>>":
		w.Append = true
	case ">&":
		return w, target != "-" && strings.Trim(target, "0123456789") != ""
	default:
		return w, false
	}
	return w, true
}

// flagWrites reads one argument, and the next where that is its value.
func (c *Catalog) flagWrites(program, arg, next string) (all []Written) {
	if len(arg) < 2 || arg[0] != '-' {
		return nil
	}
	name, value, joined := strings.Cut(arg, "=")
	if !joined {
		value = next
	}
	for _, read := range c.arguments {
		for _, file := range read(arg, next) {
			all = append(all, Written{Path: file, Role: tool.RoleReport})
		}
	}
	if file := reporterFile(name, value); file != "" {
		all = append(all, Written{Path: file, Role: tool.RoleReport})
	}
	if len(all) > 0 || strings.HasPrefix(value, "-") || value == "stdout" || value == "stderr" {
		return all
	}
	for _, f := range c.flags[name] {
		if len(f.Of) == 0 || slices.Contains(f.Of, program) {
			return []Written{{Path: value, Role: f.Role}}
		}
	}
	return nil
}

// reporterFile is the file that stands behind the name of a reporter:
// "--format junit:FILE", "--logger junit;LogFilePath=FILE".
func reporterFile(flag, value string) string {
	switch flag {
	case "--format", "-f", "--reporter", "-r", "--logger", "-l":
		for _, kind := range [...]string{"junit::out=", "junit:", "xunit:", "junit;LogFilePath="} {
			if n := len(kind); len(value) > n && strings.EqualFold(value[:n], kind) {
				return value[n:]
			}
		}
	}
	return ""
}
