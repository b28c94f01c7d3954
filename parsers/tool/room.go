package tool

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Room is what the files of one folder declare. A file adds its tools with a
// package-level variable, so that a new tool touches no other file:
//
//	var _ = Room.Add("flake8 pflake8", func(p *tool.Parser) {
//		p.Is("flake8", result.Lint, 1, "flake8 3 to 7")
//		p.Reads(tool.Format{…})
//	})
//
// It adds a function, and not a value, and the names of the programs beside it. So
// cairn starts without making some four hundred parsers, and a command that names its
// tool has that tool's parser made alone.
type Room struct{ first, last *Declared }

// Declared is a parser that is made when somebody wants it.
type Declared struct {
	programs string
	writes   bool
	declare  func(*Parser)
	made     atomic.Pointer[Parser]
	next     *Declared // of the room: a list costs the start of the program no copies
}

// AnyProgram stands for the names of the programs of a tool that only its Matches
// can tell: it is asked about every command.
const AnyProgram = "*"

// Trait is what must be known of a parser before it is made.
type Trait int

// WritesFiles: the parser declares Files.
const WritesFiles Trait = 1

// Add adds a tool. programs are the names under which its program is started, with
// blanks between: a command that runs another program is not the tool's, and Matches is
// not asked. Those before a "|" are the parser's Programs, unless it has its own, and where
// it has no Matches every command that runs any of them is the tool's. "" is for a tool that
// no command names.
//
// It is not inlined: four hundred copies of it would be code that every start of the
// program reads once.
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

// Declared are the tools of the room, in the order of its files.
func (r *Room) Declared() (all []*Declared) {
	for d := r.first; d != nil; d = d.next {
		all = append(all, d)
	}
	return all
}

// Parsers are the tools of the room, made. Two of one name are a mistake of the
// program.
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

// Made declares a parser that is at hand.
func Made(p *Parser) *Declared {
	d := &Declared{programs: AnyProgram, writes: len(p.Files) > 0}
	d.made.Store(p)
	return d
}

// making keeps a parser from being made twice. There is one for all of them, so that a
// declaration takes little room: each is made before main.
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
	if shown, others, _ := strings.Cut(d.programs, "|"); shown != "" && shown != AnyProgram {
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

// Is says whether the parser has been made of this declaration.
func (d *Declared) Is(p *Parser) bool { return d.made.Load() == p }

// MayRun says whether a command that starts this program, a base name without ".exe",
// may be one of the tool.
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

// Writes says whether the parser declares Files.
func (d *Declared) Writes() bool { return d.writes }
