package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Judge says why a line is to be run without a capture; "" means capture it.
func Judge(line string) (why string) {
	file, err := parse(line)
	if err != nil {
		return "it cannot be parsed"
	}
	j := &judge{declared: map[string]bool{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FuncDecl); ok {
			j.declared[f.Name.Value] = true
		}
		return true
	})
	syntax.Walk(file, j.visit)
	if j.why == "" && !j.programs {
		return onlyBuiltins
	}
	return j.why
}

const onlyBuiltins = "it has nothing but shell builtins"

// judge walks over a line.
type judge struct {
	declared map[string]bool // functions of the line's own
	programs bool            // something runs that is no builtin
	why      string
}

func (j *judge) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Stmt:
		if n.Background || n.Coprocess {
			j.why = "it runs in the background"
		}
	case *syntax.CoprocClause:
		j.why = "it runs in the background"
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			j.call(literals(n.Args))
		}
	}
	return j.why == ""
}

// literals are the words of a command; one that expands something is "".
func literals(words []*syntax.Word) []string {
	argv := make([]string, len(words))
	for i, w := range words {
		argv[i], _ = static(w.Parts)
	}
	return argv
}

func (j *judge) call(argv []string) {
	argv = unwrapped(argv)
	name := path.Base(argv[0])
	switch {
	case argv[0] == "":
		j.programs = true
	case slices.Contains(builtins, argv[0]) || j.declared[argv[0]]:
		return
	case name == "cairn" || name == "cairn.exe":
		j.why = "it runs cairn itself"
	case slices.Contains(interactive, name):
		j.why = "it needs a terminal"
	case follows(name, argv[1:]):
		j.why = "it does not end by itself"
	}
	j.programs = true
}

// unwrapped takes off programs that only start others, so that "sudo vim" is
// an editor.
func unwrapped(argv []string) []string {
	for len(argv) > 1 && slices.Contains(starters, path.Base(argv[0])) {
		rest := argv[1:]
		for len(rest) > 1 && (strings.HasPrefix(rest[0], "-") || strings.Contains(rest[0], "=")) {
			rest = rest[1:]
		}
		argv = rest
	}
	return argv
}

var starters = []string{"sudo", "doas", "env", "nohup", "nice", "ionice", "time", "command", "exec", "stdbuf", "setsid"}

// builtins run nothing that prints more than a line of its own. "eval",
// "source" and "." are not among them: what they run is unknown.
var builtins = strings.Fields(": [ alias bg bind break builtin caller cd compgen complete continue declare dirs disown echo enable exit export " +
	"false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift " +
	"shopt suspend test times trap true type typeset ulimit umask unalias unset wait")

// interactive programs draw on a terminal. Interpreters are not among them:
// agents run them with a script or with input from elsewhere.
var interactive = strings.Fields("vi vim nvim view nano pico emacs micro hx less more most man info top htop btop watch tmux screen " +
	"mc ranger tig lazygit gitui fzf dialog whiptail")

// follows: the command prints without end, and its caller wants to see the output at
// once.
func follows(name string, args []string) bool {
	has := func(flags ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(flags, a) })
	}
	switch name {
	case "tail":
		return has("-f", "-F", "--follow", "-fn", "-nf")
	case "journalctl", "kubectl", "docker", "podman":
		return has("-f", "--follow")
	}
	return has("--watch", "--watchAll", "--watch-all")
}
