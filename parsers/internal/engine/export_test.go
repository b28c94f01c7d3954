package engine

import "cairn/parsers/text/term"

// SeeEach is Scan line by line.
func (s *Session) SeeEach() {
	s.scan(func(src term.Source) {
		term.RawLines(src, term.Both, func(l term.RawLine) bool { s.see(&l); return true })
	})
}

// Seen is how many lines were seen, and how many of them were alarming.
func (s *Session) Seen() (alarms, total int64) { return s.reducer.alarms, s.reducer.total }
