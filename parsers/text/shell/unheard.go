package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/parsers/text/lex"
)

// EndCut reports whether the command line itself may leave out the end of a command's output ("| head").
func (c Command) EndCut() bool {
	return slices.ContainsFunc(c.Listed, func(l Command) bool { return l.cutShort && !l.endShown })
}

// EndLost reports whether it did, as far as that shows in the number of lines of the output: "head -20" leaves out
// nothing of fewer lines.
func (c Command) EndLost(lines int64) bool {
	return slices.ContainsFunc(c.Listed, func(l Command) bool { return l.cutShort && !l.endShown && lines >= l.headLines })
}

// EndShown reports whether the command line shows only a part of the tool's output that includes its end ("|
// tail").
func (c Command) EndShown(matches func(argv []string) bool) bool {
	return matches != nil && slices.ContainsFunc(c.Listed, func(l Command) bool { return l.endShown && matches(l.Argv) })
}

// copies are programs that print what another program wrote, or nothing: their output does not say that anything ran.
const copies = passing + " head grep egrep fgrep rg awk sort uniq jq cut zcat bat xxd strings echo printf true : wait sleep"

// PrintsOwn reports whether the command is not one of copies.
func PrintsOwn(argv []string) bool { return len(argv) > 0 && !lex.IsOneOf(argv[0], copies) }

// differs are programs that are run to print how files differ: a difference is no failure.
const differs = "diff diff3 cmp sdiff wdiff colordiff patch interdiff git hg svn bzr fossil jj"

// ShowsDifferences reports whether a command line runs a program whose purpose is to print differences or the
// content of files.
func ShowsDifferences(c Command) bool {
	shows := func(c Command) bool { return !PrintsOwn(c.Argv) || lex.IsOneOf(c.Program(), differs) }
	return shows(c) && len(c.Listed) == 0 || slices.ContainsFunc(c.Listed, shows)
}

// searchers are programs that print lines of files with their places.
const searchers = "grep egrep fgrep zgrep rg ag ack"

// Searches reports whether a command line does nothing but search texts.
func (c Command) Searches() bool {
	if len(c.Listed) == 0 {
		return lex.IsOneOf(c.Program(), searchers)
	}
	return !c.Opaque && !slices.ContainsFunc(c.Listed, func(l Command) bool { return !lex.IsOneOf(l.Program(), searchers+" head tail") })
}

// Quotes reports whether a command line prints lines of files behind their names, or behind what says how they differ.
func (c Command) Quotes() bool {
	return c.Searches() || lex.IsOneOf(c.Program(), differs) || slices.ContainsFunc(c.Listed, func(l Command) bool { return lex.IsOneOf(l.Program(), differs) })
}

// Picked reports whether a search picks single lines out of the output of the tool that matches accepts: "pytest -q
// | grep -E 'FAILED|^E '".
func (c Command) Picked(matches func(argv []string) bool) bool {
	return matches != nil && slices.ContainsFunc(c.Listed, func(l Command) bool { return l.picked && len(l.Argv) > 0 && matches(l.Argv) })
}

// AllPicked reports whether searches pick lines out of the output of every command in the line that prints some of its
// own.
func (c Command) AllPicked() bool {
	return c.Picked(PrintsOwn) && !slices.ContainsFunc(c.Listed, func(l Command) bool { return !l.picked && PrintsOwn(l.Argv) })
}

// Unheard reports whether the tool that matches accepts may have failed although the command line's exit code is 0,
// because that code is another command's. A tool that the line does not name may have been started by any of its
// commands.
func (c Command) Unheard(matches func(argv []string) bool) bool {
	if c.Opaque {
		return true
	}
	return slices.ContainsFunc(c.deciding(matches), func(l Command) bool { return l.unheard })
}

// deciding are the commands of the line that may have run the tool that matches accepts.
func (c Command) deciding(matches func(argv []string) bool) []Command {
	named := slices.DeleteFunc(slices.Clone(c.Listed), func(l Command) bool {
		return matches == nil || len(l.Argv) == 0 || !matches(l.Argv)
	})
	if len(named) == 0 {
		named = slices.DeleteFunc(slices.Clone(c.Listed), func(l Command) bool { return lex.IsOneOf(l.Program(), copies) })
	}
	return named
}

// Retried reports whether exit code 0 of the line means that the tool that matches accepts succeeded in the end, after
// it may have failed: "x || x", "until x; do sleep 1; done", "for i in 1 2 3; do x && break; done". A tool that the line does not name
// counts only if seen: a command did fail, for a script that swallows failures is not run again.
func (c Command) Retried(seen bool, matches func(argv []string) bool) bool {
	ran := c.deciding(matches)
	named := slices.ContainsFunc(ran, func(l Command) bool { return matches != nil && len(l.Argv) > 0 && matches(l.Argv) })
	return !c.Opaque && (seen || named) && slices.ContainsFunc(ran, func(l Command) bool { return l.again }) &&
		!slices.ContainsFunc(ran, func(l Command) bool { return l.unheard && !l.again })
}

// retried marks the steps between first and end that the step last repeats: it is the same command, or runs those of its
// tests that failed, and no other word of again, where it is repeated, makes it another command.
func (s *steps) retried(first, end, last int, again syntax.Node) {
	if last < 0 || changes(again) || strings.Contains(s.text, "trap ") {
		return
	}
	y := s.found[last]
	some := func(arg string) bool { return lex.IsOneOf(arg, lastFailed) }
	same := func(x, y []string) bool {
		rest := func(argv []string) []string {
			return slices.DeleteFunc(slices.Clone(argv), func(arg string) bool { return some(arg) || lex.IsOneOf(arg, "-q -v -vv -x") })
		}
		return slices.Equal(x, y) || slices.ContainsFunc(y, some) && slices.Equal(rest(x), rest(y))
	}
	for i := first; i < end; i++ {
		x := s.found[i]
		s.found[i].again = x.again || x.Dir == y.Dir && slices.Equal(x.Env, y.Env) && same(x.Argv, y.Argv)
	}
}

// lastFailed are options by which a runner runs only the tests that failed last.
const lastFailed = "--lf --last-failed --onlyFailures --only-failures"

// changes reports whether a part of the line changes what its commands are, or that they run.
func changes(n syntax.Node) (changed bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DeclClause, *syntax.ParamExp, *syntax.CmdSubst:
			changed = true
		case *syntax.Redirect:
			return false
		case *syntax.CallExpr:
			if len(n.Args) > 0 && lex.IsOneOf(n.Args[0].Lit(), "echo printf sleep test [") {
				return false
			}
			changed = changed || len(n.Args) == 0 || lex.IsOneOf(n.Args[0].Lit(), "cd pushd popd unset source . eval exec alias set shift exit return continue")
		}
		return !changed
	})
	return changed
}

// fallsBack reports whether a statement is one simple command, or several of which each runs only if all before it failed: "x || x".
func fallsBack(s *syntax.Stmt) bool {
	or, ok := s.Cmd.(*syntax.BinaryCmd)
	_, call := s.Cmd.(*syntax.CallExpr)
	return plain(s) && (call || ok && or.Op == syntax.OrStmt && fallsBack(or.X) && fallsBack(or.Y))
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

// EndsElsewhere reports whether the command line goes on behind the last command that matches accepts, so that the
// line's exit code may be a later command's.
func (c Command) EndsElsewhere(matches func(argv []string) bool) bool {
	seen, later := false, false
	for _, l := range c.Listed {
		switch {
		case len(l.Argv) == 0:
		case matches != nil && matches(l.Argv):
			seen, later = true, false
		case l.fallback || lex.IsOneOf(l.Program(), copies) || passesOn(l.Argv):
		default:
			later = true
		}
	}
	return seen && later
}

// passesOn reports whether a command ends the shell with a status that it was given: "exit $rc".
func passesOn(argv []string) bool {
	return lex.IsOneOf(argv[0], "exit return") && (len(argv) == 1 || Expanded(argv[1]))
}

// Shortened reports whether the line shows only a part of the output of a command that matches accepts: its
// beginning, its end, or lines that a search picks.
func (c Command) Shortened(matches func(argv []string) bool) bool {
	return matches != nil && c.shortened(func(l Command) bool { return len(l.Argv) > 0 && matches(l.Argv) })
}

// ShortenedOwn is Shortened for programs and scripts of the project itself.
func (c Command) ShortenedOwn() bool { return c.shortened(func(l Command) bool { return l.local }) }

func (c Command) shortened(is func(l Command) bool) bool {
	return slices.ContainsFunc(c.Listed, func(l Command) bool { return (l.picked || l.cutShort) && is(l) })
}

// EndsTimed reports whether the exit code is that of a command run by timeout(1).
func (c Command) EndsTimed() bool {
	n := len(c.Listed)
	return c.Timed || n > 0 && c.Listed[n-1].Timed
}

// Interprets reports whether a program, whose name may end in a version, runs a script or a module.
func Interprets(program string) bool {
	return lex.IsOneOf(strings.TrimRight(program, "0123456789."), "sh bash dash zsh ksh fish python node deno bun ruby perl php lua java Rscript tclsh pwsh")
}

// IsScript reports whether the command runs a program or a script of the project, by its path or an interpreter.
func (c Command) IsScript() bool { return c.local || Interprets(c.Program()) }

// isLocal reports whether argv runs a file of the project, as "./ci.sh", "build/tests" and "bash ci.sh" do.
func isLocal(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	name := argv[0]
	if len(argv) > 1 && IsShellName(name+": ") {
		name = argv[1]
	}
	return strings.HasSuffix(name, ".sh") || strings.Contains(name, "/") && !strings.HasPrefix(name, "/")
}
