package index

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"

	"cairn/manifest"
)

// Selection is some of the rows of an index. If it has a row, it has all other rows of
// the same run too, so that the row that counts is among them.
type Selection struct {
	x   *Index
	set map[*Segment][]uint64 // one bit for each row
	n   int
}

// Select makes a selection of the rows that choose adds for each segment.
func (x *Index) Select(choose func(s *Segment, add func(i int))) *Selection {
	l := &Selection{x: x, set: map[*Segment][]uint64{}}
	for _, s := range x.segments {
		l.set[s] = make([]uint64, (s.Len()+63)/64)
	}
	for _, s := range x.segments {
		choose(s, func(i int) { l.add(s, i) })
	}
	return l
}

// Len is how many rows are selected.
func (l *Selection) Len() int { return l.n }

// add selects a row and all other rows of its run.
func (l *Selection) add(s *Segment, i int) {
	if !l.include(s, i) {
		return
	}
	at, id := s.u64(colTime, i), s.u64(colID, i)
	for _, t := range l.x.segments {
		n := t.Len()
		if n == 0 || int64(at) < int64(t.u64(colTime, 0)) || int64(at) > int64(t.u64(colTime, n-1)) {
			continue
		}
		j := i
		if t != s {
			j = sort.Search(n, func(k int) bool { return int64(t.u64(colTime, k)) >= int64(at) })
		}
		for ; j > 0 && t.u64(colTime, j-1) == at; j-- {
		}
		for ; j < n && t.u64(colTime, j) == at; j++ {
			if t.u64(colID, j) == id {
				l.include(t, j)
			}
		}
	}
}

// include adds a row, and returns true if it was not selected before.
func (l *Selection) include(s *Segment, i int) bool {
	set, bit := l.set[s], uint64(1)<<(i%64)
	if set[i/64]&bit != 0 {
		return false
	}
	set[i/64] |= bit
	l.n++
	return true
}

// Each is Index.Each for the rows of the selection.
func (l *Selection) Each(newest bool, visit func(s *Segment, i int) bool) error {
	return l.x.each(newest, l.set, visit)
}

// nextIn is the position of the next bit of a set, from i on in steps of 1 or -1; end
// if none exists.
func nextIn(set []uint64, i, step, end int) int {
	for i != end {
		word := set[i/64]
		if step > 0 {
			if word >>= i % 64; word != 0 {
				return min(i+bits.TrailingZeros64(word), end)
			}
			i = min((i/64+1)*64, end)
			continue
		}
		if word <<= 63 - i%64; word != 0 {
			return i - bits.LeadingZeros64(word)
		}
		i = i/64*64 - 1
	}
	return end
}

// Having calls add once for each row that has a finding of a set; set is indexed by the finding's number.
func (s *Segment) Having(set []bool, add func(i int)) {
	if !slices.Contains(set, true) {
		return
	}
	has, ends := s.body[secHas], s.body[secHasFrom][4:] // where the findings of each row end
	row, end := -1, uint32(0)
	for at := uint32(0); int(at) < len(has)/4; at++ {
		if !set[binary.LittleEndian.Uint32(has[4*at:])] {
			continue
		}
		for at >= end {
			row++
			end = binary.LittleEndian.Uint32(ends[4*row:])
		}
		add(row)
		at = end - 1 // skip to the next row
	}
}

// Being calls add for the rows for whose text in a column want is true; want is called
// once for each text. The column must refer to texts and have been loaded by Need. want
// must not keep the text.
func (s *Segment) Being(column []int, want func(text string) bool, add func(i int)) {
	known := make([]int8, s.Texts())
	body := s.body[column[0]]
	for i := range s.Len() {
		n := binary.LittleEndian.Uint32(body[4*i:])
		if known[n] == 0 {
			if known[n] = -1; want(s.view(secTexts, n)) {
				known[n] = 1
			}
		}
		if known[n] > 0 {
			add(i)
		}
	}
}

// Newest calls add for the newest rows that have one of texts in a column, at most most rows for each
// text. The map has the texts that were found; its value says whether a text has more rows.
func (s *Segment) Newest(column []int, texts []string, most int, add func(i int)) map[string]bool {
	there, known, left := map[string]bool{}, make([]int32, s.Texts()), make([]int, len(texts))
	body := s.body[column[0]]
	for i := s.Len() - 1; i >= 0; i-- {
		n := binary.LittleEndian.Uint32(body[4*i:])
		if known[n] == 0 {
			known[n] = -1
			if k := slices.Index(texts, s.view(secTexts, n)); k >= 0 {
				known[n], left[k], there[texts[k]] = int32(k+1), most, false
			}
		}
		k := known[n] - 1
		switch {
		case k < 0:
		case left[k] > 0:
			left[k]--
			add(i)
		default:
			there[texts[k]] = true
		}
	}
	return there
}

// BeingLike is Being where every wanted text contains word: want is called only for
// texts that contain it.
func (s *Segment) BeingLike(column []int, word string, want func(text string) bool, add func(i int)) {
	all, at := s.body[secTextBytes], 0
	s.beingAt(column, want, add, func() int {
		i := bytes.Index(all[at:], []byte(word))
		if i < 0 {
			return -1
		}
		at += i + len(word)
		return at - len(word)
	})
}

// BeingAfter is Being where every wanted text contains the byte mark, followed by one
// of words. Few texts contain mark.
func (s *Segment) BeingAfter(column []int, mark byte, words []string, want func(text string) bool, add func(i int)) {
	all, at := s.body[secTextBytes], 0
	var first [256]bool // the first bytes of words
	for _, word := range words {
		if word != "" {
			first[word[0]] = true
		}
	}
	begins := func(word string) bool { return len(all)-at >= len(word) && string(all[at:at+len(word)]) == word }
	s.beingAt(column, want, add, func() int {
		for {
			i := bytes.IndexByte(all[at:], mark)
			if i < 0 {
				return -1
			}
			if at += i + 1; at < len(all) && first[all[at]] && slices.ContainsFunc(words, begins) {
				return at
			}
		}
	})
}

// beingAt is Being for the texts in which next finds something. next returns offsets into all texts, and -1 at the
// end.
func (s *Segment) beingAt(column []int, want func(text string) bool, add func(i int), next func() int) {
	set, some, last := make([]bool, s.Texts()), false, -1
	for at := next(); at >= 0; at = next() {
		n := numberAt(s.body[secTexts], at)
		if int(n) != last && want(s.view(secTexts, n)) {
			set[n], some = true, true
		}
		last = int(n)
	}
	if !some {
		return
	}
	body := s.body[column[0]]
	for i := range s.Len() {
		if set[binary.LittleEndian.Uint32(body[4*i:])] {
			add(i)
		}
	}
}

// Flagged calls add for the rows that have a flag.
func (s *Segment) Flagged(flag uint16, add func(i int)) {
	body := s.body[colFlags]
	for i := range s.Len() {
		if binary.LittleEndian.Uint16(body[2*i:])&flag != 0 {
			add(i)
		}
	}
}

// FindingBytes are the concatenated texts of all findings. They must not be changed,
// and are valid until the index is closed.
func (s *Segment) FindingBytes() []byte { return s.body[secFindingText] }

// FindingAt is the number of the finding whose text includes offset at of FindingBytes.
func (s *Segment) FindingAt(at int) uint32 { return numberAt(s.body[secFindings], at) }

// numberAt is the number of the text that includes offset at; ends are the ends of the texts.
func numberAt(ends []byte, at int) uint32 {
	return uint32(sort.Search(len(ends)/4, func(n int) bool { return binary.LittleEndian.Uint32(ends[4*n:]) > uint32(at) }))
}

// Row is what the index stores about a capture.
type Row struct {
	Key     string // the command key
	Command string // the command, as one line
	What    string // verdict and tools, in the form of the caller
	Where   string // branch, commit and tree, in the form of the caller
	Who     string // agent and session, in the form of the caller

	Duration int64 // milliseconds
	Raw      int64 // bytes printed
	Shown    int64 // bytes that the compact form has
	Flags    uint16

	Findings []string // one text for each finding, in the form of the caller
}

// Describe makes a row of a capture.
type Describe func(*manifest.Record) (Row, error)

// storedRow is a row with its run, its record's checksum and its record's place in a shard.
type storedRow struct {
	Row
	time  int64  // microseconds
	id    uint64 // hash of the run id
	line  uint32 // CRC-32C of the record's line
	shard int    // index in the builder's list of shards
	at    uint32
	size  uint32
}

// The columns of a segment, by number of section. The sections after them are not
// columns.
const (
	colTime = iota
	colID
	colLine
	colShard
	colAt
	colSize
	colKey
	colCommand
	colWhat
	colWhere
	colWho
	colDuration
	colRaw
	colShown
	colFlags
	columns

	secTexts       = iota - 1 // ends of the texts in secTextBytes
	secTextBytes              // the texts
	secFindings               // ends of the distinct findings in secFindingText
	secFindingText            // the texts of the findings
	secHasFrom                // by row: where its findings begin in secHas, and a last entry for the end
	secHas                    // numbers of findings
	secFolders                // of the shards that rows come from
	secShards                 // the shards: size, modification time, and the end of the name in secNames
	secNames                  // names of the shards
	sections
)

// width is the bytes of one entry of a column.
func width(col int) int {
	switch col {
	case colTime, colID, colDuration, colRaw, colShown:
		return 8
	case colFlags:
		return 2
	}
	return 4
}
