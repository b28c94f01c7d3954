package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// Step is one simple command of a command line.
type Step struct {
	Env       []string // NAME=VALUE before it
	Argv      []string
	Dir       string // the directory that it runs in, relative to the start
	Redirects []Redirect
	Opaque    bool // only a shell can tell what it runs

	role
}

// role is what a command is in its line.
type role struct {
	unheard  bool // see steps.list
	cutShort bool // see shownBy
	endShown bool
	picked   bool // see picks
	fallback bool // run only if the command before it failed: see steps.stmt
	again    bool // run until it succeeded: see Retried
	Feeds    bool // another command reads what it prints

	headLines int64 // see shownBy
}

// IsTyped reports whether a command prints only text that the line itself has: "cat <<EOF".
func (s Step) IsTyped() bool {
	here := slices.ContainsFunc(s.Redirects, func(r Redirect) bool { return strings.HasPrefix(r.Op, "<<") })
	return here && lex.IsOneOf(s.Argv[0], "cat tee")
}

// CommandsOf returns the simple commands of a command line, with their wrappers. A line that only a shell can read
// gives one opaque step.
func (t Tools) CommandsOf(argv []string, shellText string) []Step {
	if shellText == "" {
		if line, ok := t.innerLine(argv); ok {
			shellText = line
		} else {
			return []Step{{Argv: argv}}
		}
	}
	l, ok := readLine(shellText)
	if !ok {
		return []Step{{Opaque: true}}
	}
	return l.steps()
}

// innerLine finds LINE in "timeout 60 sh -c LINE".
func (t Tools) innerLine(argv []string) (string, bool) {
	argv = Named(argv)
	for range maxWrappers {
		if len(argv) == 0 {
			return "", false
		}
		if line, ok := ShellLine(argv); ok {
			return line, true
		}
		if line, _ := scripted(argv); line != "" {
			return line, true
		}
		rest, _, ok := t.unwrapOne(argv)
		if !ok {
			return "", false
		}
		argv = Named(rest)
	}
	return "", false
}

// steps returns the simple commands of the line, in its order.
func (l line) steps() []Step {
	s := steps{line: l}
	s.list(l.stmts, false, true)
	return s.found
}

// steps collects the simple commands of a line.
type steps struct {
	line
	found            []Step
	dir              string // the directory that "cd" has led to
	patterns         bool   // a loop over a pattern of names has one turn, with anyName
	pattern          string // the last such pattern
	turned           int    // turns of all loops
	strict, pipefail bool   // "set -e" and "set -o pipefail" are on
	beside           bool   // the line may go on, or end, before what is read now has ended
}

// list goes through the statements of a list. hidden says that exit code 0 of the line does not mean that they
// succeeded; last says that the line ends with them. A statement becomes hidden if another follows it, unless the
// shell exits at the first failure ("set -e"), and if it runs in the background.
func (s *steps) list(stmts []*syntax.Stmt, hidden, last bool) {
	for i, stmt := range stmts {
		more := i+1 < len(stmts)
		s.stmt(stmt, hidden || more && !s.strict, last && !more)
	}
}

// stmt goes through one statement. The conditions of "if" and "while", and a statement behind "!", are hidden:
// their failure does not become the exit code. Of a loop, only the last turn decides it.
func (s *steps) stmt(stmt *syntax.Stmt, hidden, last bool) {
	hidden, last = hidden || !plain(stmt), last && plain(stmt)
	defer func(was bool) { s.beside = was }(s.beside)
	s.beside = s.beside || stmt.Background || stmt.Coprocess
	switch cmd := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		switch cmd.Op {
		case syntax.Pipe, syntax.PipeAll:
			s.pipeline(stages(&syntax.Stmt{Cmd: cmd}), hidden, last)
		case syntax.OrStmt:
			first := len(s.found)
			s.stmt(cmd.X, true, false)
			from := len(s.found)
			s.stmt(cmd.Y, hidden, last)
			for i := range s.found[from:] {
				s.found[from+i].fallback = true
			}
			if fallsBack(cmd.X) && endsInCall(cmd.Y) && !hidden && !s.strict {
				s.retried(first, from, len(s.found)-1, cmd.Y)
			}
		default:
			s.stmt(cmd.X, hidden, false)
			s.stmt(cmd.Y, hidden, last)
		}
	case *syntax.Subshell:
		before := *s
		s.list(cmd.Stmts, hidden, false)
		s.dir, s.strict, s.pipefail = before.dir, before.strict, before.pipefail
	case *syntax.Block:
		s.list(cmd.Stmts, hidden, false)
	case *syntax.IfClause:
		for ; cmd != nil; cmd = cmd.Else {
			s.list(cmd.Cond, true, false)
			s.list(cmd.Then, hidden, false)
		}
	case *syntax.WhileClause:
		first := len(s.found)
		s.list(cmd.Cond, true, false)
		endless := lex.IsOneOf(s.source(cmd.Cond[0].Cmd), "true :") && !cmd.Until // ends by "x && break"
		if _, once := cmd.Cond[0].Cmd.(*syntax.CallExpr); once && !s.beside && len(s.found) == first+1 && cmd.Until == plain(cmd.Cond[0]) && !strings.Contains(s.source(cmd), "break") {
			s.retried(first, first+1, first, cmd)
		}
		s.list(cmd.Do, true, false)
		at := slices.IndexFunc(s.found[first:], func(st Step) bool { return st.Argv[0] == "break" }) + first - 1
		if endless && !s.beside && at > first && strings.Count(s.source(cmd), "break") == 1 && slices.ContainsFunc(cmd.Do, breaks) {
			s.retried(at, at+1, at, cmd)
		}
	case *syntax.ForClause:
		s.loop(cmd, hidden || s.strict) // "set -e" does not end the line where a list with && fails
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			s.list(item.Stmts, hidden, false)
		}
	case *syntax.FuncDecl: // its calls decide
		s.beside = true
		s.stmt(cmd.Body, true, false)
	case *syntax.CoprocClause:
		s.beside = true
		s.stmt(cmd.Stmt, true, false)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			s.stmt(cmd.Stmt, hidden, last)
		}
	default:
		s.call(stmt, hidden)
	}
}

// loop goes through a loop: once for each of its words if the line says them, else once. Each turn begins where the loop
// does: most often it comes back there, and a "cd" that goes wrong changes nothing.
func (s *steps) loop(cmd *syntax.ForClause, hidden bool) {
	name, words, pattern := s.turns(cmd.Loop)
	if pattern != "" && s.patterns {
		words, s.pattern = []string{anyName}, pattern
	}
	outer, dir, first := s.vars, s.dir, len(s.found)
	for _, word := range words {
		if s.turned++; s.turned <= maxTurned && len(s.found) < maxSteps {
			s.vars = maps.Clone(outer)
			if s.vars == nil {
				s.vars = map[string]string{}
			}
			s.vars[name], s.dir = word, dir
			s.list(cmd.Do, true, false)
		}
	}
	if s.vars = outer; len(words) == 0 {
		s.list(cmd.Do, true, false)
	}
	if !hidden && breaks(cmd.Do[len(cmd.Do)-1]) && strings.Count(s.source(cmd), "break") == 1 {
		s.retried(first, len(s.found), len(s.found)-2, &syntax.Block{Stmts: cmd.Do})
	}
}

// breaks reports whether a statement ends a loop when a command succeeded: "x && break".
func breaks(stmt *syntax.Stmt) bool {
	and, ok := stmt.Cmd.(*syntax.BinaryCmd)
	if !ok || and.Op != syntax.AndStmt || !endsInCall(and.X) {
		return false
	}
	call, ok := and.Y.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && call.Args[0].Lit() == "break"
}

// pipeline goes through the commands of a pipeline, whose exit code is its last command's.
func (s *steps) pipeline(all []*syntax.Stmt, hidden, last bool) {
	was := s.beside
	for i, stmt := range all {
		from := len(s.found)
		s.beside = was || i+1 < len(all)
		s.stmt(stmt, hidden || i+1 < len(all) && !s.pipefail, false)
		behind := all[i+1:]
		if last && len(behind) > 0 && len(s.found) == from+1 {
			to := &s.found[from]
			to.cutShort, to.endShown, to.headLines = s.shownBy(behind)
		}
		picked := slices.ContainsFunc(behind, s.picks)
		for k := range s.found[from:] {
			to := &s.found[from+k]
			to.picked, to.Feeds = to.picked || picked, to.Feeds || len(behind) > 0
		}
	}
}

// call adds a simple command.
func (s *steps) call(stmt *syntax.Stmt, hidden bool) {
	c, ok := s.simple(stmt)
	if !ok || len(c.argv) == 0 {
		return
	}
	if lex.IsOneOf(c.argv[0], "command builtin") && len(c.argv) > 2 && c.argv[1] == "cd" {
		c.argv = c.argv[1:]
	}
	switch {
	case len(c.argv) > 1 && lex.IsOneOf(c.argv[0], "cd pushd"):
		if to := cdTarget(c.argv); to != "-" && !Expanded(to) {
			s.dir = Below(s.dir, to)
		}
		return
	case c.argv[0] == "set":
		s.pipefail = s.pipefail || slices.Contains(c.argv, "pipefail")
		s.strict = s.strict || slices.ContainsFunc(c.argv, func(a string) bool {
			return a == "errexit" || strings.HasPrefix(a, "-") && strings.Contains(a, "e")
		})
	}
	s.found = append(s.found, Step{Env: c.env, Argv: c.argv, Dir: s.dir, Redirects: c.redirects, Opaque: c.unknown, role: role{unheard: hidden}})
}

// shownBy reports whether the commands behind a pipe only show a part (or all) of the output of the command before
// it; endShown says whether that part includes the end. lines is from how many lines on it does not; 0 if that cannot
// be told.
func (l line) shownBy(behind []*syntax.Stmt) (cut, endShown bool, lines int64) {
	endShown = true
	for _, stmt := range behind {
		if !l.filters(stmt, passing+" head") {
			return false, false, 0
		}
		c, _ := l.simple(stmt)
		some := c.argv[0] == "head" || c.argv[0] == "sed" && len(c.argv) > 1 && c.argv[1] == "-n" // sed -n 1,20p
		if some && endShown {
			lines = headLines(c.argv)
		}
		endShown = endShown && !some
	}
	return true, endShown, lines
}

// headLines is how many lines "head", "head -20" and "head -n 20" print at most; 0 for another program or option.
func headLines(argv []string) int64 {
	switch count := strings.TrimLeft(strings.Join(argv[1:], ""), "-n"); {
	case argv[0] != "head":
		return 0
	case len(argv) == 1:
		return 10
	case lex.IsDigits(count):
		return int64(lex.Atoi(count))
	}
	return 0
}

// picks reports whether a statement runs a program that prints single lines of its input ("grep -E 'FAIL|^E '"), or
// prints them in another order. A search that leaves lines out (grep -v) leaves the others where they are.
func (l line) picks(stmt *syntax.Stmt) bool {
	c, ok := l.simple(stmt)
	return ok && len(c.argv) > 0 && lex.IsOneOf(c.argv[0], searchers+" awk sort tac") && !slices.ContainsFunc(c.argv[1:], leavesOut)
}

// leavesOut reports whether an argument of a search asks for the lines that do not match.
func leavesOut(arg string) bool {
	flags, short := strings.CutPrefix(arg, "-")
	return arg == "--invert-match" || short && strings.Trim(flags, "EFPinvwxash") == "" && strings.Contains(flags, "v")
}

// filters reports whether a statement runs one of these programs.
func (l line) filters(stmt *syntax.Stmt, programs string) bool {
	c, ok := l.simple(stmt)
	return ok && plain(stmt) && len(c.argv) > 0 && lex.IsOneOf(c.argv[0], programs)
}

// listed returns the commands of a line, in order, each with the directory that "cd" before it in the same shell
// leads to.
func (t Tools) listed(l line) (list []Command) {
	all := l.steps()
	for i, st := range all {
		if !st.Opaque && !isPrelude(st.Argv[0]) {
			c := t.Unwrap(st.Argv, "")
			c.Dir, c.role = JoinDir(st.Dir, c.Dir), st.role
			if shown, cut := shownLater(st, all[i+1:], passing+" head"); shown {
				c.cutShort, c.endShown = true, !cut
			}
			if shown, _ := shownLater(st, all[i+1:], searchers); shown {
				c.picked = true
			}
			if c.endShown && lex.IsOneOf(c.Program(), "c8 nyc") { // a tool's lines, of which the end may tell nothing, and the coverage below them
				args, _ := wrapper{values: coverValues}.flags(c.Argv[1:])
				inner := c
				if inner.Argv = t.Unwrap(args, "").Argv; t.known(inner.Argv) {
					list = append(list, inner)
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// shownLater reports whether one of these programs later shows the file to which this step writes its output: "mix test
// > log; tail -5 log". headed says that it shows only the beginning.
func shownLater(st Step, later []Step, programs string) (shown, headed bool) {
	for _, r := range st.Redirects {
		if !lex.IsOneOf(strings.TrimPrefix(r.Op, "1"), "> >> >| &> &>>") {
			continue
		}
		for _, l := range later {
			if len(l.Argv) > 1 && lex.IsOneOf(l.Argv[0], programs) && slices.Contains(l.Argv[1:], r.Target) {
				return true, l.Argv[0] == "head"
			}
		}
	}
	return false, false
}

// Expanded reports whether a name has an expansion, whose value only the shell knows.
func Expanded(name string) bool { return strings.ContainsAny(name, "$`") }

// Below returns name, which is relative to dir, as seen from where the command line starts.
func Below(dir, name string) string {
	if dir == "" || result.IsAbsolute(name) {
		return name
	}
	return path.Join(dir, name)
}
