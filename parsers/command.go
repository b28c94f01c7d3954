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
}

// program is the name that a result without a recognised tool goes by.
func (c command) program() string {
	if len(c.argv) == 0 {
		return "unknown"
	}
	return c.argv[0]
}

// maxWrappers bounds "env env env …".
const maxWrappers = 8

// unwrap takes transparent wrappers off a command: programs that run another
// one, print nothing of their own and pass its exit code on.
func unwrap(argv []string, shell string) command {
	if shell != "" {
		return unwrapShell(shell, "sh")
	}
	argv = named(argv)
	for range maxWrappers {
		if len(argv) == 0 {
			break
		}
		if line, ok := shellLine(argv); ok {
			return unwrapShell(line, argv[0])
		}
		rest, ok := unwrapOne(argv)
		if !ok {
			break
		}
		argv = named(rest)
	}
	return command{argv: argv, direct: true}
}

// unwrapShell reads a command line. One that is more than a simple command is
// the shell's own: the exit status may be any of its parts'.
func unwrapShell(line, shell string) command {
	if argv, ok := simpleCommand(line); ok {
		return unwrap(argv, "")
	}
	return command{argv: []string{shell}}
}

// shellLine finds the command line in "sh -c LINE".
func shellLine(argv []string) (string, bool) {
	if !slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh"}, argv[0]) {
		return "", false
	}
	for i, a := range argv[1:] {
		if !strings.HasPrefix(a, "-") {
			return "", false
		}
		if strings.HasSuffix(a, "c") && !strings.HasPrefix(a, "--") && i+2 < len(argv) {
			return argv[i+2], true
		}
	}
	return "", false
}

// named replaces argv[0] by its base name.
func named(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	base := path.Base(strings.ReplaceAll(argv[0], `\`, "/"))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".exe"), ".cmd")
	return append([]string{base}, argv[1:]...)
}

// unwrapOne takes one wrapper off.
func unwrapOne(argv []string) (rest []string, ok bool) {
	switch name := argv[0]; name {
	case "env":
		return skipAssignments(skipFlags(argv[1:], "-u", "--unset", "-C", "--chdir"))
	case "timeout":
		return skip(skipFlags(argv[1:], "-k", "--kill-after", "-s", "--signal"), 1)
	case "nice":
		return skip(skipFlags(argv[1:], "-n", "--adjustment"), 0)
	case "nohup", "command", "exec", "time", "setsid", "npx", "bunx", "pnpx", "uvx", "unbuffer", "stdbuf", "xvfb-run", "rtk":
		return skip(skipFlags(argv[1:], "-o", "-e", "-i", "-p", "--package", "--from"), 0)
	case "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi":
		return afterWord(argv[1:], "run")
	case "pnpm", "yarn", "bundle":
		return afterWord(argv[1:], "exec")
	case "npm":
		if rest, ok = afterWord(argv[1:], "exec"); ok {
			return rest, true
		}
		return afterWord(argv[1:], "x")
	}
	if isPython(argv[0]) {
		return pythonModule(argv[1:])
	}
	return nil, false
}

func isPython(name string) bool {
	return strings.TrimRight(name, "0123456789.") == "python" || name == "py" || name == "pypy3"
}

// pythonModule reads "python [flags] -m module args".
func pythonModule(args []string) ([]string, bool) {
	for i, a := range args {
		if a == "-m" {
			return skip(args[i+1:], 0)
		}
		if !strings.HasPrefix(a, "-") {
			return nil, false
		}
	}
	return nil, false
}

func skip(args []string, n int) ([]string, bool) {
	if len(args) <= n {
		return nil, false
	}
	return args[n:], true
}

func skipAssignments(args []string) ([]string, bool) {
	for len(args) > 0 && strings.Contains(args[0], "=") && !strings.HasPrefix(args[0], "-") {
		args = args[1:]
	}
	return skip(args, 0)
}

// skipFlags drops leading flags, each of withValue together with its value.
func skipFlags(args []string, withValue ...string) []string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		flag := args[0]
		args = args[1:]
		if flag == "--" {
			break
		}
		if slices.Contains(withValue, flag) && len(args) > 0 {
			args = args[1:]
		}
	}
	return args
}

// afterWord gives what follows a subcommand and its flags: "uv run -q pytest".
func afterWord(args []string, word string) ([]string, bool) {
	i := slices.Index(args, word)
	if i < 0 || slices.ContainsFunc(args[:i], func(a string) bool { return !strings.HasPrefix(a, "-") }) {
		return nil, false
	}
	return skip(skipFlags(args[i+1:], "--with", "--extra", "--group", "-p", "--python", "--package", "-c"), 0)
}

// IsRecall says whether a command only shows what cairn has on record:
// capturing it again would record a record.
func IsRecall(argv []string, shell string) bool {
	c := unwrap(argv, shell)
	return len(c.argv) > 1 && c.argv[0] == "cairn" && c.argv[1] != "capture"
}
