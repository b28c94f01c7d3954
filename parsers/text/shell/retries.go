package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"cairn/parsers/text/lex"
)

// This file finds commands that a line runs until they succeed: "x || x", "until x; do sleep 1; done", "for i in 1 2 3; do
// x && break; done". If such a line exits 0, the command succeeded in the end, and what it said before is no failure.

// Retried reports whether exit code 0 of the line means that the tool that matches accepts succeeded in the end, after
// it may have failed.
func (c Command) Retried(matches func(argv []string) bool) bool {
	ran := c.deciding(matches)
	return !c.Opaque && slices.ContainsFunc(ran, func(l Command) bool { return l.again }) &&
		!slices.ContainsFunc(ran, func(l Command) bool { return l.unheard && !l.again })
}

// retried marks the steps between first and end that the step last repeats.
func (s *steps) retried(first, end, last int) {
	for i := first; i < end && last >= first; i++ {
		s.found[i].again = s.found[i].again || repeats(s.found[i], s.found[last])
	}
}

// looped marks the condition of a loop that only its success ends, and the command of an endless loop that it ends.
func (s *steps) looped(cmd *syntax.WhileClause, first, from int) {
	switch cond := cmd.Cond[0]; {
	case len(cmd.Cond) > 1 || from != first+1:
	case cmd.Until == plain(cond) && leaves(cmd.Do) == 0:
		s.found[first].again = true
	case !cmd.Until && lex.IsOneOf(s.found[first].Argv[0], "true :") && leaves(cmd.Do) == 1:
		i := slices.IndexFunc(s.found[from:], func(st Step) bool { return st.Argv[0] == "break" })
		if i > 0 && slices.ContainsFunc(cmd.Do, breaksOn) {
			s.found[from+i-1].again = true
		}
	}
}

// repeats reports whether y is the same command as x, or runs those of its tests that failed.
func repeats(x, y Step) bool {
	rerun := func(arg string) bool { return lex.IsOneOf(arg, "--lf --last-failed --onlyFailures --only-failures") }
	return x.Dir == y.Dir && len(x.Argv) > 0 && len(y.Argv) > 0 &&
		(slices.Equal(x.Argv, y.Argv) || x.Argv[0] == y.Argv[0] && slices.ContainsFunc(y.Argv, rerun))
}

// isAttempt reports whether a statement is a simple command, or several of which each is run if those before it failed.
func isAttempt(s *syntax.Stmt) bool {
	if or, ok := s.Cmd.(*syntax.BinaryCmd); ok {
		return or.Op == syntax.OrStmt && isAttempt(or.X) && isAttempt(or.Y)
	}
	_, call := s.Cmd.(*syntax.CallExpr)
	return call && plain(s)
}

// endsInCall reports whether the status of a statement, if it is 0, is that of the last simple command in it.
func endsInCall(s *syntax.Stmt) bool {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		return plain(s)
	case *syntax.BinaryCmd:
		return cmd.Op == syntax.AndStmt && endsInCall(cmd.Y)
	case *syntax.Subshell:
		return plain(s) && endsInCall(cmd.Stmts[len(cmd.Stmts)-1])
	case *syntax.Block:
		return plain(s) && endsInCall(cmd.Stmts[len(cmd.Stmts)-1])
	}
	return false
}

// breaksOn reports whether a statement is "x && break".
func breaksOn(s *syntax.Stmt) bool {
	and, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && and.Op == syntax.AndStmt && endsInCall(and.X) && leaves([]*syntax.Stmt{and.Y}) == 1 && leaves([]*syntax.Stmt{and.X}) == 0
}

// leaves counts the commands in a list that leave a loop.
func leaves(stmts []*syntax.Stmt) (n int) {
	for _, s := range stmts {
		syntax.Walk(s, func(node syntax.Node) bool {
			if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 && lex.IsOneOf(call.Args[0].Lit(), "break continue return exit") {
				n++
			}
			return true
		})
	}
	return n
}
