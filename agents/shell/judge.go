package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/capture/stage"
	"cairn/internal/bash"
)

// Judge says why a line is run without a capture; "" means that it is captured.
func Judge(line string) (why string) {
	file, err := bash.Parse(line)
	if err != nil {
		return "" // bash will report the error
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

// leaves says whether a line puts something in the background.
func leaves(line string) bool {
	file, err := bash.Parse(line)
	return err == nil && stage.Leaves(file)
}

const onlyBuiltins = "it has nothing but shell builtins"

// judge is the state of a walk over a line.
type judge struct {
	declared map[string]bool // functions that the line declares
	programs bool            // the line runs something that is no builtin
	why      string
}

func (j *judge) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CoprocClause:
		j.why = "it runs in the background"
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			j.call(literals(n))
		}
	}
	return j.why == ""
}

// literals are the words of a command; a word with an expansion is "".
func literals(call *syntax.CallExpr) []string {
	argv, _ := stage.Words(call.Args)
	return argv
}

func (j *judge) call(argv []string) {
	argv = unwrapped(argv)
	name := path.Base(argv[0])
	switch {
	case argv[0] == "":
		j.programs = true
	case stage.IsBuiltin(argv[0]) || j.declared[argv[0]]:
		return
	case name == "cairn" || name == "cairn.exe":
		j.why = "it runs cairn itself"
	case stage.IsInteractive(name):
		j.why = "it needs a terminal"
	case follows(name, argv[1:]):
		j.why = "it does not end by itself"
	}
	j.programs = true
}

// unwrapped cuts off programs that only start others, so that "sudo vim" counts as an editor.
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

// follows says whether the command prints without end, so that its caller wants to see the output at once.
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
