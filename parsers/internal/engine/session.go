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

// Session parses one output. Scan may run while the command is still running; call Result after the command has
// ended.
type Session struct {
	in      tool.Input
	ranIn   string // the command's directory, relative to the root
	command shell.Command
	shows   bool         // the command only shows files
	hint    *tool.Parser // the parser of the program in argv
	reducer *reducer
	stats   textStats
	offered *Table         // the formats to look for
	found   []bool         // by index of the format: it was seen in the output
	named   []*tool.Parser // parsers whose tool a command runs that was given or shown
	claims  []*claim
	running sync.WaitGroup

	sections []section // in the order of the output

	table   *Table // all parsers
	dirs    shell.Directories
	trouble troubles
	formed  bool     // a margin was taken off to get this output
	level   int      // how many prefixes were taken off to get this output
	tasks   *tasks   // the tasks whose prefixes are followed by lines of known tools
	marked  *tasks   // possible tasks: their prefixes are followed by diagnostics of unknown programs
	muted   []*claim // matches of runners that were dropped, as the tools that they ran report more
	rest    *Session // the lines outside all tasks; nil without tasks
	joined  []*claim // the matches of the output and of its tasks: see parts
	decided bool

	tests    tests
	foreseen *claim // diagnostics that are read during the scan
	faults   *faults
}

// begins reports whether a line begins like the format's.
func (c *start) begins(text []byte) bool {
	if len(c.begin) > 1 && (len(text) < 2 || text[1] != c.begin[1]) { // rejects most lines
		return false
	}
	return c.goesOn(text)
}

// goesOn is begins for a line whose first two bytes match.
func (c *start) goesOn(text []byte) bool {
	return len(text) >= len(c.begin) && string(text[:len(c.begin)]) == c.begin &&
		(c.later == "" || follows(text[len(c.begin):], c.later))
}

// follows is bytes.Contains for words that mostly begin with a blank. It searches for their second byte, because
// blanks are everywhere in a text.
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

// claim is a format that was found in an output and, once it has run, the report that it made.
type claim struct {
	parser *tool.Parser
	format *tool.Format
	starts bool  // a line of Format.Starts was seen; false: a command names the tool
	at     int64 // offset of the line at which the format was found
	stream term.Stream
	report *tool.Report

	file   string          // the file that it was read from, the last one of several; "" for the output
	named  bool            // the command line names that file
	name   string          // the task that it comes from
	span   *result.Span    // for a task: its span in the whole output
	shape  bool            // nothing shows that the tool wrote it: see tool.Shape
	partly bool            // only a part of the output was read
	left   bool            // errors between the other parts: see withLeft
	exact  bool            // shape, but in a format that leaves no doubt about its findings
	again  map[string]bool // tests that a runner of tests, which ran each alone, names too
}

// New prepares a session that reads one output with the parsers of a table.
func New(t *Table, in tool.Input) *Session { return newSession(t, in, new(faults)) }

// newSession is New for a part of an output, which shares the faults of the whole.
func newSession(t *Table, in tool.Input, faults *faults) *Session {
	s := &Session{in: in.Opened(t.dialects, t.tools), command: t.Command(in.Argv, shell.AtTop(in.Shell, in.Workspace.Root)), reducer: newReducer(), table: t, faults: faults, dirs: shell.Directories{Tools: t.tools}}
	s.dirs.Began, s.shows = s.command, s.command.OnlyShows()
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

// readAs starts the parser that the project declares for this output. If the project brought the parser itself, all
// its formats are started; otherwise those without Starts.
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

// offer sets the formats to look for.
func (s *Session) offer(t *Table) { s.offered, s.found = t, nil }

// Scan reads the output once: it finds out which formats are in it, starts their parsers concurrently, and reduces
// the text.
func (s *Session) Scan() { s.scan(newSkimmer(s).read) }

func (s *Session) scan(read func(term.Source)) {
	defer s.running.Wait() // also if a panic ends the scan
	read(s.in.Source)
	s.running.Wait()
	s.askOthers()
	s.askCut()
	s.keepToSections()
	for _, split := range []func(){s.splitMargin, s.splitTasks, s.splitForm} {
		if s.rest == nil {
			split()
		}
	}
}

// askOthers looks for other tools' formats in the output of a tool whose own parser declined it or found nothing,
// and in that of a language, whose program may have printed anything. It is not done otherwise because the results
// would not be used.
func (s *Session) askOthers() {
	d := s.direct()
	if d == nil || s.faults.any() || slices.ContainsFunc(s.claims, func(m *claim) bool {
		return !m.tellsNothing() && (!m.findsNone() && d.Kind != result.Generic || s.stats.bytes > maxCalm)
	}) {
		return
	}
	others := newSession(s.table.without(d), s.in, s.faults)
	others.tasks, others.marked = nil, nil // a single tool's output has no tasks
	newSkimmer(others).read(s.in.Source)
	others.running.Wait()
	s.claims = append(s.claims, others.claims...)
}

// askCut handles an output of which a pipe left only the end, so that no line starts a format: the tool named by
// the command reads the output all the same. Beside what another tool told, only one that runs tests does.
func (s *Session) askCut() {
	told := false
	for _, m := range s.claims {
		switch tells := !m.tellsNothing(); {
		case tells && s.command.EndShown(m.parser.Matches):
			return
		case tells:
			told = true
		}
	}
	first := &term.RawLine{Stream: term.Stdout}
	for _, p := range s.named {
		if p.Runner || p.Kind != result.Test && told || !s.command.EndShown(p.Matches) {
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

// see takes the next line, of any kind.
func (s *Session) see(l *term.RawLine) {
	scan.NewScanner().Look(l)
	s.seen(l, anyLater)
}

// seen takes a line that a Scanner has searched for alarm words. holds is explained at sniff.
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

// Truncate notes, after Scan, that bytes are missing at the end.
func (s *Session) Truncate() { s.in.Truncated = true }

// anyLater is the value of holds for a line whose words are unknown.
const anyLater = ^uint64(0)

// sniff offers a line to the formats that have not been found yet. holds has a bit for each word that some Starts
// want later in the line (beginnings.laters): if the bit is not set, the line does not contain the word.
func (s *Session) sniff(l *term.RawLine, holds uint64) {
	text := l.Text[scan.Indent(l.Text):]
	if len(text) == 0 || l.Binary || s.shows && shell.IsHit(l.Text) {
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

// start makes a format read the output, concurrently with the scan. l is the line by which it was recognised.
func (s *Session) start(f format, l *term.RawLine, starts bool) {
	m := &claim{parser: f.parser, format: f.format, starts: starts, at: l.Start, stream: l.Stream}
	s.claims = append(s.claims, m)
	in := s.in.WithEcho(s.dirs.Echoed(m.parser.Matches, m.stream, m.at))
	in.Truncated, in.Headless = in.Truncated || s.command.EndCut(), s.command.EndShown(shell.PrintsOwn)
	in.Workspace.Dir = s.dirFor(m)
	s.running.Go(func() { s.run(m, in) })
}

// sniffs calls the format's Sniff; a panic counts as false. The line is lent, not copied, since a format is asked
// about every line of a log that begins like its own; Sniff must not keep it.
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

// run parses with one format. If the parser panics, its tool's output is reported as text, so nothing is lost, and
// the result says why.
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
	own := *m.report // two formats may share one report (Input.Once)
	own.Covered = disjoint(slices.Clone(own.Covered))
	m.report = &own
	if !m.starts && len(m.report.Covered) > 0 {
		m.at = m.report.Covered[0].Start
	}
}

// disjoint sorts spans and joins those that touch.
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

// pass counts a line of text that ends at offset end.
func (t *textStats) pass(end int64) {
	t.lines++
	t.bytes = max(t.bytes, end)
}
