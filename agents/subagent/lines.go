package subagent

import (
	"bytes"
	"fmt"
)

// maxEvent bounds one event, in bytes. It may contain a tool's output of several megabytes, escaped.
const maxEvent = 32 << 20

// wanted are the types of events whose contents a timeline reads; of "turn_end", only the type counts. Other events
// repeat these, some with the whole conversation; they are dropped while they are read.
var wanted = map[string]bool{"message_update": true, "message_end": true, "tool_execution_start": true, "tool_execution_end": true}

// splitter cuts what a process prints into events. Each event is one line.
type splitter struct {
	event func(line []byte)
	note  func(text string)

	line []byte
	skip bool
	lost int // how many bytes of this line exceeded the limit
}

func (s *splitter) Write(p []byte) {
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		s.take(part)
		if ended {
			s.end()
		}
		p = rest
	}
}

// maxType is how many bytes from the beginning of a line are enough to read its type.
const maxType = 64

func (s *splitter) take(part []byte) {
	if s.skip {
		return
	}
	if len(s.line)+len(part) > maxEvent {
		s.lost += len(part)
		return
	}
	s.line = append(s.line, part...)
	if kind := typeOf(s.line); len(s.line) >= maxType && kind != "" && !wanted[kind] {
		s.line, s.skip = s.line[:maxType], true
	}
}

// end is called at the end of a line, and passes its event on.
func (s *splitter) end() {
	line, lost := s.line, s.lost
	if cap(s.line) > 1<<20 {
		s.line = nil
	}
	s.line, s.skip, s.lost = s.line[:0], false, 0
	kind := typeOf(line)
	switch {
	case lost > 0:
		s.note(fmt.Sprintf("an event %s of %d bytes was too long to be kept", kind, len(line)+lost))
	case kind == "turn_end":
		s.event([]byte(`{"type":"turn_end"}`))
	case kind == "" || wanted[kind]:
		s.event(line)
	}
}

// typeOf reads the type of an event. pi writes it at the beginning; "" means that it is not there.
func typeOf(line []byte) string {
	rest, ok := bytes.CutPrefix(line[:min(len(line), maxType)], []byte(`{"type":"`))
	if kind, _, ended := bytes.Cut(rest, []byte(`"`)); ok && ended {
		return string(kind)
	}
	return ""
}
