package engine

import "cairn/parsers/text/term"

// SeeEach reads a session's output line by line.
func (s *Session) SeeEach() {
	term.RawLines(s.in.Source, term.Both, func(l term.RawLine) bool { s.see(&l); return true })
	s.running.Wait()
	s.splitTasks()
}

// Seen is how many lines were seen, and how many of them were alarming.
func (s *Session) Seen() (alarms, total int64) { return s.reducer.alarms, s.reducer.total }
