package engine

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"cairn/internal/guard"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Session parses one output. Scan may run while the command is still running;
// Result is asked once its exit is known.
type Session struct {
	in      tool.Input
	ranIn   string // the directory of the command, below the root
	command shell.Command
	hint    *tool.Parser // the parser of the program that argv names
	reducer *reducer
	stats   textStats
	offered *Table         // the formats that are looked for
	found   []bool         // by their index: seen in the output
	named   []*tool.Parser // whose tool a command line runs that was given or shown
	claims  []*claim
	running sync.WaitGroup

	sections []section // that runners named the tools of, in order

	table   *Table // all that is known
	dirs    shell.Directories
	trouble troubles
	level   int      // of prefixes that were taken off
	tasks   *tasks   // that are told apart by prefixes
	marked  *tasks   // that may be told apart, since diagnostics of unknown programs stand behind a prefix
	muted   []*claim // of runners, where the tools that they ran tell more
	rest    *Session // what is of none of them; nil where there are none
	joined  []*claim // of the output and of its tasks: see parts
	decided bool

	tests    tests
	foreseen *claim // diagnostics that are read beside the scan
	faults   *faults
}

// begins says whether a line may be of the start's format.
func (c *start) begins(text []byte) bool {
	if len(c.begin) > 1 && (len(text) < 2 || text[1] != c.begin[1]) { // most of them
		return false
	}
	return c.goesOn(text)
}

// goesOn is begins for a line whose first two bytes are the start's.
func (c *start) goesOn(text []byte) bool {
	return len(text) >= len(c.begin) && string(text[:len(c.begin)]) == c.begin &&
		(c.later == "" || follows(text[len(c.begin):], c.later))
}

// follows is bytes.Contains for words that mostly begin with a blank. It searches for
// their second byte, because a text has blanks everywhere.
func follows(text []byte, later string) bool {
	at := min(1, len(later)-1)
	for i := at; i < len(text); i++ {
		n := bytes.IndexByte(text[i:], later[at])
		if n < 0 {
			return false
		}
		if i += n; len(text)-i >= len(later)-at && string(text[i-at:i-at+len(later)]) == later {
			return true
		}
	}
	return false
}

// claim is a format and, once it was sniffed, what it made of the output.
type claim struct {
	parser *tool.Parser
	format *tool.Format
	starts bool  // it was read as if a line of Format.Starts were there; else because a command names the tool
	at     int64 // offset of the line that was sniffed
	stream term.Stream
	report *tool.Report

	file   string       // it was read from, "" for the output; the last one of several
	named  bool         // the file was, by the command line
	name   string       // of the task that it is from
	span   *result.Span // of it in the output, where it is from a task
	shape  bool         // nothing says that the tool wrote it: see tool.Shape
	partly bool         // not all of the output was read
	left   bool         // errors between the parts: see withLeft
	exact  bool         // a shape, of a format that leaves no doubt of what it reports
}

// New prepares a session for one output, to be read with the parsers of a table.
func New(t *Table, in tool.Input) *Session { return newSession(t, in, new(faults)) }

// newSession is New for a part of an output; its faults are those of the whole.
func newSession(t *Table, in tool.Input, faults *faults) *Session {
	s := &Session{in: in.Opened(t.dialects, t.tools), command: t.Command(in.Argv, shell.AtTop(in.Shell, in.Workspace.Root)), reducer: newReducer(), table: t, faults: faults, dirs: shell.Directories{Tools: t.tools}}
	s.dirs.Began = s.command
	if s.ranIn = in.Workspace.Rel(); !in.Moved {
		s.in.Workspace.Dir = shell.JoinDir(cmp.Or(in.Workspace.Dir, in.Workspace.Root), s.command.Dir)
		s.in.Moved = true
	}
	if s.hint = t.Named(s.command.Argv); in.Tool != "" {
		s.hint = t.Tool(in.Tool)
	}
	if d := s.direct(); d != nil {
		s.offer(t.alone(d))
		s.name(d, &term.RawLine{Stream: term.Stdout})
		return s
	}
	s.offer(t)
	s.tasks, s.marked = newTasks(), newTasks()
	if s.hint != nil {
		s.name(s.hint, &term.RawLine{Stream: term.Stdout})
	}
	for _, p := range t.allNamed(s.command) {
		s.name(p, &term.RawLine{Stream: term.Stdout})
	}
	s.readAs()
	return s
}

// readAs starts the parser with which, as the project says, the output is to be read.
// Of a parser that the project brought all formats are started, of one in the table
// those that no line starts.
func (s *Session) readAs() {
	p := s.in.As
	if p == nil {
		return
	}
	first := &term.RawLine{Stream: term.Stdout}
	if s.table.Tool(p.Tool) == p {
		s.name(p, first)
		return
	}
	s.named = append(s.named, p)
	for i := range p.Formats {
		s.start(format{p, &p.Formats[i]}, first, len(p.Formats[i].Starts) > 0)
	}
}

// offer says which formats are looked for.
func (s *Session) offer(t *Table) { s.offered, s.found = t, nil }

// Scan reads the output once: it finds out which formats are in it, starts
// their parsers beside it, and reduces the text.
func (s *Session) Scan() {
	defer s.running.Wait() // also where a line of the output stopped the scan
	newSkimmer(s).read(s.in.Source)
	s.running.Wait()
	s.askOthers()
	s.askCut()
	s.keepToSections()
	s.splitTasks()
}

// askOthers is for the output of a tool that its own parser declines, or makes
// nothing of, and of a language, whose program may have printed anything: only then would
// anybody ask what the others make of it.
func (s *Session) askOthers() {
	d := s.direct()
	if d == nil || s.faults.any() || slices.ContainsFunc(s.claims, func(m *claim) bool {
		return !m.tellsNothing() && (!m.findsNone() && d.Kind != result.Generic || s.stats.bytes > maxCalm)
	}) {
		return
	}
	others := newSession(s.table.without(d), s.in, s.faults)
	others.tasks, others.marked = nil, nil // what a tool prints by itself has none
	newSkimmer(others).read(s.in.Source)
	others.running.Wait()
	s.claims = append(s.claims, others.claims...)
}

// askCut is for an output of which a pipe left the end, and in which no line starts a
// format: the tool whose output it is, as the command says, reads it all
// the same.
func (s *Session) askCut() {
	if slices.ContainsFunc(s.claims, func(m *claim) bool { return !m.tellsNothing() }) {
		return
	}
	first := &term.RawLine{Stream: term.Stdout}
	for _, p := range s.named {
		if p.Runner || !s.command.EndShown(p.Matches) {
			continue
		}
		for i := range p.Formats {
			if f := &p.Formats[i]; !slices.ContainsFunc(s.claims, func(m *claim) bool { return m.format == f }) {
				s.start(format{p, f}, first, len(f.Starts) > 0)
			}
		}
	}
	s.running.Wait()
}

// see takes a line that may be of any kind.
func (s *Session) see(l *term.RawLine) {
	scan.NewScanner().Look(l)
	s.seen(l, anyLater)
}

// seen takes a line that a Scanner has searched for words of alarm. holds is explained
// at sniff.
func (s *Session) seen(l *term.RawLine, holds uint64) {
	if s.tasks != nil {
		s.trouble.see(l, true)
	}
	if s.sniffTask(l) {
		s.sniffMarked(l)
	}
	s.dirs.See(l)
	s.seeEcho(l)
	s.stats.see(l)
	s.sniff(l, holds)
	s.reducer.see(l)
}

// Truncate says, after Scan, that bytes are missing at the end.
func (s *Session) Truncate() { s.in.Truncated = true }

// anyLater stands for all words that may follow later: which of them the line holds is
// not known.
const anyLater = ^uint64(0)

// sniff offers a line to the formats that have not been found yet. holds has a bit for
// each of the words that may follow later (Table, laters): where the bit of a word is
// not set, the line does not hold the word.
func (s *Session) sniff(l *term.RawLine, holds uint64) {
	text := l.Text[scan.Indent(l.Text):]
	if len(text) == 0 || l.Binary {
		return
	}
	formats := s.offered.all().formats
	if s.found == nil {
		s.found = make([]bool, len(formats))
	}
	starts := s.offered.begins().starts[text[0]]
	for i := range starts {
		c := &starts[i]
		if c.bit&holds == c.bit && !s.found[c.format] && c.begins(text) && s.sniffs(formats[c.format], l.Text) {
			s.found[c.format] = true
			s.start(formats[c.format], l, true)
		}
	}
}

// start lets a format read the output, beside the scan. l is the line by which
// it was recognised.
func (s *Session) start(f format, l *term.RawLine, starts bool) {
	m := &claim{parser: f.parser, format: f.format, starts: starts, at: l.Start, stream: l.Stream}
	s.claims = append(s.claims, m)
	in := s.in.WithEcho(s.dirs.Echoed(m.parser.Matches, m.stream, m.at))
	in.Truncated, in.Headless = in.Truncated || s.command.EndCut(), s.command.EndShown(shell.PrintsOwn)
	in.Workspace.Dir = s.dirFor(m)
	s.running.Go(func() { s.run(m, in) })
}

// sniffs asks the format; one that panics does not know the line. The line is
// lent, not copied: a format is asked about every line of a log that begins as
// its own do, and keeps nothing of it.
func (s *Session) sniffs(f format, text []byte) bool {
	if f.format.Sniff == nil {
		return true
	}
	known, err := f.sniff(unsafe.String(unsafe.SliceData(text), len(text)))
	s.faults.add(err)
	return known
}

func (f format) sniff(line string) (known bool, err error) {
	defer guard.Catch(parserOf(f.parser), &err)
	return f.format.Sniff(line), nil
}

// run parses with one format. A parser that panics has proven nothing: its
// tool's output is then reported as text, never lost, and the result says why.
func (s *Session) run(m *claim, in tool.Input) {
	if err := guard.Do(parserOf(m.parser), func() { m.run(in) }); err != nil {
		m.report = nil
		s.faults.add(err)
	}
}

func (m *claim) run(in tool.Input) {
	m.report = m.format.Parse(&in)
	if m.report == nil {
		return
	}
	own := *m.report // two formats may have made one report (Input.Once)
	own.Covered = disjoint(slices.Clone(own.Covered))
	m.report = &own
	if !m.starts && len(m.report.Covered) > 0 {
		m.at = m.report.Covered[0].Start
	}
}

// disjoint puts spans in order and joins those that touch.
func disjoint(spans []result.Span) []result.Span {
	slices.SortStableFunc(spans, func(a, b result.Span) int { return cmp.Compare(a.Start, b.Start) })
	joined := new(tool.Report)
	for _, s := range spans {
		joined.CoverSpan(s.Start, s.End)
	}
	return joined.Covered
}

// textStats describes the raw bytes.
type textStats struct {
	bytes, lines int64
	binary       bool
}

func (t *textStats) see(l *term.RawLine) {
	t.pass(l.End)
	t.binary = t.binary || l.Binary
}

// pass counts a line of text that ends at end.
func (t *textStats) pass(end int64) {
	t.lines++
	t.bytes = max(t.bytes, end)
}
