package stage

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/bash"

	"mvdan.cc/sh/v3/syntax"
)

// Role is how a command of a line is observed.
type Role int

// The roles.
const (
	// Watched: the line ignores its exit status; its output is the line's.
	Watched Role = iota
	// Tapped: it alone is a stage of a pipeline, and not the last.
	Tapped
	// Held is one of several commands that write to the same pipe, one after the other.
	Held
)

// Site is a place in a line at which a command is run.
type Site struct {
	Role   Role
	Words  []string // of the command; "" for a word that the shell expands
	Known  int      // how many of Words, from the first, are literal in the line
	Reader string   // the command that reads its output; "" if the line's caller does
	Number int      // index in the line, from 0
	taken  int

	at     int     // offset of its name in the line
	file   string  // path of a command that is named by a path
	pieces []piece // of a name that is expanded
	dir    string  // where the command runs, relative to the line's directory
	lost   bool    // dir is unknown
	after  int     // how many words, from the second, are literal in the line

	explicit bool // it runs through cairn-stage only if the line names that in front of it
	named    bool // the line will name it
}

// Plan is the sites of a line and the edits to observe them.
type Plan struct {
	Sites  []*Site
	Unread string // why the line was not understood; usually ""
	Leaves bool   // the line may leave jobs running
	edits  []edit
	shell  Shell
	vars   variables
}

// Shell is the kind of shell that runs a line.
type Shell int

// The shells whose lines are read.
const (
	Bash Shell = iota // also if it is called sh
	Dash
)

// ShellOf is the kind of a shell, by the name of its file, with links resolved for "sh"; ok is false for others, whose
// lines are left alone.
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

// edit is text that is inserted into a line.
type edit struct {
	at    int
	names []string // commands that the shell is asked to run through cairn-stage; none: the command at this offset is
	join  string   // the text that follows
}

// maxSites is how many commands of one line are observed.
const maxSites = 64

// Read finds the commands of a line that are tapped or watched. It leaves alone what it
// does not understand.
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

// Leaves says whether a line runs something in the background.
func Leaves(file *syntax.File) (leaves bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok && s.Background {
			leaves = true
		}
		return !leaves
	})
	return leaves
}

// Rewrite is the line with the edits. program is the path of cairn-stage. Within a
// statement nothing changes, except in front of a command that is named by a path.
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

// Find is the site at which a command was started: of all that match, the best known
// one that was found least often. It is nil if none matches.
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
