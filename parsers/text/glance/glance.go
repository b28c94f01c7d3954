// Package glance looks at a text once and reports for every byte whether a line ends there, whether a terminal
// would show something else, and whether one of many short words may begin there. On amd64 with AVX2 it does so in
// assembly, elsewhere in plain Go.
//
// It promises that both give the same answers for every text (FuzzGlance, and TestGlance of package scan), and that
// it never misses the beginning of a word; it may report a beginning where there is no word. It compares at most
// four bytes of a word: its caller, package scan, compares the whole word. Package scan also says why there is
// assembly, with numbers. The build tag purego leaves the assembly out.
//
// What may go in: the assembly, its tables, and Plain, which the assembly is compared with. The meaning of words
// stays outside.
package glance

const (
	// Size is how many bytes of text one Sight describes.
	Size = 64
	// SeedSize is how many bytes of a word are compared. SeedSize-1 bytes of text must follow the last block.
	SeedSize = 4
	// SetSize is how many groups of words one set of tables tells apart.
	SetSize = 8
	// Sets is how many sets of tables there are. With one set, one place in 16 of an ordinary log is taken for a
	// word, with two sets one in 55; a third would take longer than it saves.
	Sets = 2
)

// Sight describes Size bytes of text with one bit per byte: whether a line ends there, whether the byte is odd
// (DEL, not ASCII, or a control character other than tab), and whether a word may begin there. Hit may be set where
// no word begins; it is always set where a word does.
type Sight struct{ Newline, Odd, Hit uint64 }

// Tables hold the words, each in one of SetSize × Sets groups. For each of SeedSize consecutive bytes there are two
// tables, indexed by the byte's low and high half, that give the groups with a word that has such a byte at that
// place. Where all answers contain the same group, one of its words may begin. (The method is known as Teddy, after
// the matcher in Hyperscan.)
type Tables struct {
	sets  [Sets]tables
	agree [256]uint64 // indexed by a byte: the groups that have this byte, for each of the places
}

// tables are indexed by place and by the low or high half of a byte. The assembly relies on this memory layout.
type tables struct{ low, high [SeedSize][16]byte }

// Add puts a word into a group; only its first SeedSize bytes count. Anything may follow a word shorter than that.
// With anyCase, its ASCII letters match in either case.
func (t *Tables) Add(word string, group int, anyCase bool) {
	set, bit := &t.sets[group/SetSize], byte(1)<<(group%SetSize)
	for k := range SeedSize {
		if k >= len(word) {
			for i := range 16 {
				set.low[k][i] |= bit
				set.high[k][i] |= bit
			}
			continue
		}
		c := word[k]
		set.low[k][c&15] |= bit
		set.high[k][c>>4] |= bit
		if l := c | 0x20; anyCase && 'a' <= l && l <= 'z' {
			set.high[k][c>>4^2] |= bit
		}
	}
}

// Prepare computes the table that Plain reads. Call it after the last Add.
func (t *Tables) Prepare() {
	for b := range t.agree {
		t.agree[b] = 0
		for k := range SeedSize {
			for i, set := range t.sets {
				t.agree[b] |= uint64(set.low[k][b&15]&set.high[k][b>>4]) << (SetSize * (Sets*k + i))
			}
		}
	}
}

// Look fills seen, one Sight per block of Size bytes of text. It reads SeedSize-1 bytes behind the last block,
// which must be there, and no more.
func (t *Tables) Look(text []byte, seen []Sight) {
	if len(seen) > 0 {
		_ = text[len(seen)*Size+SeedSize-2]
		t.look(text, seen)
	}
}

// Plain is Look in plain Go. Each sixteen bits of state say which groups agree up to one of the four places.
func (t *Tables) Plain(text []byte, seen []Sight) {
	for n := range seen {
		v := Sight{}
		var state uint64
		for i, b := range text[n*Size:][:Size+SeedSize-1] {
			state = (state<<(SetSize*Sets) | (1<<(SetSize*Sets) - 1)) & t.agree[b]
			if state>>(SetSize*Sets*(SeedSize-1)) != 0 {
				v.Hit |= 1 << (i - (SeedSize - 1))
			}
			if i >= Size {
				continue
			}
			if b == '\n' {
				v.Newline |= 1 << i
			} else if b < 0x20 && b != '\t' || b >= 0x7f {
				v.Odd |= 1 << i
			}
		}
		seen[n] = v
	}
}
