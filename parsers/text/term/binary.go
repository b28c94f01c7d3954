package term

import (
	"fmt"
	"unicode/utf8"
)

// IsBinary says that a line is not text in any encoding that is read here: a
// fifth of it is control characters or no UTF-8, or most of it NUL. Single
// bytes of Latin-1 do not make it so, nor do the NULs of UTF-16. It reads no
// further than it needs to be sure that it is.
func IsBinary(line []byte) bool {
	var bad, nul int
	for i := 0; i < len(line); {
		if b := line[i]; ' ' <= b && b < 0x7f {
			i++
			continue
		}
		n, kind := oddByte(line[i:])
		i += n
		switch kind {
		case oddNUL:
			nul++
		case oddBad:
			if bad++; bad >= 4 && bad*5 > len(line) {
				return true
			}
		}
	}
	return bad >= 4 && bad*5 > len(line)-nul || nul >= 4 && nul*5 > len(line)*3
}

type oddity uint8

const (
	oddText oddity = iota // UTF-8, or a control character that text has
	oddNUL
	oddBad
)

// oddByte judges the first character of text that is not printable ASCII, and
// gives its length.
func oddByte(text []byte) (n int, kind oddity) {
	switch b := text[0]; {
	case b == 0:
		return 1, oddNUL
	case b == '\t', b == '\r', b == '\b', b == 0x1b, b == 0x07:
		return 1, oddText
	case b < 0xc2, b > 0xf4: // controls, and what begins no character (Unicode 3.9, table 3-7)
		return 1, oddBad
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return 1, oddBad
	}
	return n, oddText
}

// Summary stands for a binary line: its size, with so many bytes beyond line, and
// the text around an alarm that it holds.
func Summary(line []byte, beyond int64, alarm int) ([]byte, int) {
	size := fmt.Appendf(nil, "[%d bytes, not text]", int64(len(line))+beyond)
	if alarm < 0 {
		return size, -1
	}
	from, to := alarm, alarm
	for from > 0 && printable(line[from-1]) && alarm-from < MaxShown/4 {
		from--
	}
	for to < len(line) && printable(line[to]) && to-alarm < MaxShown/2 {
		to++
	}
	return append(append(size, ' '), line[from:to]...), len(size) + 1 + alarm - from
}

func printable(b byte) bool { return b >= 0x20 && b < 0x7f }

// MaxShown is how much of one line is shown where the output has many, in bytes.
const MaxShown = 400
