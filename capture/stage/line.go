package stage

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reader walks over a parsed line.
type reader struct {
	plan     *Plan
	declared map[string]bool // functions that the line defines
	no       bool            // the line could notice cairn-stage, so it is left alone
	shows    bool            // the line could print the text of a command
	renames  bool            // the line may define functions or aliases that cannot be seen in it
	hoisted  *[]string       // names of commands in $(...) that the shell must hash before the statement around it

	dir  string // where commands run, relative to the line's directory
	lost bool   // dir is unknown
}

// scope is the context of a command in a line.
type scope struct {
	heard bool   // the line's exit status is the command's
	again bool   // in a loop that may run for ever
	pipe  string // the reader of the output of the compound command around it; "" if none exists
	said  bool   // the shell's messages about a command go to the line's own output
}

func (c scope) unheard() scope {
	c.heard = false
	return c
}

// list reads a list of statements.
func (r *reader) list(stmts []*syntax.Stmt, c scope) {
	for i, s := range stmts {
		in := c
		if i < len(stmts)-1 || s.Background {
			in.heard = false
		}
		var names []string
		if s.Background {
			r.apart(func() { names = r.andOr(s, in) })
			r.before(s, names, "; ")
		} else {
			names = r.andOr(s, in)
			r.before(s, names, " && ")
		}
	}
}

// before adds an edit that makes the shell hash names, at the beginning of a statement.
func (r *reader) before(s *syntax.Stmt, names []string, join string) {
	slices.Sort(names)
	if names = slices.Compact(names); r.hoisted != nil {
		*r.hoisted = append(*r.hoisted, names...)
	} else if len(names) > 0 {
		r.plan.edits = append(r.plan.edits, edit{at: int(s.Pos().Offset()), names: names, join: join})
	}
}

// andOr reads a statement, and returns the names that the shell must hash before it. Behind "&&" they
// are hashed directly in front of the statement, since the part before may change PATH.
func (r *reader) andOr(s *syntax.Stmt, c scope) []string {
	c = r.redirected(s, c)
	switch cmd := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		switch cmd.Op {
		case syntax.AndStmt:
			names := r.andOr(cmd.X, c)
			r.before(cmd.Y, r.andOr(cmd.Y, c), " && ")
			return names
		case syntax.OrStmt:
			names := r.andOr(cmd.X, c.unheard())
			r.maybe(func() { names = append(names, r.andOr(cmd.Y, c)...) })
			return names
		}
		return r.pipeline(s, c)
	case *syntax.CallExpr:
		return r.simple(s, cmd, c, Watched, c.pipe)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			return r.andOr(cmd.Stmt, c)
		}
	default:
		c.said = c.said && !saysElsewhere(s)
		r.compound(cmd, c)
	}
	return nil
}

// redirected is the scope within the redirections of a statement.
func (r *reader) redirected(s *syntax.Stmt, c scope) scope {
	if s.Negated {
		c.heard = false
	}
	for _, d := range s.Redirs {
		if d.N == nil || d.N.Value == "1" {
			switch d.Op {
			case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut:
				c.pipe = ""
			}
		}
	}
	return c
}

// compound reads the statements in a compound command.
func (r *reader) compound(cmd syntax.Command, c scope) {
	switch cmd := cmd.(type) {
	case *syntax.Subshell:
		r.apart(func() { r.list(cmd.Stmts, c) })
	case *syntax.Block:
		r.list(cmd.Stmts, c)
	case *syntax.IfClause:
		for i := cmd; i != nil; i = i.Else {
			r.list(i.Cond, c.unheard())
			r.maybe(func() { r.list(i.Then, c) })
		}
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			r.maybe(func() { r.list(item.Stmts, c) })
		}
	case *syntax.WhileClause:
		c.again = true
		r.repeats(cmd, func() { r.list(cmd.Cond, c.unheard()); r.list(cmd.Do, c.unheard()) })
	case *syntax.ForClause:
		words, is := cmd.Loop.(*syntax.WordIter)
		c.again = c.again || !is || len(words.Items) > maxSites
		r.repeats(cmd, func() { r.list(cmd.Do, c.unheard()) })
	}
}

// filters print only text of others when they end a pipeline, and their exit status does not matter.
const filters = "tail head grep egrep fgrep rg cat sort uniq wc cut tr sed awk tee nl column jq less more"

// Copies says whether a command prints only other programs' output, perhaps in another form.
func Copies(name string) bool { return isOneOf(path.Base(name), filters) }

// pipeline reads the stages of a pipeline.
func (r *reader) pipeline(s *syntax.Stmt, c scope) (names []string) {
	stages := stagesOf(s)
	for i, st := range stages {
		if i == len(stages)-1 {
			if c.pipe != "" && c.pipe != substitution || !Copies(nameOf(st)) {
				r.apart(func() { names = append(names, r.andOr(st, c)...) })
			}
			break
		}
		reader := nameOf(stages[i+1])
		in := scope{again: c.again, pipe: reader, said: c.said}
		if call, ok := st.Cmd.(*syntax.CallExpr); ok {
			r.apart(func() { names = append(names, r.simple(st, call, r.redirected(st, in), Tapped, reader)...) })
		} else if st.Cmd != nil {
			in.said = in.said && !saysElsewhere(st) && !joinsErrors(s)
			r.apart(func() { r.compound(st.Cmd, r.redirected(st, in)) })
		}
	}
	if asksStatus(s) {
		return nil
	}
	return names
}

// stagesOf are the commands that a pipeline joins.
func stagesOf(s *syntax.Stmt) []*syntax.Stmt {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		return append(stagesOf(b.X), stagesOf(b.Y)...)
	}
	return []*syntax.Stmt{s}
}

// nameOf is the name of a stage for people.
func nameOf(s *syntax.Stmt) string {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		if argv, known := Words(call.Args[:1]); known == 1 {
			return path.Base(argv[0])
		}
	}
	return "the next command"
}

// simple reads a simple command, and returns the names that the shell must hash before it.
func (r *reader) simple(s *syntax.Stmt, call *syntax.CallExpr, c scope, role Role, reader string) []string {
	names := r.within(call, c)
	if len(call.Args) > 0 && !s.Coprocess {
		names = append(names, r.command(s, call, c, role, reader)...)
	}
	if asksStatus(s) { // words in front of it would change the status that it asks for
		return nil
	}
	return names
}

// command makes a site of a command, and returns its name if the shell must hash it.
func (r *reader) command(s *syntax.Stmt, call *syntax.CallExpr, c scope, role Role, reader string) []string {
	if len(r.plan.Sites) == maxSites {
		return nil
	}
	argv, known := Words(call.Args)
	_, after := Words(call.Args[1:])
	site := &Site{Words: argv, Known: known, Reader: reader, Number: len(r.plan.Sites), at: int(call.Args[0].Pos().Offset()), dir: r.dir, lost: r.lost, after: after}
	r.moves(argv, known)
	file, byPath := r.byPath(argv[0], c)
	if known == 0 && r.addable(c) {
		site.pieces, byPath = pieces(call.Args[0])
		known = len(site.pieces)
	}
	switch {
	case known == 0, r.declared[argv[0]]:
		return nil
	case byPath && file == "" && site.pieces == nil:
		return nil
	case !byPath && (!isPlain(argv[0]) || r.taken(argv[0])):
		return nil
	case role == Watched && c.pipe != "":
		role = Held
	}
	site.explicit = byPath || r.plan.shell != Bash
	if role == Watched && (c.heard || c.again) || !site.explicit && asksStatus(s) {
		return nil
	}
	site.Role, site.file = role, file
	r.plan.Sites = append(r.plan.Sites, site)
	if site.explicit {
		return nil
	}
	return argv[:1]
}

// taken says whether a name may be of something other than a file, or is of a program that is left alone.
func (r *reader) taken(name string) bool {
	return IsInteractive(name) || IsBuiltin(name) || isOneOf(name, runners) ||
		r.plan.shell != Bash && (r.renames || r.shows || name == "chdir") // bash looks for a file of the name last
}

// substitution is the Reader of a command within $(...).
const substitution = "$(...)"

// within reads the commands in $(...) among the words of a command, and returns the names that the shell must hash
// before it.
func (r *reader) within(call *syntax.CallExpr, c scope) (names []string) {
	var parts []syntax.WordPart
	for _, a := range call.Assigns {
		if a.Value != nil {
			parts = append(parts, a.Value.Parts...)
		}
	}
	for _, w := range call.Args {
		parts = append(parts, w.Parts...)
	}
	for i := 0; i < len(parts); i++ {
		switch p := parts[i].(type) {
		case *syntax.DblQuoted:
			parts = append(parts, p.Parts...)
		case *syntax.CmdSubst:
			if !p.Backquotes && !p.TempFile && !p.ReplyVar {
				r.apart(func() { names = append(names, r.substituted(p, c)...) })
			}
		}
	}
	return names
}

func (r *reader) substituted(p *syntax.CmdSubst, c scope) (names []string) {
	defer func(outer *[]string) { r.hoisted = outer }(r.hoisted)
	r.hoisted = &names
	in := scope{again: c.again, pipe: substitution, said: c.said}
	if len(p.Stmts) == 1 && !p.Stmts[0].Negated && !p.Stmts[0].Background {
		if call, ok := p.Stmts[0].Cmd.(*syntax.CallExpr); ok && Copies(nameOf(p.Stmts[0])) {
			return r.within(call, in)
		} else if ok { // the only command that writes to the pipe
			return append(r.simple(p.Stmts[0], call, r.redirected(p.Stmts[0], in), Tapped, substitution), names...)
		}
	}
	r.list(p.Stmts, in)
	return names
}

// isPlain says whether a word looks like the name of a command.
func isPlain(name string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-"
	return name != "" && name[0] != '-' && name[0] != '.' && strings.Trim(name, allowed) == "" && name != "cairn"
}

// builtins are those that run nothing which prints more than a line of its own. "eval",
// "source" and "." are not among them: what they run is unknown.
const builtins = ": [ alias bg bind break builtin caller cd compgen complete continue declare dirs disown echo enable exit export " +
	"false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift " +
	"shopt suspend test times trap true type typeset ulimit umask unalias unset wait"

// runners are builtins that run other commands.
const runners = "eval source . command exec coproc compopt"

// interactive are programs that draw on a terminal. Interpreters are not among them:
// agents run them with a script or with input from elsewhere.
const interactive = "vi vim nvim view nano pico emacs micro hx less more most man info top htop btop watch tmux screen " +
	"mc ranger tig lazygit gitui fzf dialog whiptail"

// IsBuiltin says whether the shell runs the command by itself, and the command prints at most a line of its own.
func IsBuiltin(name string) bool { return isOneOf(name, builtins) }

// IsInteractive says whether the program draws on a terminal.
func IsInteractive(name string) bool { return isOneOf(name, interactive) }

// isOneOf says whether a word is in a list separated by blanks. A list as text takes no time when the program starts.
func isOneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// Words are the words of a command; known is how many of them, from the first, are
// literal in the line. A word that the shell expands is "".
func Words(words []*syntax.Word) (argv []string, known int) {
	argv = make([]string, len(words))
	all := true
	for i, w := range words {
		var ok bool
		argv[i], ok = Static(w.Parts)
		if all = all && ok && !globs(w); all {
			known++
		}
	}
	return argv, known
}

// globs says whether the shell could expand a word as a pattern, or to several words.
func globs(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, "*?[{~\\") {
			return true
		}
	}
	return false
}

// Static is the text of a word without expansions.
func Static(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value, ""))
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || p.Dollar {
					return "", false
				}
				b.WriteString(unescaped(lit.Value, "$`\"\\\n"))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescaped removes the backslashes that quote: all of them outside quotes (special is
// ""), within double quotes only those before a character of special.
func unescaped(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (special == "" || strings.IndexByte(special, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
