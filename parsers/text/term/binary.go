package term

import (
	"fmt"
	"unicode/utf8"
)

// IsBinary reports whether a line is not text in any encoding that is read here: at least a fifth of it is control
// characters or invalid UTF-8, or most of it NUL. Single bytes of Latin-1 do not make a line binary, nor do the
// NULs of UTF-16. It stops reading as soon as it is sure.
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
	oddText oddity = iota // UTF-8, or a control character that occurs in text
	oddNUL
	oddBad
)

// oddByte classifies the first character of text, which is not printable ASCII, and returns its length.
func oddByte(text []byte) (n int, kind oddity) {
	switch b := text[0]; {
	case b == 0:
		return 1, oddNUL
	case b == '\t', b == '\r', b == '\b', b == 0x1b, b == 0x07:
		return 1, oddText
	case b < 0xc2, b > 0xf4: // controls, and bytes that begin no character (Unicode 3.9, table 3-7)
		return 1, oddBad
	}
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n == 1 {
		return 1, oddBad
	}
	return n, oddText
}

// Summary describes a binary line: its size, which includes beyond bytes that are not in line, and the text around
// the alarm at index alarm (-1: none). It returns where the alarm is in the summary.
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

// MaxShown is how many bytes of one line are shown if the output has many lines.
const MaxShown = 400
