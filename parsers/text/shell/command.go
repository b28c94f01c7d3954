package shell

import (
	"path"
	"slices"
	"strings"

	"cairn/result"
)

// Command is what argv says is being run.
type Command struct {
	Argv   []string // wrappers taken off, argv[0] a base name without ".exe"
	Direct bool     // the exit code that is seen is this command's own
	Timed  bool     // timeout(1) is around it, and says with 124 that the time was over
	Dir    string   // that it changes to, seen from where it was started
	Listed []Command
	Opaque bool // a line that only the shell can read
	// Prelude are the words of what the line does before the command: "cd api &&".
	Prelude []string

	unheard  bool // in a list: exit code 0 of the line does not say that it succeeded
	cutShort bool // in a list: behind it only "| tail" and the like
	endShown bool // and none of them is head
	local    bool // a program or a script of the project's own, by its path
}

// Program is the name that a result without a recognised tool goes by.
func (c Command) Program() string {
	if len(c.Argv) == 0 {
		return "unknown"
	}
	return c.Argv[0]
}

// DirOf is the directory in which the command line runs a tool. Where commands that
// may be the tool run in different directories, it is the one in which the line
// begins.
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

// ExitOf is the program whose exit code a command line gives.
func (c Command) ExitOf() string {
	if n := len(c.Listed); n > 0 {
		return c.Listed[n-1].Program()
	}
	return c.Program()
}

// maxWrappers bounds "env env env …".
const maxWrappers = 12

// Unwrap takes transparent wrappers off a command: programs that run another
// one, print nothing of their own and pass its exit code on.
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

// UnwrapShell reads a command line. One that is more than a simple command is
// the shell's own: the exit status may be any of its parts'.
func (t Tools) UnwrapShell(line, shellText string) Command {
	l, ok := readLine(line)
	if !ok {
		return Command{Argv: []string{shellText}, Opaque: true}
	}
	if argv, s, ok := l.command(); ok {
		c := t.Unwrap(argv, "")
		c.Dir, c.Prelude = JoinDir(s.dir, c.Dir), s.prelude
		return c
	}
	return Command{Argv: []string{shellText}, Listed: t.listed(l)}
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

// scripted finds the command line in "script -qec LINE /dev/null", and whether
// its exit code is passed on.
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

// Named replaces argv[0] by its base name.
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

// JoinDir is dir as seen from where from is seen. Either may be "": then it is the
// other one.
func JoinDir(from, dir string) string {
	switch {
	case dir == "" || dir == ".":
		return from
	case from == "" || result.IsAbsolute(dir) || strings.HasPrefix(dir, "~"):
		return dir
	}
	return path.Join(strings.ReplaceAll(from, `\`, "/"), strings.ReplaceAll(dir, `\`, "/"))
}
