package parsers

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

const (
	// skimSize is how much text is glanced at in one go, in bytes: it stays in the
	// nearest cache until its lines are taken.
	skimSize = 16 << 10
	// skimLeast is how long an output is before that is worth its tables, in bytes.
	skimLeast = 16 << 10
)

// skimmer reads an output in bulk. Most lines of a long output are nobody's:
// they say nothing of trouble and begin no format. It finds the others, which
// are seen one by one as all lines of a short output are; the result is the
// same.
type skimmer struct {
	s      *Session
	eye    *glass // nil until it is worth having
	must   pairs  // how lines begin that must be seen
	sights [skimSize / sightSize]sight

	brief        [256]uint64 // by how a line begins: words that may follow later, too short for the eye
	short        uint64      // all of these
	text         []byte      // the present chunk's
	space        []byte      // for the text of a line that has to be resolved
	asked, there uint64      // of brief: those text was searched for, and those it holds
}

// traits are what was seen of a line so far.
type traits struct {
	odd, alarm bool
	at         int    // of alarm: where a glance saw the first
	later      uint64 // the words in it that follow later
}

func newSkimmer(s *Session) *skimmer { return &skimmer{s: s} }

// read goes through a source. Lines that span chunks, and all of a short
// output, are seen one by one.
func (k *skimmer) read(src Source) {
	var parts [3]assembler
	one := func(l rawLine) bool { k.s.see(&l); return true }
	for c := range src.Chunks() {
		a := &parts[c.Stream]
		if a.open {
			n := bytes.IndexByte(c.Data, '\n') + 1
			if n == 0 {
				n = len(c.Data)
			}
			a.feed(c.take(n), one)
		}
		if c.Offset+int64(len(c.Data)) >= skimLeast {
			k.lines(c.take(bytes.LastIndexByte(c.Data, '\n') + 1))
		}
		a.feed(c, one)
	}
	flush(&parts, one)
}

// take splits the first n bytes off.
func (c *Chunk) take(n int) Chunk {
	first := Chunk{Stream: c.Stream, Offset: c.Offset, Data: c.Data[:n]}
	c.Data, c.Offset = c.Data[n:], c.Offset+int64(n)
	return first
}

// lines skims whole lines.
func (k *skimmer) lines(c Chunk) {
	if k.eye == nil {
		k.prepare()
	}
	k.text, k.asked, k.there = c.Data, 0, 0
	var line traits
	begin, left := 0, bytes.Count(c.Data, []byte{'\n'})
	for from := 0; from < len(c.Data); from += skimSize {
		for i, v := range k.eye.look(c.Data, from, k.sights[:]) {
			for set := v.newline | v.odd | v.hit; set != 0; {
				bit := set & -set
				at := from + i*sightSize + next(&set)
				switch {
				case v.newline&bit != 0:
					left--
					k.line(&c, begin, at, line, left)
					begin, line = at+1, traits{}
				case v.odd&bit != 0:
					line.odd = true
				default:
					alarm, later := k.eye.check(c.Data, at)
					if alarm && !line.alarm {
						line.alarm, line.at = true, at
					}
					line.later |= later
				}
			}
		}
	}
}

// line takes the line from begin to end, with so many behind it.
func (k *skimmer) line(c *Chunk, begin, end int, has traits, behind int) {
	text := c.Data[begin:end]
	first := firstPair(text)
	if want := k.brief[first>>8]; want != 0 {
		has.later |= k.briefly(want)
	}
	known := !has.odd && !has.alarm && len(text) <= MaxLine && !k.must.has(first)
	if known && k.s.stats.lines < firstLines {
		k.s.sniffTask(&rawLine{text: text, alarm: -1})
	}
	if known && has.later == 0 && k.s.reducer.passes(behind) {
		k.s.stats.pass(c.Offset + int64(end) + 1)
		return
	}
	l := rawLine{text: text, stream: c.Stream, start: c.Offset + int64(begin), end: c.Offset + int64(end) + 1, ended: true, alarm: -1}
	if !known {
		if len(text) > MaxLine {
			l.text, l.cut = text[:MaxLine], true
		}
		if l.calm = len(text); has.alarm {
			l.calm = max(0, has.at-begin-longestAlarm)
		}
		k.space = slices.Grow(k.space[:0], len(l.text))
		newEye().lookInto(k.space, &l)
		if has.odd { // known so far is what its bytes hold, not what they show
			has.later = k.short | k.eye.laters(l.text)
		}
		k.s.seen(&l, has.later)
		return
	}
	k.s.sniff(&l, has.later)
	if k.s.reducer.passes(behind) {
		k.s.stats.pass(l.end)
		return
	}
	k.s.stats.see(&l)
	k.s.reducer.see(&l)
}

// briefly gives those of some short words that are anywhere in the chunk.
func (k *skimmer) briefly(want uint64) uint64 {
	if ask := want &^ k.asked; ask != 0 {
		k.asked |= ask
		for i, word := range k.s.laters {
			if laterBit(i)&ask != 0 && len(word) < seedLeast && bytes.Contains(k.text, []byte(word)) {
				k.there |= laterBit(i)
			}
		}
	}
	return want & k.there
}

// prepare learns what lines are to be seen.
func (k *skimmer) prepare() {
	k.eye = newGlass(k.s.laters)
	for _, idle := range &k.s.idle {
		for _, c := range idle {
			switch {
			case c.later == "":
				k.must.add(c.start)
			case len(c.later) < seedLeast:
				k.brief[c.start[0]] |= c.bit
				k.short |= c.bit
			}
		}
	}
	for _, s := range dirStarts {
		k.must.add(s)
	}
	for _, s := range signs {
		if s[0] < utf8.RuneSelf { // the others are odd
			k.must.add(s)
		}
	}
}

// pairs is a set of pairs of bytes that lines begin with.
type pairs [1 << 16 / 64]uint64

// add takes all lines in that begin with start.
func (p *pairs) add(start string) {
	first := int(start[0]) << 8
	if len(start) > 1 {
		p.set(first | int(start[1]))
		return
	}
	for second := range 256 {
		p.set(first | second)
	}
}

func (p *pairs) set(pair int) { p[pair/64] |= 1 << (pair % 64) }

func (p *pairs) has(pair int) bool { return p[pair/64]>>(pair%64)&1 != 0 }

// firstPair is how a line begins behind its blanks. A newline stands for what
// is not there.
func firstPair(line []byte) int {
	if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		line = line[indent(line):]
	}
	switch len(line) {
	case 0:
		return '\n' << 8
	case 1:
		return int(line[0])<<8 | '\n'
	}
	return int(line[0])<<8 | int(line[1])
}
