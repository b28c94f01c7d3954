package engine

import (
	"bytes"
	"slices"

	"cairn/parsers/internal/scan"
	"cairn/parsers/internal/term"
)

const (
	// skimSize is how much text is glanced at in one go, in bytes: it stays in the
	// nearest cache until its lines are taken.
	skimSize = 16 << 10
	// skimLeast is the length from which on an output is worth the tables that are
	// made for skimming, in bytes.
	skimLeast = 16 << 10
)

// skimmer reads an output in bulk. Most lines of a long output are nobody's:
// they say nothing of trouble and begin no format. It finds the others, which
// are seen one by one as all lines of a short output are; the result is the
// same.
type skimmer struct {
	s      *Session
	search *search // nil until it is worth having
	sights [skimSize / scan.SightSize]scan.Sight

	text         []byte // the present chunk's
	space        []byte // for the text of a line that has to be resolved
	asked, there uint64 // bits of search.brief: of the words that text was searched for, and of those that it holds
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
func (k *skimmer) read(src term.Source) {
	var parts [3]term.Assembler
	one := func(l term.RawLine) bool { k.s.see(&l); return true }
	for c := range src.Chunks() {
		a := &parts[c.Stream]
		if a.Open {
			n := bytes.IndexByte(c.Data, '\n') + 1
			if n == 0 {
				n = len(c.Data)
			}
			a.Feed(c.Take(n), one)
		}
		if c.Offset+int64(len(c.Data)) >= skimLeast {
			k.lines(c.Take(bytes.LastIndexByte(c.Data, '\n') + 1))
		}
		a.Feed(c, one)
	}
	term.Flush(&parts, one)
}

// lines skims whole lines.
func (k *skimmer) lines(c term.Chunk) {
	if k.search == nil {
		k.search = k.s.offered.search()
	}
	k.text, k.asked, k.there = c.Data, 0, 0
	var line traits
	begin, left := 0, bytes.Count(c.Data, []byte{'\n'})
	for from := 0; from < len(c.Data); from += skimSize {
		for i, v := range k.search.words.Look(c.Data, from, k.sights[:]) {
			for set := v.Newline | v.Hit; set != 0; {
				bit := set & -set
				at := from + i*scan.SightSize + scan.Next(&set)
				line.odd = line.odd || v.Odd&(bit-1) != 0
				if v.Newline&bit != 0 {
					left--
					k.line(&c, begin, at, line, left)
					begin, line = at+1, traits{}
					v.Odd &^= bit - 1
					continue
				}
				alarm, later := k.search.words.Check(c.Data, at)
				if alarm && !line.alarm {
					line.alarm, line.at = true, at
				}
				line.later |= later
			}
			line.odd = line.odd || v.Odd != 0
		}
	}
}

// line takes the line from begin to end, behind which the chunk has so many lines.
func (k *skimmer) line(c *term.Chunk, begin, end int, has traits, behind int) {
	text := c.Data[begin:end]
	first := firstPair(text)
	if want := k.search.brief[first>>8]; want != 0 {
		has.later |= k.briefly(want)
	}
	known := !has.odd && !has.alarm && len(text) <= term.MaxLine && !k.search.must.has(first)
	if known && k.s.stats.lines < firstLines {
		k.s.sniffTask(&term.RawLine{Text: text, Alarm: -1})
	}
	if known && has.later == 0 && k.s.reducer.passes(behind) {
		k.s.stats.pass(c.Offset + int64(end) + 1)
		return
	}
	l := term.RawLine{Text: text, Stream: c.Stream, Start: c.Offset + int64(begin), End: c.Offset + int64(end) + 1, Ended: true, Alarm: -1}
	if !known {
		l.Bound()
		if l.Calm = len(text); has.alarm {
			l.Calm = max(0, has.at-begin-scan.LongestAlarm)
		}
		k.space = slices.Grow(k.space[:0], len(l.Text))
		scan.NewScanner().LookInto(k.space, &l)
		if has.odd { // known so far is what its bytes hold, not what they show
			has.later = k.search.short | k.search.words.Laters(l.Text)
		}
		k.s.seen(&l, has.later)
		return
	}
	k.s.sniff(&l, has.later)
	if k.s.reducer.passes(behind) {
		k.s.stats.pass(l.End)
		return
	}
	k.s.stats.see(&l)
	k.s.reducer.see(&l)
}

// briefly says which of the short words in want are anywhere in the chunk.
func (k *skimmer) briefly(want uint64) uint64 {
	if ask := want &^ k.asked; ask != 0 {
		k.asked |= ask
		for i, word := range k.s.offered.begins().laters {
			if scan.LaterBit(i)&ask != 0 && len(word) < scan.SeedLeast && bytes.Contains(k.text, []byte(word)) {
				k.there |= scan.LaterBit(i)
			}
		}
	}
	return want & k.there
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

// firstPair is the first two bytes of a line behind its blanks. A newline stands for a
// byte that the line does not have.
func firstPair(line []byte) int {
	if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		line = line[scan.Indent(line):]
	}
	switch len(line) {
	case 0:
		return '\n' << 8
	case 1:
		return int(line[0])<<8 | '\n'
	}
	return int(line[0])<<8 | int(line[1])
}
