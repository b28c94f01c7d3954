package parsers

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"cairn/result"
)

// Session parses one output. Scan may run while the command is still running;
// Result is asked once its exit is known.
type Session struct {
	in      Input
	command command
	hint    *Parser // the parser of the program that argv names
	reducer *reducer
	stats   textStats
	idle    [256][]candidate // formats not seen yet, by the first byte of their starts
	laters  []string         // what candidates want to follow, each once
	claims  []*claim
	running sync.WaitGroup

	known    []*Parser
	dirs     dirTracker
	trouble  troubles
	level    int      // of prefixes that were taken off
	tasks    *tasks   // that are told apart by prefixes
	rest     *Session // what is of none of them; nil where there are none
	settled  []*claim // see parts
	resolved bool
}

// candidate is a start of a format that has not matched yet.
type candidate struct {
	start  string
	later  string // must follow somewhere in the line
	bit    uint64 // of later; 0: none
	format *claim
}

func (c *candidate) begins(text []byte) bool {
	return len(text) >= len(c.start) && string(text[:len(c.start)]) == c.start &&
		(c.later == "" || follows(text[len(c.start):], c.later))
}

// follows is bytes.Contains by the second byte: the first is a blank more
// often than not, and blanks are everywhere.
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
	parser *Parser
	format *Format
	found  bool
	at     int64 // offset of the line that was sniffed
	stream Stream
	report *Report

	file  string       // it was read from, "" for the output; the last one of several
	named bool         // the file was, by the command line
	name  string       // of the task that it is from
	span  *result.Span // of it in the output, where it is from a task
}

// New prepares a session for one output.
func New(in Input) *Session { return newSession(in, registry) }

func newSession(in Input, known []*Parser) *Session {
	s := &Session{in: in, command: unwrap(in.Argv, in.Shell), reducer: newReducer(), known: known}
	s.in.shared = &shared{made: map[string]func() any{}}
	if !in.moved {
		s.in.Workspace.Dir = joinDir(cmp.Or(in.Workspace.Dir, in.Workspace.Root), s.command.dir)
		s.in.moved = true
	}
	for _, p := range known {
		if s.names(p) {
			s.hint = p
		}
	}
	if d := s.direct(); d != nil {
		s.offerAll(d)
		return s
	}
	s.offerAll(known...)
	s.tasks = newTasks()
	return s
}

func (s *Session) offerAll(parsers ...*Parser) {
	for _, p := range parsers {
		for i := range p.Formats {
			s.offer(&claim{parser: p, format: &p.Formats[i]})
		}
	}
}

// names says whether the caller or argv says that p's tool was run.
func (s *Session) names(p *Parser) bool {
	if s.in.Tool != "" {
		return s.in.Tool == p.Tool
	}
	return p.Matches != nil && len(s.command.argv) > 0 && p.Matches(s.command.argv)
}

func (s *Session) offer(m *claim) {
	for _, start := range m.format.Starts {
		begin, later, _ := strings.Cut(start, "…")
		s.idle[start[0]] = append(s.idle[start[0]], candidate{start: begin, later: later, bit: s.laterBit(later), format: m})
	}
}

func (s *Session) laterBit(later string) uint64 {
	if later == "" {
		return 0
	}
	i := slices.Index(s.laters, later)
	if i < 0 {
		i, s.laters = len(s.laters), append(s.laters, later)
	}
	return laterBit(i)
}

// Parse is a whole session over an output that is at hand.
func Parse(in Input, exit result.Exit) *result.ToolResult {
	s := New(in)
	s.Scan()
	return s.Result(exit)
}

// Scan reads the output once: it finds out which formats are in it, starts
// their parsers beside it, and reduces the text.
func (s *Session) Scan() {
	newSkimmer(s).read(s.in.Source)
	s.running.Wait()
	s.askOthers()
	s.splitTasks()
}

// askOthers is for the output of a tool that its own parser declines: only then
// would anybody ask what the others make of it.
func (s *Session) askOthers() {
	d := s.direct()
	if d == nil || slices.ContainsFunc(s.claims, func(m *claim) bool { return m.report != nil }) {
		return
	}
	others := newSession(s.in, slices.DeleteFunc(slices.Clone(s.known), func(p *Parser) bool { return p == d }))
	others.tasks = nil // what a tool prints by itself has none
	newSkimmer(others).read(s.in.Source)
	others.running.Wait()
	s.claims = append(s.claims, others.claims...)
}

// see takes a line that may be of any kind.
func (s *Session) see(l *rawLine) {
	newEye().look(l)
	s.seen(l, anyLater)
}

// seen takes a line that an eye has looked at; for holds see sniff.
func (s *Session) seen(l *rawLine, holds uint64) {
	if s.tasks != nil {
		s.trouble.see(l)
	}
	s.sniffTask(l)
	s.dirs.see(l)
	s.stats.see(l)
	s.sniff(l, holds)
	s.reducer.see(l)
}

// Truncate says, after Scan, that bytes are missing at the end.
func (s *Session) Truncate() { s.in.Truncated = true }

// anyLater: it is not known which words the line holds.
const anyLater = ^uint64(0)

// sniff offers a line to the formats that have not been found yet. Of the
// words that may follow later it holds those of the bits in holds, at most.
func (s *Session) sniff(l *rawLine, holds uint64) {
	text := l.text[indent(l.text):]
	if len(text) == 0 || l.binary {
		return
	}
	idle := s.idle[text[0]]
	for i := range idle {
		c := &idle[i]
		if m := c.format; c.bit&holds == c.bit && !m.found && c.begins(text) && m.sniffs(l.text) {
			m.found, m.at, m.stream = true, l.start, l.stream
			s.claims = append(s.claims, m)
			in := s.in
			in.Workspace.Dir, in.echoed = s.dirFor(m), s.dirs.echoed(m)
			s.running.Go(func() { m.run(in) })
		}
	}
}

// sniffs asks the format; one that panics does not know the line. The line is
// lent, not copied: a format is asked about every line of a log that begins as
// its own do, and keeps nothing of it.
func (m *claim) sniffs(text []byte) (known bool) {
	if m.format.Sniff == nil {
		return true
	}
	line := unsafe.String(unsafe.SliceData(text), len(text))
	defer func() {
		if recover() != nil {
			known = false
		}
	}()
	return m.format.Sniff(line)
}

// run parses with one format. A parser that panics has proven nothing: its
// tool's output is then reported as text, never lost, and the result says why.
func (m *claim) run(in Input) {
	defer func() {
		if p := recover(); p != nil {
			m.report = &Report{Claimed: -1, Doubt: fmt.Sprint("the parser stopped: ", p)}
		}
	}()
	m.report = m.format.Parse(&in)
	if m.report != nil {
		m.report.Covered = disjoint(m.report.Covered)
	}
}

// disjoint puts spans in order and joins those that touch.
func disjoint(spans []result.Span) []result.Span {
	slices.SortStableFunc(spans, func(a, b result.Span) int { return cmp.Compare(a.Start, b.Start) })
	joined := new(Report)
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

func (t *textStats) see(l *rawLine) {
	t.pass(l.end)
	t.binary = t.binary || l.binary
}

// pass counts a line of text that ends at end.
func (t *textStats) pass(end int64) {
	t.lines++
	t.bytes = max(t.bytes, end)
}
