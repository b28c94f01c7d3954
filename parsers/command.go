package parsers

import (
	"path"
	"slices"
	"strings"
)

// command is what argv says is being run.
type command struct {
	argv   []string // wrappers taken off, argv[0] a base name without ".exe"
	direct bool     // the exit code that is seen is this command's own
	timed  bool     // timeout(1) is around it: 124 is its word
	dir    string   // that it changes to, seen from where it was started
	listed []command
}

// program is the name that a result without a recognised tool goes by.
func (c command) program() string {
	if len(c.argv) == 0 {
		return "unknown"
	}
	return c.argv[0]
}

// dirOf is the directory in which the command line runs a parser's tool: that
// of every command that may be it.
func (c command) dirOf(p *Parser) string {
	if len(c.listed) == 0 {
		return c.dir
	}
	candidates := slices.DeleteFunc(slices.Clone(c.listed), func(l command) bool { return p.Matches == nil || !p.Matches(l.argv) })
	if len(candidates) == 0 {
		candidates = c.listed
	}
	for _, l := range candidates {
		if l.dir != candidates[0].dir {
			return c.dir
		}
	}
	return joinDir(c.dir, candidates[0].dir)
}

// exitOf is the program whose exit code a command line gives.
func (c command) exitOf() string {
	if n := len(c.listed); n > 0 {
		return c.listed[n-1].program()
	}
	return c.program()
}

// maxWrappers bounds "env env env …".
const maxWrappers = 12

// unwrap takes transparent wrappers off a command: programs that run another
// one, print nothing of their own and pass its exit code on.
func unwrap(argv []string, shell string) command {
	if shell != "" {
		return unwrapShell(shell, "sh")
	}
	c := command{argv: named(argv), direct: true}
	for range maxWrappers {
		if len(c.argv) == 0 {
			break
		}
		if line, ok := shellLine(c.argv); ok {
			inner := unwrapShell(line, c.argv[0])
			inner.timed, inner.dir = c.timed || inner.timed, joinDir(c.dir, inner.dir)
			return inner
		}
		if line, passes := scripted(c.argv); line != "" {
			inner := unwrapShell(line, "sh")
			inner.direct, inner.dir = inner.direct && passes, joinDir(c.dir, inner.dir)
			return inner
		}
		rest, dir, ok := unwrapOne(c.argv)
		c.dir = joinDir(c.dir, dir)
		if !ok {
			break
		}
		c.timed = c.timed || c.argv[0] == "timeout" || c.argv[0] == "gtimeout"
		c.argv = named(rest)
	}
	return c
}

// unwrapShell reads a command line. One that is more than a simple command is
// the shell's own: the exit status may be any of its parts'.
func unwrapShell(line, shell string) command {
	words, ok := shellWords(line)
	if !ok {
		return command{argv: []string{shell}}
	}
	if argv, dir, ok := simpleWords(words); ok {
		c := unwrap(argv, "")
		c.dir = joinDir(dir, c.dir)
		return c
	}
	return command{argv: []string{shell}, listed: listedCommands(words)}
}

// shellLine finds the command line in "sh -c LINE".
func shellLine(argv []string) (string, bool) {
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

// named replaces argv[0] by its base name.
func named(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	base := path.Base(strings.ReplaceAll(argv[0], `\`, "/"))
	for _, suffix := range []string{".exe", ".cmd", ".bat", ".ps1", ".EXE", ".CMD"} {
		base = strings.TrimSuffix(base, suffix)
	}
	return append([]string{base}, argv[1:]...)
}

// joinDir is a directory seen from another one. Two that are not known are "".
func joinDir(from, dir string) string {
	switch {
	case dir == "" || dir == ".":
		return from
	case from == "" || isRooted(dir) || strings.HasPrefix(dir, "~"):
		return dir
	}
	return path.Join(strings.ReplaceAll(from, `\`, "/"), strings.ReplaceAll(dir, `\`, "/"))
}
