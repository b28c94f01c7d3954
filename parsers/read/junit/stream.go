package junit

import (
	"bytes"
	"cmp"
	"io"
	"iter"

	"cairn/parsers/text/term"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// junitStream is one stream of an output, from which documents are read: terminal escapes are resolved line by
// line, and the offset of each byte in the merged output is known.
type junitStream struct {
	stream term.Stream
	next   func() (term.Chunk, bool)
	stop   func()

	rest  []byte // unread bytes of the chunk
	at    int64  // offset of rest[0]
	held  []byte // a line that began in an earlier chunk
	began int64  // offset of that line

	ready []byte // bytes for the next Read
	pos   int64  // bytes returned so far
	marks []junitMark
	spare []byte
}

// junitMark says that the n bytes that Read returned from pos on come from the offsets at to end. If these are more
// than n bytes, escapes were resolved.
type junitMark struct{ pos, n, at, end int64 }

func (m junitMark) linear() bool { return m.n == m.end-m.at }

func newJUnitStream(in *tool.Input, stream term.Stream) *junitStream {
	next, stop := iter.Pull(in.Source.Chunks())
	return &junitStream{stream: stream, next: next, stop: stop}
}

func (s *junitStream) Read(p []byte) (int, error) {
	for len(s.ready) == 0 {
		if len(s.rest) == 0 && !s.pull() {
			if len(s.held) == 0 {
				return 0, io.EOF
			}
			s.giveHeld()
			continue
		}
		s.advance()
	}
	n := copy(p, s.ready)
	s.ready = s.ready[n:]
	s.pos += int64(n)
	return n, nil
}

func (s *junitStream) pull() bool {
	for {
		c, ok := s.next()
		if !ok {
			return false
		}
		if c.Stream == s.stream && len(c.Data) > 0 {
			s.rest, s.at = c.Data, c.Offset
			return true
		}
	}
}

// advance takes whole lines from the chunk. An incomplete line waits for its end, so that the size of chunks
// changes nothing.
func (s *junitStream) advance() {
	if len(s.held) > 0 {
		n := bytes.IndexByte(s.rest, '\n') + 1
		s.hold(n)
		if n > 0 {
			s.giveHeld()
		}
		return
	}
	if n := plainLines(s.rest); n > 0 {
		s.give(s.rest[:n], s.at, s.at+int64(n))
		s.took(n)
		return
	}
	n := bytes.IndexByte(s.rest, '\n') + 1
	if n == 0 || n > term.MaxLine {
		s.hold(n)
		return
	}
	s.giveLine(s.rest[:n], s.at, s.at+int64(n))
	s.took(n)
}

func (s *junitStream) took(n int) { s.rest, s.at = s.rest[n:], s.at+int64(n) }

// hold keeps n bytes of the chunk, or all of it if n is 0. A line longer than MaxLine is passed on in pieces.
func (s *junitStream) hold(n int) {
	n = cmp.Or(n, len(s.rest))
	if len(s.held) == 0 {
		s.began = s.at
	}
	n = min(n, term.MaxLine-len(s.held))
	s.held = append(s.held, s.rest[:n]...)
	s.took(n)
	if len(s.held) >= term.MaxLine {
		s.giveHeld()
	}
}

func (s *junitStream) giveHeld() {
	s.spare, s.held = s.held, s.spare[:0]
	s.giveLine(s.spare, s.began, s.at)
}

// giveLine passes on a line with its escapes resolved.
func (s *junitStream) giveLine(line []byte, at, end int64) {
	if !bytes.ContainsAny(line, escapes) {
		s.give(line, at, end)
		return
	}
	text, ended := bytes.CutSuffix(line, []byte("\n"))
	text = bytes.Clone(term.Resolve(text))
	if ended {
		text = append(text, '\n')
	}
	s.give(text, at, end)
}

func (s *junitStream) give(text []byte, at, end int64) {
	s.ready = text
	mark := junitMark{s.pos, int64(len(text)), at, end}
	if n := len(s.marks); n > 0 && mark.linear() {
		if last := &s.marks[n-1]; last.linear() && last.end == at {
			last.n, last.end = last.n+mark.n, end
			return
		}
	}
	s.marks = append(s.marks, mark)
}

// plainLines is the length of the whole lines at the start of text that have no escape.
func plainLines(text []byte) int {
	if len(text) > xmltext.Window {
		text = text[:xmltext.Window]
	}
	if i := bytes.IndexAny(text, escapes); i >= 0 {
		text = text[:i]
	}
	return bytes.LastIndexByte(text, '\n') + 1
}

// escapes are the bytes that may begin an escape.
const escapes = "\x1b\r\b"

// merged is the offset in the merged output of the byte that Read returned at pos.
func (s *junitStream) merged(pos int64) int64 {
	for i := len(s.marks) - 1; i >= 0; i-- {
		if m := s.marks[i]; m.pos <= pos {
			return min(m.at+pos-m.pos, m.end)
		}
	}
	return pos
}

// cover marks what Read returned between two positions as the report's, and forgets earlier marks. A line with
// escapes is covered as a whole.
func (s *junitStream) cover(rep *tool.Report, from, to int64) {
	for _, m := range s.marks {
		first, last := max(from-m.pos, 0), min(to-m.pos, m.n)
		if first >= last {
			continue
		}
		if m.linear() {
			addSpan(rep, m.at+first, m.at+last)
		} else {
			addSpan(rep, m.at, m.end)
		}
	}
	for len(s.marks) > 1 && s.marks[1].pos <= to {
		s.marks = s.marks[1:]
	}
}

// addSpan covers bytes of one of several streams, in any order: Session sorts the spans.
func addSpan(rep *tool.Report, start, end int64) {
	n := len(rep.Covered)
	switch {
	case n > 0 && rep.Covered[n-1].End == start:
		rep.Covered[n-1].End = end
	case n == 0 || rep.Covered[n-1] != result.Span{Start: start, End: end}:
		rep.Covered = append(rep.Covered, result.Span{Start: start, End: end})
	}
}
