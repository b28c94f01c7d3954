package stage

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// noticing are builtins that show, or depend on, how the shell finds a command, or that
// show what the shell runs.
const noticing = "hash type enable compgen caller history fc ulimit coproc select complete"

// look finds parts of a line that would notice the words put in front of commands.
func (r *reader) look(n syntax.Node) bool {
	r.plan.vars.looks(n)
	switch n := n.(type) {
	case *syntax.FuncDecl:
		r.declared[n.Name.Value] = true
		r.no = r.no || asksStatus(n)
	case *syntax.CoprocClause:
		r.no = true
	case *syntax.ParamExp:
		if n.Param != nil && slices.Contains([]string{"_", "BASH_CMDS", "BASH_COMMAND", "BASH_EXECUTION_STRING"}, n.Param.Value) {
			r.no = true
		}
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			argv, _ := Words(n.Args)
			r.no = r.no || noticed(argv)
			r.renames = r.renames || slices.Contains(strings.Fields(renaming), argv[0])
			r.shows = r.shows || r.plan.shell == Dash && argv[0] == "set" && strings.Contains(strings.Join(argv[1:], " "), "m") || slices.Contains(strings.Fields(showing), argv[0]) || argv[0] == "exec" && len(argv) == 1
		}
	}
	return !r.no
}

// renaming are builtins that may give a name another meaning than the file of that name.
const renaming = "eval source . alias"

func noticed(argv []string) bool {
	has := func(what string) bool {
		return slices.ContainsFunc(argv[1:], func(a string) bool { return a == "" || strings.Contains(a, what) })
	}
	flagged := func(letters string) bool {
		return slices.ContainsFunc(argv[1:], func(a string) bool {
			return a == "" || len(a) > 1 && (a[0] == '-' || a[0] == '+') && a[1] != '-' && strings.ContainsAny(a, letters)
		})
	}
	switch argv[0] {
	case "set":
		return flagged("xvhknr") || has("xtrace") || has("verbose") || has("hashall") || has("keyword") || has("noexec")
	case "shopt":
		return has("extdebug") || has("checkhash")
	case "trap":
		return has("DEBUG") || has("RETURN") || has("ERR") || slices.Contains(argv, "")
	case "command":
		return flagged("vV")
	}
	return slices.Contains(strings.Fields(noticing), argv[0])
}

// asksStatus says whether a part of a line reads the status of the command before it.
func asksStatus(n syntax.Node) (asks bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && (p.Param.Value == "?" || p.Param.Value == "PIPESTATUS") {
			asks = true
		}
		return !asks
	})
	return asks
}
