// Package glance looks at a text once and says of every byte of it whether a line ends
// there, whether a terminal would show something else, and whether one of many short
// words may begin there. On amd64 with AVX2 it does so in assembly, elsewhere in plain
// Go.
//
// It promises that both say the same of every text (FuzzGlance, and TestGlance of
// package scan), and that a word which begins somewhere is never passed over; that a
// word begins where none does it may say. It knows up to four bytes of a word: what
// stands there in full is for its caller, package scan, which also says why there is
// assembly, with numbers. The build tag purego leaves the assembly out.
//
// What may go in: the assembly, its tables, and Plain, which is what the assembly is
// compared with. What words mean stays outside.
package glance

const (
	// Size is how many bytes of text one Sight is of.
	Size = 64
	// SeedSize is how many bytes of a word are looked at, and how many bytes of text
	// less one must follow the last block.
	SeedSize = 4
	// SetSize is how many groups of words a set of tables tells apart.
	SetSize = 8
	// Sets is how many sets of tables there are. With one, one place in 16 of an
	// ordinary log is taken for a word, with two one in 55; a third set would take
	// longer than it saves.
	Sets = 2
)

// Sight is what is known of Size bytes of text, a bit for each byte: whether a line
// ends there, whether the byte is odd (a control character but a tab, DEL, or not
// ASCII), and whether a word may begin there. Hit may be set where no word begins; it
// is always set where one does.
type Sight struct{ Newline, Odd, Hit uint64 }

// Tables hold the words. Each belongs to one of SetSize × Sets groups. For each of
// SeedSize consecutive bytes there are two tables, for its low and its high half, that
// give the groups in which some word has such a byte at that place. Where the same
// group is in all answers, one of its words may begin. (The method is known as Teddy,
// after the matcher in Hyperscan.)
type Tables struct {
	sets  [Sets]tables
	agree [256]uint64 // of a byte: the groups that have it at each of the places
}

// tables are indexed by place and by the low or high half of a byte. The assembly
// knows where each of them lies.
type tables struct{ low, high [SeedSize][16]byte }

// Add puts a word into a group; only its first SeedSize bytes count. A shorter word may
// be followed by anything. With anyCase its ASCII letters are meant in either case.
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

// Prepare makes what Plain reads, once all words are known.
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

// Look fills seen from as many blocks of text, of which SeedSize-1 bytes more are
// there. It looks no further than that.
func (t *Tables) Look(text []byte, seen []Sight) {
	if len(seen) > 0 {
		_ = text[len(seen)*Size+SeedSize-2]
		t.look(text, seen)
	}
}

// Plain is Look in plain Go. A state's four parts of sixteen bits say which groups
// agree up to each place.
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
