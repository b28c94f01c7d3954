package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// body returns the commands of a line, joined by ";" and "&&", without those around one command that only print, or
// pass its exit status on:
//
//	echo "== tests"; pytest -q
//	pytest -q && echo "all passed"
//	pytest -q; rc=$?; echo "exit code $rc"; exit $rc
//	mkdir -p out && pytest -q
//	(pytest -q)
func (l line) body() []*syntax.Stmt {
	for len(l.stmts) == 1 && plain(l.stmts[0]) && len(l.stmts[0].Redirs) == 0 {
		inner, ok := grouped(l.stmts[0].Cmd)
		if !ok {
			break
		}
		l.stmts = inner
	}
	stmts := l.untilExit()
	for n := len(stmts) - 1; n >= 0; {
		and, ok := stmts[n].Cmd.(*syntax.BinaryCmd)
		if !ok || and.Op != syntax.AndStmt || !plain(stmts[n]) || !l.prints(and.Y) {
			break
		}
		stmts = append(stmts[:n:n], and.X)
	}
	all := chain(stmts)
	for len(all) > 1 && (l.prints(all[0]) || l.prepares(all[0])) && !l.filters(all[1], "exit return kill sleep true false wait :") {
		all = all[1:]
	}
	return all
}

// grouped returns the statements in parentheses or braces.
func grouped(cmd syntax.Command) (stmts []*syntax.Stmt, ok bool) {
	switch group := cmd.(type) {
	case *syntax.Subshell:
		return group.Stmts, true
	case *syntax.Block:
		return group.Stmts, true
	}
	return nil, false
}

// prepares reports whether a statement prints nothing and hardly ever fails.
func (l line) prepares(stmt *syntax.Stmt) bool {
	return l.filters(stmt, "sleep mkdir rm touch cp mv ln chmod clear date")
}

// untilExit returns the statements before an exit with the status of the command above it.
func (l line) untilExit() []*syntax.Stmt {
	n := len(l.stmts) - 1
	if n < 1 {
		return l.stmts
	}
	last, ok := l.simple(l.stmts[n])
	if !ok || len(last.argv) != 2 || last.argv[0] != "exit" || !plain(l.stmts[n]) {
		return l.stmts
	}
	name := strings.Trim(last.argv[1], "${}")
	if name == "?" {
		return l.stmts[:n]
	}
	for n--; n > 0 && l.prints(l.stmts[n]); n-- {
	}
	if c, ok := l.simple(l.stmts[n]); ok && n > 0 && len(c.argv) == 0 && len(c.env) == 1 && c.env[0] == name+"=$?" {
		return l.stmts[:n]
	}
	return l.stmts
}

// prints reports whether a statement prints a text and can do nothing else.
func (l line) prints(stmt *syntax.Stmt) bool {
	text := l.source(stmt)
	return l.filters(stmt, "echo printf") && !strings.Contains(text, "`") && !strings.Contains(text, "$(")
}
