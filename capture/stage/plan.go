package stage

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"cairn/internal/bash"
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
	return len(argv) >= s.Known && (s.Known < len(s.Words) || len(argv) == s.Known) && slices.Equal(s.Words[:s.Known], argv[:s.Known])
}

// Run is one command of a line that was started.
type Run struct {
	Site    *Site
	Argv    []string // the words that the command gets
	Cut     bool     // Argv is incomplete
	Dir     string   // its directory; "" if this system does not show it
	Tapped  bool     // Sink gets its output
	Started time.Time
	Sink    Sink

	mu    sync.Mutex
	end   End
	ended chan struct{} // closed when end is known
	tap   *tap          // nil unless Tapped
}

// End is how a command ended.
type End struct {
	Known  bool
	Code   int    // -1 if a signal ended it
	Signal string // name of that signal
}

// End is how the command ended; Known is false while it runs.
func (r *Run) End() End {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

// Left says whether the command, or a process that it started, still ran when the line had ended.
func (r *Run) Left() bool { return !r.End().Known || r.tap != nil && r.tap.left }

// Rest are the two ends of an output that is still open after the line has ended: one
// to read, and one to write to. The caller owns them from then on.
func (r *Run) Rest() (from, to *os.File) {
	if r.tap == nil || !r.tap.left {
		return nil, nil
	}
	return os.NewFile(uintptr(r.tap.in), "stage"), os.NewFile(uintptr(r.tap.out), "reader")
}

// ReaderLeft says whether its reader left before the command had printed everything:
// then how the command ended says nothing.
func (r *Run) ReaderLeft() bool { return r.tap != nil && r.tap.cut }

func (r *Run) hasEnded(e End) {
	r.mu.Lock()
	r.end = e
	r.mu.Unlock()
	close(r.ended)
}

// Sink receives the output of a command.
type Sink interface {
	Room() []byte // returns a buffer to read into, never empty
	Chunk(at time.Duration, p []byte)
}

// Options are the settings of a Server.
type Options struct {
	Plan    *Plan
	Program string // the path of cairn-stage
	Shell   string // the path of the shell
	// Begin is called with each command that is tapped or watched, before it runs, and
	// returns the sink of its output; nil if that is not wanted. Calls do not overlap.
	Begin func(*Run) Sink
}

// maxRuns is how many commands of one line are kept, since a loop may run for ever.
const maxRuns = 64

// patience bounds the wait for output of stages after their line has ended. Tests wait
// longer, since they may run beside many programs.
var patience = 200 * time.Millisecond

// noticing are builtins that show, or depend on, how the shell finds a command, or that
// show what the shell runs.
const noticing = "hash type enable compgen caller history fc ulimit coproc select complete"

// look finds parts of a line that would notice the words put in front of commands.
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
			r.renames = r.renames || slices.Contains(strings.Fields(renaming), argv[0])
			r.shows = r.shows || r.plan.shell == Dash && argv[0] == "set" && strings.Contains(strings.Join(argv[1:], " "), "m") || slices.Contains(strings.Fields(showing), argv[0]) || argv[0] == "exec" && len(argv) == 1
		}
	}
	return !r.no
}

// renaming are builtins that may give a name another meaning than the file of that name.
const renaming = "eval source . alias"

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
	return slices.Contains(strings.Fields(noticing), argv[0])
}

// asksStatus says whether a part of a line reads the status of the command before it.
func asksStatus(n syntax.Node) (asks bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && (p.Param.Value == "?" || p.Param.Value == "PIPESTATUS") {
			asks = true
		}
		return !asks
	})
	return asks
}
