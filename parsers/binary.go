package parsers

import (
	"fmt"
	"unicode/utf8"
)

// isBinary says that a line is not text in any encoding that is read here: a
// fifth of it is control characters or no UTF-8, or most of it NUL. Single
// bytes of Latin-1 do not make it so, nor do the NULs of UTF-16.
func isBinary(line []byte) bool {
	var bad, nul int
	for i := 0; i < len(line); {
		b := line[i]
		if b < utf8.RuneSelf {
			switch {
			case b == 0:
				nul++
			case b < 0x20 && b != '\t' && b != '\r' && b != '\b' && b != 0x1b && b != 0x07, b == 0x7f:
				bad++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		i += n
	}
	return bad >= 4 && bad*5 > len(line)-nul || nul >= 4 && nul*5 > len(line)*3
}

// summary stands for a binary line: its size, and the text around an alarm
// that it holds.
func summary(line []byte, alarm int) ([]byte, int) {
	size := fmt.Appendf(nil, "[%d bytes, not text]", len(line))
	if alarm < 0 {
		return size, -1
	}
	from, to := alarm, alarm
	for from > 0 && printable(line[from-1]) && alarm-from < maxShown/4 {
		from--
	}
	for to < len(line) && printable(line[to]) && to-alarm < maxShown/2 {
		to++
	}
	return append(append(size, ' '), line[from:to]...), len(size) + 1 + alarm - from
}

func printable(b byte) bool { return b >= 0x20 && b < 0x7f }
