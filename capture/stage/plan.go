package stage

import (
	"os/exec"
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
