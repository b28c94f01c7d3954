package hook

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/agents/shell"
	"cairn/internal/bash"
)

// Rewrite puts prefix before the simple commands of a line. ok is false if there was nothing to rewrite; then the line
// is to be run unchanged.
//
// A command is simple here if it is a literal program name and words, without assignments, redirections and
// substitutions, and not in a pipeline. The whole line stays unchanged if it declares or loads anything that could
// change what a name means.
func Rewrite(line, prefix string) (rewritten string, ok bool) {
	if shell.Judge(line) != "" {
		return line, false
	}
	file, err := bash.Parse(line)
	if err != nil || !plain(file) {
		return line, false
	}
	var at []int
	for _, stmt := range file.Stmts {
		at = append(at, simple(stmt)...)
	}
	var b strings.Builder
	last := 0
	for _, offset := range at {
		b.WriteString(line[last:offset] + prefix + " ")
		last = offset
	}
	b.WriteString(line[last:])
	return b.String(), len(at) > 0
}

// changers are builtins after which a name may mean something else, and those whose output the prefix would change.
var changers = strings.Fields("alias unalias source . eval shopt set enable hash trap exec builtin command")

// plain says whether the line is only a list of commands.
func plain(file *syntax.File) bool {
	ok := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			ok = false
		case *syntax.CallExpr:
			if len(n.Args) > 0 && slices.Contains(changers, n.Args[0].Lit()) {
				ok = false
			}
			for _, a := range n.Assigns { // "PATH=x; cmd" finds another program
				if a.Name != nil && a.Name.Value == "PATH" {
					ok = false
				}
			}
		case *syntax.DeclClause:
			ok = false
		}
		return ok
	})
	return ok
}

// simple returns the offsets of the simple commands in a statement.
func simple(stmt *syntax.Stmt) []int {
	if stmt.Negated || stmt.Background || stmt.Coprocess || len(stmt.Redirs) > 0 {
		return nil
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.AndStmt {
			return append(simple(cmd.X), simple(cmd.Y)...)
		}
	case *syntax.CallExpr:
		if len(cmd.Assigns) == 0 && program(cmd.Args[0]) && !substitutes(cmd) {
			return []int{int(cmd.Args[0].Pos().Offset())}
		}
	}
	return nil
}

// program says whether the word is a literal program name, which Judge would capture on its own.
func program(w *syntax.Word) bool {
	name := w.Lit()
	return name != "" && !strings.ContainsAny(name[:1], "%+-") && !strings.ContainsAny(name, "\\*?[]{}~=") && shell.Judge(name) == "" // "%1" is a job, and "+x" an option
}

// substitutes says whether an argument of the command runs another command.
func substitutes(cmd *syntax.CallExpr) (found bool) {
	syntax.Walk(cmd, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp:
			found = true
		}
		return !found
	})
	return found
}
