package engine

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"cairn/parsers/internal/reports"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/tool"
	"cairn/result"
)

// Table is shared by all sessions: the parsers, and the beginnings of lines that start their formats. It does not
// change, so that a session costs the same however many parsers there are, and every part is computed when it is
// first needed: a command that names its tool needs one parser, and a command that prints nothing needs no
// beginnings.
type Table struct {
	declared []*tool.Declared
	all      func() *everything
	dialects func() map[string]*tool.Dialect
	begins   func() *beginnings
	search   func() *search
	files    func() *reports.Catalog
	tools    shell.Tools // of the whole table, even in a part of it

	mu   sync.Mutex
	only map[*tool.Parser]*Table // tables of one parser alone
	but  map[*tool.Parser]*Table // tables of all others
}

// everything is what requires all parsers to be made.
type everything struct {
	parsers  []*tool.Parser // sorted by tool
	formats  []format
	programs map[string]bool
}

// beginnings are the beginnings of lines that start a format.
type beginnings struct {
	starts [256][]start // by their first byte
	laters []string     // words that some starts want later in the line, each once
}

// format is a format and the parser that it belongs to.
type format struct {
	parser *tool.Parser
	format *tool.Format
}

// start is a beginning of lines that may be a format's.
type start struct {
	begin  string
	later  string // must follow somewhere in the line
	bit    uint64 // the bit of later; 0 without one
	format int    // index in everything.formats
}

// search is what a skimmer needs to find the lines that must be seen.
type search struct {
	words *scan.Search
	must  heads       // beginnings of lines that must be seen
	brief [256]uint64 // by first byte: later words that are too short for words
	short uint64      // all bits of brief
	step  uint64      // bit of the word that shows a command in any line: see shell.StepMark
	coded uint64      // bit of the word that most lines of trouble have: see shell.Coded

	follow [1 << 12]uint64 // by hashPair of a line: the later words of starts that begin like this
}

// NewTable returns the table of the declared parsers.
func NewTable(declared []*tool.Declared) *Table {
	t := &Table{declared: declared}
	t.tools = t.Known
	t.all = sync.OnceValue(t.newEverything)
	t.dialects = sync.OnceValue(t.newDialects)
	t.begins = sync.OnceValue(t.newBeginnings)
	t.search = sync.OnceValue(t.newSearch)
	t.files = sync.OnceValue(t.newFiles)
	return t
}

// TableOf returns the table of parsers that have been made.
func TableOf(parsers []*tool.Parser) *Table {
	declared := make([]*tool.Declared, len(parsers))
	for i, p := range parsers {
		declared[i] = tool.Made(p)
	}
	return NewTable(declared)
}

// newEverything makes all parsers.
func (t *Table) newEverything() *everything {
	parsers := made(t.declared, func(*tool.Declared) bool { return true })
	e := &everything{parsers: parsers, formats: make([]format, 0, 4*len(parsers)), programs: make(map[string]bool, 2*len(parsers))}
	for _, p := range parsers {
		for i := range p.Formats {
			e.formats = append(e.formats, format{p, &p.Formats[i]})
		}
		for _, name := range p.Programs {
			e.programs[name] = true
		}
	}
	return e
}

// newDialects returns the JUnit dialects, by tool.
func (t *Table) newDialects() map[string]*tool.Dialect {
	known := map[string]*tool.Dialect{}
	for _, p := range t.all().parsers {
		if p.JUnit != nil {
			known[p.Tool] = p.JUnit
		}
	}
	return known
}

func (t *Table) newFiles() *reports.Catalog {
	return reports.NewCatalog(made(t.declared, (*tool.Declared).Writes), t.tools)
}

// made returns the wanted parsers, sorted by tool.
func made(declared []*tool.Declared, wanted func(*tool.Declared) bool) []*tool.Parser {
	some := make([]*tool.Parser, 0, len(declared))
	for _, d := range declared {
		if wanted(d) {
			some = append(some, d.Parser())
		}
	}
	slices.SortFunc(some, func(a, b *tool.Parser) int { return strings.Compare(a.Tool, b.Tool) })
	return some
}

// newBeginnings collects the starts of all formats. There are thousands, so this is not done for a command that
// prints nothing.
func (t *Table) newBeginnings() *beginnings {
	b := &beginnings{}
	b.makeRoom(t.all().formats)
	indexes := make(map[string]int, 1<<10) // indexes in b.laters
	for number, f := range t.all().formats {
		for _, s := range f.format.Starts {
			begin, later, _ := strings.Cut(s, "…")
			var bit uint64
			if later != "" {
				i, known := indexes[later]
				if !known {
					i, b.laters = len(b.laters), append(b.laters, later)
					indexes[later] = i
				}
				bit = scan.LaterBit(i)
			}
			b.starts[begin[0]] = append(b.starts[begin[0]], start{begin: begin, later: later, bit: bit, format: number})
		}
	}
	return b
}

// makeRoom counts the starts and allocates them at once, to save time: every command that prints anything waits for
// this.
func (b *beginnings) makeRoom(formats []format) {
	var counts [256]int
	sum := 0
	for _, f := range formats {
		for _, s := range f.format.Starts {
			counts[s[0]]++
			sum++
		}
	}
	room := make([]start, sum)
	for first, n := range counts {
		b.starts[first], room = room[:0:n], room[n:]
	}
}

// newSearch collects what a skimmer looks for.
func (t *Table) newSearch() *search {
	b := t.begins()
	s := &search{words: scan.NewSearch(append(slices.Clip(b.laters), shell.StepMark, shell.Coded))}
	s.step, s.coded = scan.LaterBit(len(b.laters)), scan.LaterBit(len(b.laters)+1)
	for i := range b.starts {
		var words uint64 // later words of starts of one byte, for any second byte
		for k := range b.starts[i] {
			c := &b.starts[i][k]
			if s.follow[hashPair([]byte(c.begin))] |= c.bit; len(c.begin) == 1 {
				words |= c.bit
			}
			switch {
			case c.later == "":
				s.must.add(c.begin)
			case len(c.later) < scan.SeedLeast:
				s.brief[c.begin[0]] |= c.bit
				s.short |= c.bit
			}
		}
		s.followAny(byte(i), words)
	}
	for _, d := range shell.DirStarts {
		s.must.add(d)
	}
	for name := range t.all().programs {
		s.must.add(name + " ")
	}
	for _, name := range shell.Starters {
		s.must.add(name + " ")
	}
	for _, mark := range shell.EchoMarks {
		s.must.add(mark)
	}
	for _, sign := range scan.Signs {
		if sign[0] < utf8.RuneSelf { // lines with any other sign are seen anyway, as they are odd
			s.must.add(sign)
		}
	}
	return s
}

// followAny adds words that may follow in a line with this first byte.
func (s *search) followAny(first byte, words uint64) {
	for second := 0; words != 0 && second < 256; second++ {
		s.follow[hashPair([]byte{first, byte(second)})] |= words
	}
}

// Parsers returns all parsers, sorted by tool.
func (t *Table) Parsers() []*tool.Parser { return t.all().parsers }

// has reports whether the table contains the parser.
func (t *Table) has(p *tool.Parser) bool {
	return slices.ContainsFunc(t.declared, func(d *tool.Declared) bool { return d.Is(p) })
}

// Files returns the catalog of the files that runs of the tools write.
func (t *Table) Files() *reports.Catalog { return t.files() }

// Dialects returns the JUnit dialects, by tool.
func (t *Table) Dialects() map[string]*tool.Dialect { return t.dialects() }

// repeats reports whether a line only says that tests failed, which the run's reports say too.
func (t *Table) repeats(line string) bool {
	for _, d := range t.dialects() {
		if d.Repeats != nil && d.Repeats(line) {
			return true
		}
	}
	return false
}

// Command returns the command that a command line runs.
func (t *Table) Command(argv []string, line string) shell.Command { return t.tools.Unwrap(argv, line) }

// Named is the parser whose tool a command without wrappers runs: the first by name if there are several, nil if
// no parser has it.
func (t *Table) Named(argv []string) (first *tool.Parser) {
	if len(argv) == 0 {
		return nil
	}
	for _, d := range t.declared {
		if !d.MayRun(argv[0]) {
			continue
		}
		if p := d.Parser(); p.Matches != nil && p.Matches(argv) && (first == nil || p.Tool < first.Tool) {
			first = p
		}
	}
	return first
}

// allNamed returns the parsers of the tools that a command line runs: its own, and those of the commands in a list.
func (t *Table) allNamed(c shell.Command) (all []*tool.Parser) {
	for _, one := range append([]shell.Command{c}, c.Listed...) {
		if p := t.Named(one.Argv); p != nil && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// Known reports whether a command without wrappers runs a tool that has a parser.
func (t *Table) Known(argv []string) bool { return t.Named(argv) != nil }

// Tool is the parser of that name. Most tools are named like their program: those parsers are made first, the
// others only if the tool is not among them.
func (t *Table) Tool(name string) *tool.Parser {
	for _, d := range t.declared {
		if d.MayRun(name) {
			if p := d.Parser(); p.Tool == name {
				return p
			}
		}
	}
	for _, p := range t.all().parsers {
		if p.Tool == name {
			return p
		}
	}
	return nil
}

// alone returns the table of one parser, and of the reader of its tests, which a task of the project may run.
func (t *Table) alone(p *tool.Parser) *Table {
	return t.part(&t.only, p, func() []*tool.Parser {
		return slices.DeleteFunc(slices.Clone(t.all().parsers), func(q *tool.Parser) bool { return q != p && (q.Family != p.Tool || q.Kind != result.Test) })
	})
}

// without returns the table of all other parsers.
func (t *Table) without(p *tool.Parser) *Table {
	return t.part(&t.but, p, func() []*tool.Parser {
		return slices.DeleteFunc(slices.Clone(t.all().parsers), func(q *tool.Parser) bool { return q == p })
	})
}

// part returns the table of some of the parsers, and makes it once; all parts share the dialects.
func (t *Table) part(known *map[*tool.Parser]*Table, of *tool.Parser, some func() []*tool.Parser) *Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	if part := (*known)[of]; part != nil {
		return part
	}
	part := TableOf(some())
	part.dialects, part.tools = t.dialects, t.tools
	if *known == nil {
		*known = map[*tool.Parser]*Table{}
	}
	(*known)[of] = part
	return part
}
