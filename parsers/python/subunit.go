package python

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/tool"
)

// subunitStart is the first byte of a stream of subunit version 2, 0xb3, as it appears in a line:
// the byte is not valid UTF-8.
const subunitStart = "\uFFFD"

// isSubunit reports whether a line begins as a packet does, with the byte 0xb3 and the version, 2. It is
// a cheap test; parseSubunit checks the packets' checksums.
func isSubunit(line string) bool {
	rest := strings.TrimPrefix(line, subunitStart)
	return len(rest) < len(line) && rest != "" && rest[0]>>4 == 2
}

const (
	subunitMark    = 0xb3
	subunitEnded   = "the process ended while this test ran"
	subunitXPassed = "passed, and was expected to fail"
	maxSubunit     = 4 << 20  // the largest packet in bytes, by the protocol
	maxSubunitText = 64 << 10 // the longest traceback kept, in bytes
)

// The flags for the optional parts of a packet.
const (
	subunitTime  = 0x0200
	subunitID    = 0x0800
	subunitTags  = 0x0080
	subunitMIME  = 0x0020
	subunitFile  = 0x0040
	subunitRoute = 0x0400
)

// subunitWords maps the status of a packet, the last three bits of its flags, to an outcome.
var subunitWords = [8]read.Outcome{3: tool.Passed, 4: tool.XPassed, 5: tool.Skipped, 6: tool.Failed, 7: tool.XFailed}

const (
	subunitExists  = 1
	subunitRunning = 2
)

// subunitPacket is one packet of a stream.
type subunitPacket struct {
	status         int
	at             int64 // nanoseconds since 1970; 0 if the packet has no time
	id, file, data string
}

// subunit reads a stream, which has packets to announce a test, to start it and to end it. Its
// output is in files, parts of other packets between these.
type subunit struct {
	caseBlock
	s     *read.Sink
	begun map[string]int64
	ended map[string]bool
	named []string                  // the tests announced, in order
	said  map[string]*subunitPacket // the first traceback of a test
}

func parseSubunit(in *tool.Input) *tool.Report {
	r := &subunit{s: read.NewSink(in), begun: map[string]int64{}, ended: map[string]bool{}, said: map[string]*subunitPacket{}}
	var rest []byte
	packets := 0
	for c := range in.Source.Chunks() {
		if c.Stream != tool.Stdout {
			continue
		}
		rest = append(rest, c.Data...)
		n := r.packets(rest, &packets)
		rest = append(rest[:0], rest[n:]...)
	}
	if packets == 0 {
		return nil
	}
	s := r.s
	for _, id := range r.named {
		if _, running := r.begun[id]; !running && !r.ended[id] {
			s.Ran(tool.Test{ID: id, Outcome: tool.NotRun})
			s.Count("not_run", 1)
		}
	}
	s.Complete = len(rest) == 0 && len(r.begun) == 0 && (s.Counts["not_run"] == 0 || s.Claimed > 0)
	for id := range r.begun {
		s.Ran(tool.Test{ID: id, Outcome: tool.Errored})
		f := badCase("ERROR", id)
		f.Message = subunitEnded
		s.FindHere(f)
	}
	s.Settle()
	return s.Report
}

// packets takes the complete packets in b, and returns how many bytes it used. Bytes between
// packets are output of the tests, and skipped.
func (r *subunit) packets(b []byte, count *int) (done int) {
	for {
		i := slices.Index(b[done:], subunitMark)
		if i < 0 {
			return len(b)
		}
		done += i
		p, size, ok := cutSubunit(b[done:])
		switch {
		case ok:
			*count++
			r.take(p)
			done += size
		case size > 0:
			return done // the rest of the packet is in the next chunk
		default:
			done++
		}
	}
}

// cutSubunit reads the packet at the start of b. If b is too short, ok is false and size is the number of bytes
// needed; if b does not begin with a packet, size is 0.
func cutSubunit(b []byte) (p subunitPacket, size int, ok bool) {
	if len(b) < 4 {
		return p, 4, false
	}
	if b[1]>>4 != 2 {
		return p, 0, false
	}
	flags := binary.BigEndian.Uint16(b[1:])
	c := subunitCursor{b: b[3:]}
	size = c.number()
	switch {
	case c.bad && len(b) < 8:
		return p, 8, false
	case c.bad, size < 8, size > maxSubunit:
		return p, 0, false
	case size > len(b):
		return p, size, false
	}
	body, sum := b[:size-4], binary.BigEndian.Uint32(b[size-4:size])
	if crc32.ChecksumIEEE(body) != sum {
		return p, 0, false
	}
	c.b = body[len(body)-len(c.b)+len(b)-size+4:]
	c.packet(flags, &p)
	return p, size, !c.bad
}

// subunitCursor reads the parts of a packet in turn; bad is set if the bytes end before a part does.
type subunitCursor struct {
	b   []byte
	bad bool
}

func (c *subunitCursor) packet(flags uint16, p *subunitPacket) {
	p.status = int(flags & 7)
	if flags&subunitTime != 0 {
		seconds := c.bytes(4)
		nanos := c.number()
		if !c.bad {
			p.at = int64(binary.BigEndian.Uint32(seconds))*1e9 + int64(nanos)
		}
	}
	if flags&subunitID != 0 {
		p.id = c.text()
	}
	if flags&subunitTags != 0 {
		for n := c.number(); n > 0 && !c.bad; n-- {
			c.text()
		}
	}
	if flags&subunitMIME != 0 {
		c.text()
	}
	if flags&subunitFile != 0 {
		p.file, p.data = c.text(), c.text()
	}
	if flags&subunitRoute != 0 {
		c.text()
	}
}

func (c *subunitCursor) bytes(n int) []byte {
	if n > len(c.b) {
		c.bad = true
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

// number reads a number of one to four bytes. The first two bits say how many bytes follow the first.
func (c *subunitCursor) number() (n int) {
	if len(c.b) == 0 {
		c.bad = true
		return 0
	}
	more := int(c.b[0] >> 6)
	for i, b := range c.bytes(1 + more) {
		if i == 0 {
			b &= 0x3f
		}
		n = n<<8 | int(b)
	}
	return n
}

func (c *subunitCursor) text() string { return string(c.bytes(c.number())) }

// take adds a packet to the report: it announces, starts or ends a test, or has a part of a traceback.
func (r *subunit) take(p subunitPacket) {
	s := r.s
	if p.id == "" || len(r.ended) >= tool.MaxTests {
		return
	}
	if strings.HasPrefix(p.file, "traceback") { // "traceback (i=1)" of a subtest
		first := r.said[p.id]
		switch {
		case first == nil:
			r.said[p.id] = &p
		case first.file == p.file && len(first.data)+len(p.data) <= maxSubunitText:
			first.data += p.data
		}
	}
	came := subunitWords[p.status]
	switch {
	case p.status == subunitExists:
		r.named = append(r.named, p.id)
	case p.status == subunitRunning:
		r.begun[p.id] = p.at
	case came != "":
		t := tool.Test{ID: p.id, Outcome: came}
		if at := r.begun[p.id]; at > 0 && p.at > at {
			t.DurationMS = (p.at - at) / 1e6
		}
		delete(r.begun, p.id)
		r.ended[p.id] = true
		if s.Counted(t); came.Bad() || came == tool.XPassed {
			r.find(p.id, came)
		}
		delete(r.said, p.id)
	}
}

// find adds the finding of a failed test, with the traceback from earlier packets.
func (r *subunit) find(id string, came read.Outcome) {
	s := r.s
	s.Claim(1)
	s.Find(tool.Line{}, badCase("FAILED", id))
	r.trace = read.Traceback{}
	if s.Last() == nil {
		return // the limit of findings is reached
	}
	if first := r.said[id]; first != nil {
		for _, text := range read.TextLines(first.data) {
			r.caseBlock.take(s, tool.Line{Text: text})
		}
	}
	if came == tool.XPassed {
		s.Last().Message = subunitXPassed
	}
	r.endBlock(s)
	s.Last().RawSpan = nil // packets are not lines of text
	s.Break()
}
