package stage

import (
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/bash"

	"mvdan.cc/sh/v3/syntax"
)

// Role is how much is to be known of a command of a line.
type Role int

// The roles.
const (
	// Watched: the line throws its exit status away; its output is the line's.
	Watched Role = iota
	// Tapped: it is a stage of a pipeline by itself, and not the last.
	Tapped
	// Held is one of several commands that write to the same pipe, one after the other.
	Held
)

// Site is a place of a line at which a command is run.
type Site struct {
	Role   Role
	Words  []string // of the command; one that the shell expands is ""
	Known  int      // how many of Words, from the first, the line spells out
	Reader string   // the command that reads its output; "" where the line's caller does
	Number int      // in the line, the first of which is 0
	taken  int

	at     int     // where in the line its name stands
	file   string  // of a command that is named by a path: where it is
	pieces []piece // of one that is named by a word that is expanded
	dir    string  // where the command runs, from where the line does
	lost   bool    // that is not known
	after  int     // how many words, from the second, the line spells out

	explicit bool // it is run by way of cairn-stage only where the line names that in front of it
	named    bool // which it does
}

// Plan is what is to be known of a line.
type Plan struct {
	Sites  []*Site
	Unread string // why the line was not understood; "" as a rule
	Leaves bool   // the line may leave something running
	edits  []edit
	shell  Shell
	vars   variables
}

// Shell is a kind of shell that lines are written for.
type Shell int

// The shells whose lines are read.
const (
	Bash Shell = iota // also where it is called sh
	Dash
)

// ShellOf is the kind of a shell, by its path and what that is a link to; ok is false for others, whose lines are left alone.
func ShellOf(program string) (s Shell, ok bool) {
	name := filepath.Base(program)
	if name == "sh" {
		if to, err := exec.LookPath(program); err == nil {
			if to, err = filepath.EvalSymlinks(to); err == nil {
				name = filepath.Base(to)
			}
		}
	}
	switch name {
	case "bash":
		return Bash, true
	case "dash":
		return Dash, true
	}
	return Bash, false
}

// edit is text that is put into a line, or a command of a path.
type edit struct {
	at    int
	names []string // commands that the shell is asked to run by way of cairn-stage; none: the one that stands here is
	join  string   // what follows
}

// maxSites bounds how much of one line is looked at.
const maxSites = 64

// Read finds the commands of a line that are tapped or watched. What it does not understand
// it leaves alone.
func Read(line string, as Shell) *Plan {
	parse := bash.Parse
	if as == Dash {
		parse = bash.ParsePlain
	}
	file, err := parse(line)
	if err != nil {
		return &Plan{Unread: "it cannot be parsed"}
	}
	r := &reader{plan: &Plan{Leaves: Leaves(file), shell: as}, declared: map[string]bool{}}
	syntax.Walk(file, r.look)
	if r.no {
		return r.plan
	}
	r.list(file.Stmts, scope{heard: true, said: true})
	slices.SortStableFunc(r.plan.edits, func(a, b edit) int { return a.at - b.at })
	return r.plan
}

// Leaves says whether a line puts something in the background.
func Leaves(file *syntax.File) (leaves bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok && s.Background {
			leaves = true
		}
		return !leaves
	})
	return leaves
}

// reader walks over a line.
type reader struct {
	plan     *Plan
	declared map[string]bool // functions of the line's own
	no       bool            // the line could notice
	shows    bool            // the line could show the text of a command
	renames  bool            // the line may make functions or aliases that do not stand in it
	hoisted  *[]string       // of the commands within $(...), those that the shell has to hear of before the statement around it

	dir  string // where commands run, from where the line does
	lost bool   // that is not known
}

// noticing are builtins that show, or depend on, how the shell finds a command, or that show
// what the shell runs.
var noticing = strings.Fields("hash type enable compgen caller history fc ulimit coproc select complete")

// look finds what would notice a line that tells the shell more than it says.
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
			r.renames = r.renames || slices.Contains(renaming, argv[0])
			r.shows = r.shows || r.plan.shell == Dash && argv[0] == "set" && strings.Contains(strings.Join(argv[1:], " "), "m") || slices.Contains(showing, argv[0]) || argv[0] == "exec" && len(argv) == 1
		}
	}
	return !r.no
}

// renaming are builtins that may give a name to something else than the file of that name.
var renaming = strings.Fields("eval source . alias")

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
	return slices.Contains(noticing, argv[0])
}

// asksStatus says whether a part of a line asks how the command before it ended.
func asksStatus(n syntax.Node) (asks bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && (p.Param.Value == "?" || p.Param.Value == "PIPESTATUS") {
			asks = true
		}
		return !asks
	})
	return asks
}

// scope is where in a line a command stands.
type scope struct {
	heard bool   // its exit status is the line's
	again bool   // in a loop that may run for ever
	pipe  string // what reads the output of the compound command around it; "" if nothing does
	said  bool   // what the shell says of a command goes where the line's own output goes
}

func (c scope) unheard() scope {
	c.heard = false
	return c
}

// list reads statements that follow one another.
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

// before tells the shell of commands, at the beginning of a statement.
func (r *reader) before(s *syntax.Stmt, names []string, join string) {
	slices.Sort(names)
	if names = slices.Compact(names); r.hoisted != nil {
		*r.hoisted = append(*r.hoisted, names...)
	} else if len(names) > 0 {
		r.plan.edits = append(r.plan.edits, edit{at: int(s.Pos().Offset()), names: names, join: join})
	}
}

// andOr reads a statement, and returns the commands that the shell has to hear of before it.
// That is at once in front of it where it follows "&&", since what is there may have changed PATH.
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

// compound reads what is within a compound command.
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

// filters say nothing of their own at the end of a pipeline; how they end is not worth a look.
var filters = strings.Fields("tail head grep egrep fgrep rg cat sort uniq wc cut tr sed awk tee nl column jq less more")

// Copies says whether what a command prints is another's, or its own in another form.
func Copies(name string) bool { return slices.Contains(filters, path.Base(name)) }

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

// nameOf is how a stage is called to a person.
func nameOf(s *syntax.Stmt) string {
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		if argv, known := Words(call.Args[:1]); known == 1 {
			return path.Base(argv[0])
		}
	}
	return "the next command"
}

// simple reads a simple command, and returns the names that the shell has to hear of before it.
func (r *reader) simple(s *syntax.Stmt, call *syntax.CallExpr, c scope, role Role, reader string) []string {
	names := r.within(call, c)
	if len(call.Args) > 0 && !s.Coprocess {
		names = append(names, r.command(s, call, c, role, reader)...)
	}
	if asksStatus(s) { // what is put in front of it would answer
		return nil
	}
	return names
}

// command makes a site of a command, and returns its name if it is one that the shell has to hear of.
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
	case known == 0 || r.declared[argv[0]] || byPath && file == "" && site.pieces == nil || !byPath && (!isPlain(argv[0]) || r.taken(argv[0])):
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

// taken says whether a name may be that of something else than a file, or is of a program that is left alone.
func (r *reader) taken(name string) bool {
	return slices.Contains(Interactive, name) || slices.Contains(Builtins, name) || slices.Contains(runners, name) ||
		r.plan.shell != Bash && (r.renames || r.shows || name == "chdir") // bash itself puts what it knows by a name before a file of the name
}

// substitution is what reads the output of a command within $(...).
const substitution = "$(...)"

// within reads the commands in $(...) among the words of a command, and returns the names that the shell has to hear of before.
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
		} else if ok { // it alone writes to the pipe
			return append(r.simple(p.Stmts[0], call, r.redirected(p.Stmts[0], in), Tapped, substitution), names...)
		}
	}
	r.list(p.Stmts, in)
	return names
}

// isPlain says whether a word is the name of a command as commands are called.
func isPlain(name string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-"
	return name != "" && name[0] != '-' && name[0] != '.' && strings.Trim(name, allowed) == "" && name != "cairn"
}

// Rewrite is the line with what tells the shell of its commands. program is the path of the one that they
// are run by. Between the beginning and the end of each statement nothing changes, but in front of a command that
// is named by a path.
func (p *Plan) Rewrite(line, program string) string {
	var b strings.Builder
	at := 0
	for _, e := range p.edits {
		b.WriteString(line[at:e.at])
		if at = e.at; len(e.names) == 0 {
			b.WriteString(quote(program) + " ")
		}
		for i, name := range e.names {
			if i > 0 {
				b.WriteString(" && ")
			}
			b.WriteString("if hash " + name + " 2>&-; then hash -p " + quote(program) + " " + name + "; fi")
		}
		b.WriteString(e.join)
	}
	return b.String() + line[at:]
}

// quote is s as one word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Any says whether there is anything to be tapped or watched.
func (p *Plan) Any() bool { return len(p.edits) > 0 }

// Find is the site that a command was started at: of those that it could be, one that was
// found least often. It is nil where the shell had not to hear of this one.
func (p *Plan) Find(argv []string) (best *Site) {
	for _, s := range p.Sites {
		if s.explicit && !s.named {
			continue
		}
		if s.could(argv) && (best == nil || s.Known > best.Known || s.Known == best.Known && s.taken < best.taken) {
			best = s
		}
	}
	if best != nil {
		best.taken++
	}
	return best
}

func (s *Site) could(argv []string) bool {
	if len(argv) < s.Known || s.Known == len(s.Words) && len(argv) != s.Known {
		return false
	}
	return slices.Equal(s.Words[:s.Known], argv[:s.Known])
}
