package engine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// sniffTask looks behind a prefix: if the rest of the line is one that a known tool prints, the prefix is taken for
// a task's. In a long output it looks only at lines with alarm words. It reports whether the line may have a
// prefix.
func (s *Session) sniffTask(l *term.RawLine) bool {
	ts := s.tasks
	if s.shows && shell.IsHit(l.Text) {
		return false
	}
	if ts == nil || l.Binary || s.stats.lines >= firstLines && (l.Alarm < 0 || ts.tried >= patience) {
		return ts == nil || l.Alarm >= 0
	}
	first, n := cutTask(l.Text)
	if n == 0 {
		return term.Odd(l.Text)
	}
	if ts.byKey[string(first)] != nil || isOwnWord(first, l.Text[n:]) {
		return true
	}
	rest := l.Text
	for range maxLevels - s.level {
		if rest = rest[n:]; s.begins(rest) || len(rest) > 0 && rest[0] == ' ' && s.begins(rest[1:]) { // Jenkins puts two blanks behind a time
			ts.suspect(first)
			return true
		}
		if _, n = cutTask(rest); n == 0 {
			break
		}
	}
	if key, n := cutBarred(l.Text); n > 0 && ts.byKey[string(key)] == nil && s.begins(l.Text[n:]) {
		ts.suspect(key)
		return true
	}
	ts.tried++
	return true
}

// isOwnWord reports whether "name: error: text" is a message of the program called name about itself (GNU coding
// standards, "Formatting Error Messages"): a severity alone does not show that another program writes behind a
// task's name.
func isOwnWord(key, rest []byte) bool {
	if !bytes.HasSuffix(key, []byte(": ")) || bytes.ContainsAny(key, "/#@") {
		return false
	}
	for _, level := range [...]string{"error: ", "fatal: ", "fatal error: ", "warning: "} {
		if bytes.HasPrefix(rest, []byte(level)) {
			return true
		}
	}
	return false
}

// begins reports whether a known format has lines like this one.
func (s *Session) begins(line []byte) bool {
	text := line[scan.Indent(line):]
	if len(text) == 0 {
		return false
	}
	starts := s.offered.begins().starts[text[0]]
	for i := range starts {
		if c := &starts[i]; c.begins(text) && s.sniffs(s.offered.all().formats[c.format], line) {
			return true
		}
	}
	return false
}

// splitTasks reads each task by itself, after the end of the output. A task does not count if it holds nothing of a
// known tool, or if only a tool's own test printed it.
func (s *Session) splitTasks() {
	ts := s.tasks
	if s.tasks = nil; ts == nil || len(ts.list) == 0 {
		ts = s.namedTasks()
	}
	if ts == nil {
		return
	}
	s.readHints(ts)
	for _, t := range ts.kept() {
		if len(s.taskSession(ts, t).parts()) == 0 {
			ts.drop(t)
		}
	}
	if len(ts.kept()) == 0 {
		return
	}
	rest := s.sub(ts, nil)
	if s.dropNested(ts, rest) {
		if len(ts.kept()) == 0 {
			return
		}
		rest = s.sub(ts, nil)
	}
	s.tasks, s.rest = ts, rest
	muted := s.muted // their lines too are told apart by tasks
	s.joined, s.muted, s.decided = s.withoutRunners(s.locate((*Session).parts)), muted, true
}

// taskSession is the session of a task; it is read once.
func (s *Session) taskSession(ts *tasks, t *task) *Session {
	if t.session == nil {
		t.session = s.sub(ts, t)
	}
	return t.session
}

// sub is the session of one task; nil means the lines outside tasks.
func (s *Session) sub(ts *tasks, t *task) *Session {
	in := s.in
	in.Source, in.Artifacts = taskSource{of: s.in.Source, all: ts, want: t}, nil
	level := s.level
	if t != nil {
		in.As = nil // the project's declaration is about the output as printed
		level++
		if t.dir != "" {
			in.Workspace.Dir = shell.JoinDir(s.in.Workspace.Dir, t.dir)
		}
		if t.shell != "" {
			in.Argv, in.Shell, in.Moved = nil, t.shell, false
		}
	}
	sub := newSession(s.table, in, s.faults)
	sub.formed = ts.margin != ""
	if sub.level = level; t == nil || level >= maxLevels {
		sub.tasks = nil // the rest was already searched for tasks
	}
	if level >= maxLevels || t == nil && s.marked == nil {
		sub.marked = nil
	}
	for _, p := range s.named {
		sub.name(p, &term.RawLine{Stream: term.Stdout})
	}
	sub.Scan()
	return sub
}

// parts returns the tools that were found. Parts of tasks have offsets in the whole output.
func (s *Session) parts() []*claim {
	if !s.decided {
		s.joined, s.decided = s.decideClaims(), true
		s.moveAll(s.joined)
	}
	return s.joined
}

// dropNested drops the tasks that lie in the middle of what one tool of the rest printed: they are logs of a test.
func (s *Session) dropNested(ts *tasks, rest *Session) (dropped bool) {
	type reach struct{ from, to int64 }
	reaches := map[*task]reach{}
	f, covers := ts.follow(), map[*task]*coverage{}
	for _, t := range ts.kept() {
		covers[t] = t.session.coverage()
	}
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		t, in, _ := f.next(l)
		if t == nil || t == &ts.again || !covers[t].has(in) {
			return true
		}
		r, known := reaches[t]
		if !known {
			r.from = f.at[nil]
		}
		r.to = f.at[nil]
		reaches[t] = r
		return true
	})
	for t, r := range reaches {
		if slices.ContainsFunc(rest.parts(), func(m *claim) bool {
			return !m.parser.Runner && slices.ContainsFunc(m.report.Covered, func(c result.Span) bool { return c.Start < r.from && r.to < c.End })
		}) {
			ts.drop(t)
			dropped = true
		}
	}
	return dropped
}

// locate returns copies of the parts found in tasks, in the order of the output, with offsets within a task changed
// to offsets in the whole output.
func (s *Session) locate(foundIn func(*Session) []*claim) (all []*claim) {
	spots := map[*task][]spot{}
	add := func(t *task, from *Session) {
		for _, m := range foundIn(from) {
			m = m.copied() // the task's own part keeps its offsets
			if t != nil {
				m.name = strings.TrimSpace(taskName(t.key) + " " + m.name)
				m.move(s.seenFrom(from.in.Workspace.Dir))
			}
			spots[t] = append(spots[t], m.spots()...)
			all = append(all, m)
		}
		slices.SortFunc(spots[t], func(a, b spot) int { return cmp.Compare(a.byte, b.byte) })
	}
	add(nil, s.rest)
	for _, t := range s.tasks.kept() {
		add(t, t.session)
	}
	f := s.tasks.follow()
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool {
		t, in, prefix := f.next(l)
		here := spots[t]
		for len(here) > 0 && here[0].byte < in.End {
			at := min(l.Start+int64(prefix)+here[0].byte-in.Start, l.End-1)
			if here[0].byte == in.End-1 {
				at = l.End - 1
			}
			here[0].set(at)
			here = here[1:]
		}
		spots[t] = here
		return true
	})
	slices.SortStableFunc(all, func(a, b *claim) int { return cmp.Compare(a.at, b.at) })
	return all
}

// copied returns a copy whose findings can get other offsets.
func (m *claim) copied() *claim {
	own, rep := *m, *m.report
	rep.Findings = slices.Clone(rep.Findings)
	own.report = &rep
	return &own
}

// spot is an offset that is to be changed.
type spot struct {
	offset *int64
	byte   int64 // the byte that determines it: for an end, the last byte before
	after  int64 // what to add to that byte's new offset
}

func (p spot) set(raw int64) { *p.offset = raw + p.after }

// spots returns the offsets of a part that are to be changed. Covered keeps the task's own offsets.
func (m *claim) spots() []spot {
	all := []spot{{offset: &m.at, byte: m.at}}
	span := func(s *result.Span) {
		all = append(all, spot{offset: &s.Start, byte: s.Start}, spot{offset: &s.End, byte: max(s.End-1, s.Start), after: 1})
	}
	if m.span == nil {
		m.span = coveredSpan(m.report)
	}
	if m.span != nil {
		span(m.span)
	}
	for i := range m.report.Findings {
		if f := &m.report.Findings[i]; f.RawSpan != nil {
			own := *f.RawSpan
			f.RawSpan = &own
			span(f.RawSpan)
		}
	}
	return all
}

// coveredSpan reaches from the first to the last byte that a report covers; nil without any.
func coveredSpan(r *tool.Report) *result.Span {
	if n := len(r.Covered); n > 0 {
		return &result.Span{Start: r.Covered[0].Start, End: r.Covered[n-1].End}
	}
	return nil
}

// taskName is a prefix without its marks. Of "host program[123]: " in syslog the program is the name, as the number
// differs in each run.
func taskName(key string) string {
	if key == timeKey {
		return ""
	}
	name := strings.Trim(key, " \t:|[]")
	if program, number, ok := strings.Cut(name, "["); ok && lex.IsDigits(number) {
		return program[strings.LastIndexByte(program, ' ')+1:]
	}
	return name
}

// coverage says for each line of an output whether a known tool wrote it.
type coverage struct {
	s    *Session
	f    *follower
	subs map[*task]*coverage
}

func (s *Session) coverage() *coverage {
	c := &coverage{s: s}
	if s.rest != nil {
		c.f, c.subs = s.tasks.follow(), map[*task]*coverage{nil: s.rest.coverage()}
		for _, t := range s.tasks.kept() {
			c.subs[t] = t.session.coverage()
		}
	}
	return c
}

// has must be called for the lines of the output in their order.
func (c *coverage) has(l term.RawLine) bool {
	if c.f == nil {
		return coveredBy(c.s.parts(), l) || coveredBy(c.s.muted, l)
	}
	t, in, _ := c.f.next(l)
	return t == &c.f.all.again || c.subs[t].has(in)
}
