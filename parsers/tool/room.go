package tool

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Room is the list of tools that the files of one folder declare. Each file adds its tools in a package-level
// variable, so that a new tool touches no other file:
//
//	var _ = Room.Add("flake8 pflake8", func(p *tool.Parser) {
//		p.Is("flake8", result.Lint, 1, "flake8 3 to 7")
//		p.Reads(tool.Format{…})
//	})
//
// Add takes the names of the programs and a function, not a finished Parser, so that cairn can start without making
// four hundred parsers, and makes only one parser for a command that names its tool.
type Room struct{ first, last *Declared }

// Declared is a parser that is made when it is first needed.
type Declared struct {
	programs string
	writes   bool
	declare  func(*Parser)
	made     atomic.Pointer[Parser]
	next     *Declared // next of the room; a linked list needs no copying when the program starts
}

// AnyProgram stands in place of program names if only the tool's Matches can decide; Matches is then called for
// every command.
const AnyProgram = "*"

// NoProgram stands in place of program names if the tool's program has any name, as a test program has, so that only
// the output tells the tool. "" is for a form that many tools print.
const NoProgram = "|"

// Trait is a property of a parser that must be known before the parser is made.
type Trait int

// WritesFiles says that the parser declares Files.
const WritesFiles Trait = 1

// Add adds a tool. programs are the names under which its program is started, separated by blanks; Matches is not
// called for a command that runs another program. The names before a "|" become the parser's Programs, unless it
// sets its own; without a Matches, every command that runs one of them is the tool's. "" is for a tool that no
// command names.
//
// Add is not inlined: its four hundred copies would be code that runs at every start.
//
//go:noinline
func (r *Room) Add(programs string, declare func(*Parser), traits ...Trait) bool {
	d := &Declared{programs: programs, writes: len(traits) > 0, declare: declare}
	if r.last == nil {
		r.first = d
	} else {
		r.last.next = d
	}
	r.last = d
	return true
}

// Declared returns the tools of the room, in the order of its files.
func (r *Room) Declared() (all []*Declared) {
	for d := r.first; d != nil; d = d.next {
		all = append(all, d)
	}
	return all
}

// Parsers makes the parsers of the room. It panics if two have the same name.
func (r *Room) Parsers() (all []*Parser) {
	names := map[string]bool{}
	for _, d := range r.Declared() {
		p := d.Parser()
		if names[p.Tool] {
			panic(fmt.Sprintf("parsers: two parsers for tool %q", p.Tool))
		}
		names[p.Tool] = true
		all = append(all, p)
	}
	return all
}

// Made declares a parser that has been made already.
func Made(p *Parser) *Declared {
	d := &Declared{programs: AnyProgram, writes: len(p.Files) > 0}
	d.made.Store(p)
	return d
}

// making keeps a parser from being made twice. All declarations share one mutex, to stay small: all of them are
// allocated before main runs.
var making sync.Mutex

// Parser makes the parser, once.
func (d *Declared) Parser() *Parser {
	if p := d.made.Load(); p != nil {
		return p
	}
	making.Lock()
	defer making.Unlock()
	if p := d.made.Load(); p != nil {
		return p
	}
	p := &Parser{}
	d.declare(p)
	if shown, others, bar := strings.Cut(d.programs, "|"); bar || shown != "" && shown != AnyProgram {
		if p.Programs == nil {
			p.Programs = strings.Fields(shown)
		}
		if p.Matches == nil {
			p.Matches = Runs(strings.Fields(shown + others)...)
		}
	}
	d.made.Store(p)
	return p
}

// Is reports whether p was made from this declaration.
func (d *Declared) Is(p *Parser) bool { return d.made.Load() == p }

// MayRun reports whether a command that starts this program (a base name without ".exe") may run the tool.
func (d *Declared) MayRun(program string) bool {
	if d.programs == AnyProgram {
		return true
	}
	for rest := d.programs; rest != ""; {
		var name string
		if name, rest, _ = strings.Cut(rest, " "); name == program {
			return true
		}
	}
	return false
}

// Writes reports whether the parser declares Files.
func (d *Declared) Writes() bool { return d.writes }

// Evidence says what it proves that a format matched.
type Evidence uint8

const (
	// Signature means that only this tool prints the lines that the format starts with.
	Signature Evidence = iota
	// Shape means that other tools print lines of this form too. The findings count as the tool's only if a command
	// names the tool, or if the report holds a line that only the tool prints (Report.Signed). Otherwise they are
	// kept under the name of the program that was run, and the result is heuristic.
	Shape
)

// Runs returns a Parser.Matches that accepts the given program names.
func Runs(programs ...string) func(argv []string) bool {
	return func(argv []string) bool { return slices.Contains(programs, argv[0]) }
}

// RunsSub returns a Parser.Matches that accepts subcommands of a program, such as "terraform validate". Flags
// before the subcommand are skipped.
func RunsSub(program string, subs ...string) func(argv []string) bool {
	return func(argv []string) bool {
		if argv[0] != program {
			return false
		}
		for _, a := range argv[1:] {
			if a == "" || a[0] != '-' {
				return slices.Contains(subs, a)
			}
		}
		return false
	}
}
