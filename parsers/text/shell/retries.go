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

// retried marks the steps between first and end that the step last repeats: it is the same command, or runs those of its
// tests that failed.
func (s *steps) retried(first, end, last int) {
	for i := first; i < end && last > 0; i++ {
		x, y := s.found[i], s.found[last]
		lost := x.Argv[0] == y.Argv[0] && slices.ContainsFunc(y.Argv, func(arg string) bool { return lex.IsOneOf(arg, "--lf --last-failed --onlyFailures --only-failures") })
		s.found[i].again = x.again || x.Dir == y.Dir && (lost || slices.Equal(x.Argv, y.Argv))
	}
}

// endsInCall reports whether the status of a statement, if it is 0, is that of the last simple command in it.
func endsInCall(s *syntax.Stmt) bool {
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		return plain(s)
	case *syntax.BinaryCmd:
		return cmd.Op == syntax.AndStmt && endsInCall(cmd.Y)
	}
	inner, ok := grouped(s.Cmd)
	return ok && plain(s) && endsInCall(inner[len(inner)-1])
}
