package reports

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
)

// Written is a file, or a directory of files, that a command line says it writes.
type Written struct {
	Path   string // relative to where the command starts, a preceding "cd DIR &&" included
	Role   tool.Role
	Append bool // ">>": the file may hold bytes of earlier runs
}

// maxWritten bounds the files of one command line that are considered.
const maxWritten = 32

// WrittenBy returns the reports and outputs that a command line names: by flags of its tools, behind any wrapper,
// and by redirections. Names that the shell would have to expand are left out.
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

// knownNames leaves out names that need expansion, and devices.
func knownNames(all []Written) []Written {
	all = slices.DeleteFunc(all, func(w Written) bool {
		return w.Path == "" || w.Path == "." || shell.Expanded(w.Path) || w.Path == "-" || isDevice(w.Path) || strings.HasPrefix(w.Path, "~")
	})
	return all[:min(len(all), maxWritten)]
}

// RoleOf is the role of a file that was recorded with a run: the one that the command line gives it, or else a
// report.
func (c *Catalog) RoleOf(argv []string, shellText, name string) tool.Role {
	for _, w := range c.WrittenBy(argv, shellText) {
		if path.Clean(w.Path) == path.Clean(name) {
			return w.Role
		}
	}
	return tool.RoleReport
}

// writes returns the files that one simple command names.
func (c *Catalog) writes(s shell.Step) (all []Written) {
	for _, r := range s.Redirects {
		if w, ok := redirection(r.Op, r.Target); ok && !s.IsTyped() {
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
		if lex.IsAssignment(arg) && s.Argv[0] != "export" { // an argument of env or cross-env
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

// redirection reads "2>> FILE". ok is false for "2>&1", which names no file.
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

// flagWrites reads one argument, and the next one if that is its value.
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

// reporterFile returns the file in the value of a reporter flag: "--format junit:FILE", "--logger
// junit;LogFilePath=FILE".
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

// isDevice reports whether a path names a device; files in memory are none.
func isDevice(path string) bool {
	return strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/dev/shm/")
}
