package shell

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Command is the program that a command line runs, as far as the line tells.
type Command struct {
	Argv   []string // without wrappers; argv[0] is a base name without ".exe"
	Direct bool     // the exit code of the line is this command's own
	Timed  bool     // timeout(1) runs it, and exits with 124 when it ends the command
	Dir    string   // the directory that the line changes to, relative to the start
	Listed []Command
	Opaque bool // only a shell can tell what the line runs
	// Prelude are the words before the command that prepare the shell for it: "cd api &&".
	Prelude []string

	role // in Listed

	announced []announcement // what it prints before it changes directory

	local       bool // a program or a script of the project, started by its path
	substitutes bool // it runs commands for their output, or reads commands from a file
}

// Program is the base name of the command; a result without a recognised tool is shown under it.
func (c Command) Program() string {
	if len(c.Argv) == 0 {
		return "unknown"
	}
	return c.Argv[0]
}

// DirOf is the directory in which the command line runs the tool that matches accepts. If such commands run in
// different directories, it is the directory in which the line begins.
func (c Command) DirOf(matches func(argv []string) bool) string {
	if len(c.Listed) == 0 {
		return c.Dir
	}
	candidates := slices.DeleteFunc(slices.Clone(c.Listed), func(l Command) bool { return matches == nil || !matches(l.Argv) })
	if len(candidates) == 0 {
		candidates = c.Listed
	}
	for _, l := range candidates {
		if l.Dir != candidates[0].Dir {
			return c.Dir
		}
	}
	return JoinDir(c.Dir, candidates[0].Dir)
}

// ExitOf is the name of the program whose exit code the command line returns.
func (c Command) ExitOf() string {
	if n := len(c.Listed); n > 0 {
		return c.Listed[n-1].Program()
	}
	return c.Program()
}

// maxWrappers bounds how many wrappers are taken off a command such as "env env env …".
const maxWrappers = 12

// Unwrap takes transparent wrappers off a command: programs that run another program, print nothing of their own
// and pass its exit code on. If shellText is not "", it is the command line to read, and argv is ignored.
func (t Tools) Unwrap(argv []string, shellText string) Command {
	if shellText != "" {
		return t.UnwrapShell(shellText, "sh")
	}
	c := Command{Argv: Named(argv), Direct: true, local: isLocal(argv)}
	for range maxWrappers {
		if len(c.Argv) == 0 {
			break
		}
		if line, ok := ShellLine(c.Argv); ok {
			inner := t.UnwrapShell(line, c.Argv[0])
			inner.Timed, inner.Dir = c.Timed || inner.Timed, JoinDir(c.Dir, inner.Dir)
			return inner
		}
		if line, passes := scripted(c.Argv); line != "" {
			inner := t.UnwrapShell(line, "sh")
			inner.Direct, inner.Dir = inner.Direct && passes, JoinDir(c.Dir, inner.Dir)
			return inner
		}
		rest, dir, ok := t.unwrapOne(c.Argv)
		c.Dir = JoinDir(c.Dir, dir)
		if !ok {
			break
		}
		c.Timed = c.Timed || c.Argv[0] == "timeout" || c.Argv[0] == "gtimeout"
		c.Argv, c.local = Named(rest), isLocal(rest)
	}
	return c
}

// UnwrapShell reads a command line. If the line is more than one simple command, the result is named shellText,
// with the line's commands in Listed: its exit status may come from any of them.
func (t Tools) UnwrapShell(line, shellText string) Command {
	l, ok := readLine(line)
	if !ok {
		return Command{Argv: []string{shellText}, Opaque: true}
	}
	if argv, s, ok := l.command(); ok {
		c := t.Unwrap(argv, "")
		c.Dir, c.Prelude, c.substitutes = JoinDir(s.dir, c.Dir), s.prelude, c.substitutes || l.substitutes()
		return c
	}
	c := Command{Argv: []string{shellText}, Listed: t.listed(l), announced: l.announced(), substitutes: l.substitutes()}
	if only := c.only(); only != nil {
		c.Argv, c.local = only.Argv, only.local
	}
	return c
}

// only is the one command of a line that does more than to print a text or to end the shell: of "pytest -q || exit 1".
func (c Command) only() (only *Command) {
	for i := range c.Listed {
		l := &c.Listed[i]
		switch {
		case len(c.Listed) == 1: // what is around it is more than that
			return nil
		case len(l.Argv) == 0, lex.IsOneOf(l.Argv[0], "echo printf true :"), passesOn(l.Argv), l.fallback && l.Argv[0] == "exit":
		case only != nil || !PrintsOwn(l.Argv) || l.picked || l.cutShort || lex.IsOneOf(l.Argv[0], "[ [[ test kill false exit return"):
			return nil
		default:
			only = l
		}
	}
	return only
}

// ShellLine finds the command line in "sh -c LINE".
func ShellLine(argv []string) (string, bool) {
	if !slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh"}, argv[0]) {
		return "", false
	}
	for i := 1; i < len(argv); i++ {
		switch a := argv[i]; {
		case a == "+o" || a == "--rcfile" || a == "--init-file" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "o"):
			i++ // its value
		case !strings.HasPrefix(a, "-"):
			return "", false
		case strings.HasSuffix(a, "c") && !strings.HasPrefix(a, "--") && i+1 < len(argv):
			return argv[i+1], true
		}
	}
	return "", false
}

// scripted finds the command line in "script -qec LINE /dev/null"; passes says whether script returns its exit
// code.
func scripted(argv []string) (line string, passes bool) {
	if argv[0] != "script" {
		return "", false
	}
	for i, a := range argv[1:] {
		switch {
		case a == "--return":
			passes = true
		case strings.HasPrefix(a, "--command="):
			line = a[len("--command="):]
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--"):
			passes = passes || strings.Contains(a, "e")
			if strings.HasSuffix(a, "c") && i+2 < len(argv) {
				line = argv[i+2]
			}
		case a != line:
			return line, passes
		}
	}
	return line, passes
}

// Named replaces argv[0] by its base name, without ".exe" and the like.
func Named(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	base := path.Base(strings.ReplaceAll(argv[0], `\`, "/"))
	for _, suffix := range []string{".exe", ".cmd", ".bat", ".ps1", ".EXE", ".CMD"} {
		base = strings.TrimSuffix(base, suffix)
	}
	return append([]string{base}, argv[1:]...)
}

// JoinDir joins two directories, where dir is relative to from. If one is "", the result is the other.
func JoinDir(from, dir string) string {
	switch {
	case dir == "" || dir == ".":
		return from
	case from == "" || result.IsAbsolute(dir) || strings.HasPrefix(dir, "~"):
		return dir
	}
	return path.Join(strings.ReplaceAll(from, `\`, "/"), strings.ReplaceAll(dir, `\`, "/"))
}
