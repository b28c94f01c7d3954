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
	argv, timed := named(argv), false
	for range maxWrappers {
		if len(argv) == 0 {
			break
		}
		if line, ok := shellLine(argv); ok {
			c := unwrapShell(line, argv[0])
			c.timed = c.timed || timed
			return c
		}
		rest, ok := unwrapOne(argv)
		if !ok {
			break
		}
		timed = timed || argv[0] == "timeout"
		argv = named(rest)
	}
	return command{argv: argv, direct: true, timed: timed}
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

// runners are wrappers that name the program after their own flags; here with
// those flags that take a value of their own.
var runners = map[string][]string{
	"nice":     {"-n", "--adjustment"},
	"ionice":   {"-c", "-n", "--class", "--classdata"},
	"nohup":    nil,
	"setsid":   nil,
	"command":  nil,
	"exec":     {"-a"},
	"time":     {"-o", "-f", "--output", "--format"},
	"stdbuf":   {"-i", "-o", "-e", "--input", "--output", "--error"},
	"unbuffer": nil,
	"xvfb-run": {"-e", "-f", "-n", "-p", "-s", "-w"},
	"sudo":     {"-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "--user", "--group"},
	"npx":      {"-p", "--package", "-w", "--workspace"},
	"bunx":     {"-p", "--package"},
	"pnpx":     nil,
	"uvx":      {"--from", "--with", "-p", "--python"},
	"rtk":      nil,
}

// unwrapOne takes one wrapper off.
func unwrapOne(argv []string) (rest []string, ok bool) {
	args := argv[1:]
	if withValue, known := runners[argv[0]]; known {
		return skip(skipFlags(args, withValue...), 0)
	}
	switch argv[0] {
	case "env":
		return skipAssignments(skipFlags(args, "-u", "--unset", "-C", "--chdir"))
	case "timeout":
		return skip(skipFlags(args, "-k", "--kill-after", "-s", "--signal"), 1)
	case "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi", "conda", "mamba", "micromamba":
		return afterWord(args, "run")
	case "pnpm", "yarn", "bundle":
		return afterWord(args, "exec")
	case "npm":
		if rest, ok = afterWord(args, "exec"); ok {
			return rest, true
		}
		return afterWord(args, "x")
	case "coverage":
		if len(args) > 1 && args[0] == "run" {
			return pythonModule(args[1:])
		}
	}
	if isPython(argv[0]) {
		return pythonModule(args)
	}
	return nil, false
}

func isPython(name string) bool {
	return strings.TrimRight(name, "0123456789.") == "python" || name == "py" || name == "pypy3"
}

// pythonModule reads "[flags] -m module args".
func pythonModule(args []string) ([]string, bool) {
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		switch a := args[i]; {
		case a == "-m":
			return skip(args[i+1:], 0)
		case strings.HasPrefix(a, "-m"):
			return append([]string{a[2:]}, args[i+1:]...), true
		case a == "-W", a == "-X" && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++ // its value
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
	return skip(skipFlags(args[i+1:], "--with", "--extra", "--group", "-n", "--name", "-p", "--python", "--package", "-c"), 0)
}
