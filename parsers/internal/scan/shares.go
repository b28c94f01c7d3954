package scan

import (
	"sync"

	"cairn/parsers/read/lex"
)

// group is what the tables hold of one group of words: at each place, the low and
// the high halves of its bytes. Bytes that are not ASCII are too rare to matter.
type group struct {
	low  [seedSize]uint16
	high [seedSize]uint8
}

func (p *group) add(four string, anyCase bool) {
	for k := range seedSize {
		if k >= len(four) { // a short word: anything may follow
			p.low[k], p.high[k] = 0xffff, 0xff
			continue
		}
		c := four[k]
		p.low[k] |= 1 << (c & 15)
		p.high[k] |= 1 << (c >> 4 & 7)
		if anyCase && lex.Letter(c) != 0 {
			p.high[k] |= 1 << (c>>4&7 ^ 2)
		}
	}
}

// volume is how much of ordinary text passes for a word of the group: of each place,
// the shares of the bytes that may stand there.
func (p *group) volume() int {
	n, rows := 1, rows()
	for k := range seedSize {
		sum := 0
		for h := range rows {
			if p.high[k]>>h&1 != 0 {
				sum += int(rows[h][0][p.low[k]&0xff] + rows[h][1][p.low[k]>>8])
			}
		}
		n *= sum
	}
	return n
}

// shares say how common each byte is in what programs print, roughly, in parts of
// some thousand.
var shares = [...]struct {
	share uint16
	bytes string
}{
	{110, " "}, {60, "e"}, {45, "taoinsr"}, {25, "lcdpmu"}, {20, "0123456789./-_:=fgh"}, {12, "bvwkyx,[]()"}, {6, "qjzACDEINORST"},
	{3, "\t\"'<>#@%*+;|BFGHJKLMPQUVWXYZ!?&{}$~^`\\"},
}

// rows are the sums of shares: by the high half of the bytes, by whether the low
// half is below eight, and by the set of low halves. They are made when words are
// learnt: a program that starts does not wait for them.
var rows = sync.OnceValue(func() *[8][2][256]uint16 {
	var of [8][2][256]uint16
	for _, s := range shares {
		for _, c := range []byte(s.bytes) {
			half, bit := &of[c>>4][c>>3&1], 1<<(c&7)
			for set := range half {
				if set&bit != 0 {
					half[set] += s.share
				}
			}
		}
	}
	return &of
})
