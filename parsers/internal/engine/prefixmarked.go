package engine

import (
	"bytes"
	"cmp"

	"cairn/parsers/read"
	"cairn/parsers/text/term"
)

// sniffMarked looks behind a prefix for a diagnostic of an unknown compiler or linter. The prefix may be a task's;
// it is tried if no parser accounts for the output.
func (s *Session) sniffMarked(l *term.RawLine) {
	ts := s.marked
	if ts == nil || l.Binary || s.stats.lines >= firstLines && (l.Alarm < 0 || ts.tried >= patience) {
		return
	}
	text := l.Text
	if term.Odd(text) {
		text = term.Resolve(text)
	}
	first, n := cutTask(text)
	if name, _, _ := bytes.Cut(first, []byte("]")); len(name) > 1 && read.SeverityOf(string(name[1:])) != "" {
		return // "[WARNING] a.c:3:7: text": the prefix is a severity
	}
	if n > 0 {
		ts.tried++
	}
	for rest, levels := text, maxLevels-s.level; n > 0 && levels > 0; levels-- {
		if rest = rest[n:]; isDiagnostic(rest) {
			ts.suspect(first)
			return
		}
		_, n = cutTask(rest)
	}
	if key, n := cutBarred(text); n > 0 && isDiagnostic(text[n:]) {
		ts.suspect(key)
	}
}

func isDiagnostic(line []byte) bool {
	return read.IsDiagnostic(string(line)) || read.IsRow(string(line))
}

// namedTasks returns the tasks behind whose prefixes diagnostics were seen, if a command shown in one of them runs
// a known tool; otherwise nil.
func (s *Session) namedTasks() *tasks {
	ts := s.marked
	if ts == nil || len(ts.list) == 0 || s.stats.bytes > maxShaped {
		return nil
	}
	s.readHints(ts)
	for _, t := range ts.kept() {
		if len(s.taskSession(ts, t).parts()) > 0 {
			s.marked = nil
		}
	}
	if s.marked != nil {
		return nil
	}
	return ts
}

// splitMarked splits the output into tasks by the prefixes behind which diagnostics were seen, if no task was found
// by the lines of a known tool.
func (s *Session) splitMarked() {
	ts := s.marked
	if s.marked = nil; ts == nil || len(ts.list) == 0 || s.rest != nil || s.stats.bytes > maxShaped {
		return
	}
	s.readHints(ts)
	for _, t := range ts.kept() {
		if len(s.taskSession(ts, t).diagnostics()) == 0 {
			ts.drop(t)
		}
	}
	if len(ts.kept()) > 0 {
		s.tasks, s.rest = ts, s.sub(ts, nil)
	}
}

// leftOfTasks returns the findings that no part of a task has, and those of tasks in which only unknown programs
// print.
func (s *Session) leftOfTasks() []*claim {
	return s.locate(func(from *Session) []*claim {
		parts := from.parts()
		if len(parts) > 0 {
			return from.withLeft(parts)[len(parts):]
		}
		if from.splitMarked(); from.rest == nil {
			return nil // lines outside tasks are text beside the findings
		}
		found := from.diagnosticsOfTasks()
		for _, m := range found {
			m.left = true
		}
		return found
	})
}

// diagnosticsOfTasks returns the diagnostics of all tasks and of the rest, joined into one part.
func (s *Session) diagnosticsOfTasks() []*claim {
	found := s.locate(func(from *Session) []*claim { return from.diagnosticsBeside(from.parts()) })
	if len(found) == 0 {
		return nil
	}
	m := s.newDiagnostics()
	m.report = s.in.NewReport()
	for _, part := range found {
		m.partly = m.partly || part.partly
		m.report.Doubt = cmp.Or(m.report.Doubt, part.report.Doubt)
		m.report.Dropped += part.report.Dropped
		m.report.Findings = append(m.report.Findings, part.report.Findings...)
	}
	for _, f := range m.report.Findings {
		if f.RawSpan != nil {
			m.report.Covered = append(m.report.Covered, *f.RawSpan)
		}
	}
	m.report.Covered, m.at = disjoint(m.report.Covered), found[0].at
	return []*claim{m}
}
