package engine

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"cairn/parsers/text/scan"
	"cairn/parsers/text/shell"
	"cairn/parsers/text/term"
)

const (
	// skimSize is how many bytes of text are searched in one go: they stay in the nearest cache until their lines
	// are taken.
	skimSize = 16 << 10
	// skimLeast is the least size of an output, in bytes, for which the tables for skimming are made.
	skimLeast = 16 << 10
)

// skimmer reads an output in bulk. Most lines of a long output belong to no parser: they have no alarm words and
// begin no format. The skimmer counts them quickly and passes the others to Session.see, as happens to all lines of
// a short output, with the same result.
type skimmer struct {
	s      *Session
	search *search // nil until the output is long enough
	sights [skimSize / scan.SightSize]scan.Sight

	text         []byte // of the current chunk
	space        []byte // buffer for a line that has to be resolved
	asked, there uint64 // bits of search.brief: words that text was searched for, and words that it contains
}

// traits are what is known of a line so far.
type traits struct {
	odd bool
	scan.Found
}

func newSkimmer(s *Session) *skimmer { return &skimmer{s: s} }

// read reads a source. Lines that span chunks, and all lines of a short output, are seen one by one.
func (k *skimmer) read(src term.Source) {
	var parts [3]term.Assembler
	one := func(l term.RawLine) bool { k.s.see(&l); return true }
	for c := range src.Chunks() {
		a := &parts[c.Stream]
		if a.Open {
			n := bytes.IndexByte(c.Data, '\n') + 1
			n = cmp.Or(n, len(c.Data))
			a.Feed(c.Take(n), one)
		}
		if c.Offset+int64(len(c.Data)) >= skimLeast {
			k.lines(c.Take(bytes.LastIndexByte(c.Data, '\n') + 1))
			k.s.foresee()
		}
		a.Feed(c, one)
	}
	term.Flush(&parts, one)
}

// lines skims a chunk of whole lines.
func (k *skimmer) lines(c term.Chunk) {
	if k.search == nil {
		k.search = k.s.offered.search()
	}
	k.text, k.asked, k.there = c.Data, 0, 0
	line := traits{Found: scan.Nothing}
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
					begin, line = at+1, traits{Found: scan.Nothing}
					v.Odd &^= bit - 1
					continue
				}
				line.Check(k.search.words, c.Data, begin, at)
			}
			line.odd = line.odd || v.Odd != 0
		}
	}
	k.s.reducer.settle()
}

// line takes the line from begin to end; behind is how many lines of the chunk follow.
func (k *skimmer) line(c *term.Chunk, begin, end int, has traits, behind int) {
	text := c.Data[begin:end]
	head := text[scan.Indent(text):]
	if len(head) > 0 {
		if want := k.search.brief[head[0]]; want != 0 {
			has.Later |= k.briefly(want)
		}
	}
	plain := !has.odd && len(text) <= term.MaxLine
	must := k.search.must.has(head) || has.Later&k.search.step != 0 && bytes.Contains(text, []byte(shell.StepMark)) || k.showsPath(head)
	if plain && !must && has.Alarm < 0 && has.Later == 0 && k.s.stats.lines >= firstLines && k.s.reducer.passes(behind) {
		k.s.stats.pass(c.Offset + int64(end) + 1)
		return
	}
	l := term.RawLine{Text: text, Stream: c.Stream, Start: c.Offset + int64(begin), End: c.Offset + int64(end) + 1, Ended: true, Alarm: -1}
	if !plain {
		l.Bound()
		k.space = slices.Grow(k.space[:0], len(l.Text))
		scan.NewScanner().LookInto(k.space, &l)
		k.s.reducer.lending = false
		k.s.seen(&l, k.search.short|k.search.words.Laters(l.Text)) // has.Later is about the raw bytes, not the resolved text
		return
	}
	if has.Alarm >= 0 {
		l.Alarm = has.Alarm - begin
	}
	k.s.reducer.lending = true
	if must {
		if l.Alarm < 0 && scan.Signed(text) {
			l.Alarm = 0
		}
		k.s.seen(&l, has.Later)
		return
	}
	k.seenPlain(&l, head, has.Later, behind)
}

// seenPlain is Session.seen for a plain line that does not begin like a command, a change of directory, or a format
// without a later word.
func (k *skimmer) seenPlain(l *term.RawLine, head []byte, later uint64, behind int) {
	s := k.s
	if s.tasks != nil {
		s.trouble.see(l, later&k.search.coded != 0)
	}
	if s.sniffTask(l) {
		s.sniffMarked(l)
	}
	s.stats.see(l)
	if later&k.search.follow[hashPair(head)] != 0 {
		s.sniff(l, later)
	}
	s.reducer.seeBefore(l, behind)
}

// showsPath reports whether the line begins with a path to a program that has a parser.
func (k *skimmer) showsPath(head []byte) bool {
	return len(head) > 0 && (head[0] == '/' || head[0] == '.') && k.s.showsProgram(head)
}

// briefly returns the bits of those short words in want that the chunk contains.
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

// heads is a set of beginnings of lines, without indent. It may also accept lines that were not added, but never
// rejects one that was.
type heads struct {
	pairs [1 << 16 / 64]uint64 // the first two bytes of all beginnings
	short [1 << 16 / 64]uint64 // those of two or three bytes
	fours [hashed / 64]uint64  // hashes of those with four bytes,
	fives [hashed / 64]uint64  // and of the first five bytes of longer ones
}

const hashed = 1 << 14

// add adds all lines that begin with start.
func (h *heads) add(start string) {
	first := int(start[0]) << 8
	if len(start) == 1 {
		for second := range 256 {
			set(h.pairs[:], first|second)
			set(h.short[:], first|second)
		}
		return
	}
	set(h.pairs[:], first|int(start[1]))
	switch len(start) {
	case 2, 3:
		set(h.short[:], first|int(start[1]))
	case 4:
		set(h.fours[:], hashFour([]byte(start)))
	default:
		set(h.fives[:], hashFive([]byte(start)))
	}
}

func (h *heads) has(head []byte) bool {
	if len(head) < 5 {
		return h.hasShort(head)
	}
	pair := int(head[0])<<8 | int(head[1])
	return holds(h.pairs[:], pair) && (holds(h.short[:], pair) || holds(h.fours[:], hashFour(head)) || holds(h.fives[:], hashFive(head)))
}

// hasShort is has for a line of fewer than five bytes; newlines stand for missing bytes.
func (h *heads) hasShort(head []byte) bool {
	line := [2]byte{'\n', '\n'}
	copy(line[:], head)
	return holds(h.pairs[:], int(line[0])<<8|int(line[1]))
}

// hashPair hashes the first two bytes of a line, or fewer if it is shorter.
func hashPair(head []byte) int {
	switch len(head) {
	case 0:
		return 0
	case 1:
		return int(head[0])
	}
	return int(head[0]) ^ int(head[1])<<4
}

func hashFour(b []byte) int { return int(binary.LittleEndian.Uint32(b) * 0x9e3779b1 >> 18) }

func hashFive(b []byte) int {
	return int((binary.LittleEndian.Uint32(b) ^ uint32(b[4])<<24) * 0x85ebca6b >> 18)
}

func set(bits []uint64, i int) { bits[i/64] |= 1 << (i % 64) }

func holds(bits []uint64, i int) bool { return bits[i/64]>>(i%64)&1 != 0 }
