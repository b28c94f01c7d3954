package parsers

import (
	"bytes"
	"unicode/utf8"
)

// resolve gives a line as a terminal would show it: SGR, cursor and OSC
// sequences are gone (ECMA-48), a carriage return starts over at column one,
// a backspace steps back, other control characters but tab are dropped, and
// bytes that are not UTF-8 become U+FFFD. A line without any of these is
// returned as it is.
func resolve(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if plain(line) {
		return line
	}
	return overwrite(stripEscapes(line))
}

// plain says that a line needs no work: printable ASCII, tabs, valid UTF-8.
func plain(line []byte) bool {
	ascii := true
	for _, b := range line {
		if b < 0x20 && b != '\t' || b == 0x7f {
			return false
		}
		if b >= 0x80 {
			ascii = false
		}
	}
	return ascii || utf8.Valid(line) && !bytes.Contains(line, []byte{0xc2, 0x9b})
}

// Erase commands matter where a progress line is rewritten; between the two
// passes they stand as control characters that stripEscapes lets through from
// nowhere else.
const (
	eraseRight = 0x0b // CSI K: from the cursor to the end
	eraseLine  = 0x0c // CSI 2 K: the whole line
)

// stripEscapes removes escape sequences and leaves \r, \b, erasures and text.
func stripEscapes(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); {
		switch b := line[i]; {
		case b == 0x1b:
			n := escapeLen(line[i:])
			out = appendErase(out, line[i:i+n])
			i += n
		case b == 0xc2 && i+1 < len(line) && line[i+1] == 0x9b: // CSI as one C1 character
			i += 2 + csiLen(line[i+2:])
		case b == '\t' || b == '\r' || b == '\b' || b >= 0x20 && b != 0x7f:
			out = append(out, b)
			i++
		default:
			i++
		}
	}
	return out
}

func appendErase(out, seq []byte) []byte {
	switch string(seq) {
	case "\x1b[K", "\x1b[0K":
		return append(out, eraseRight)
	case "\x1b[2K":
		return append(out, eraseLine)
	}
	return out
}

// escapeLen is the length of the escape sequence that p begins with.
func escapeLen(p []byte) int {
	if len(p) < 2 {
		return 1
	}
	switch p[1] {
	case '[':
		return 2 + csiLen(p[2:])
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC: up to BEL or ST
		return 2 + stringLen(p[2:])
	case '(', ')', '*', '+', '-', '.', '/', '#', '%', ' ':
		return min(3, len(p))
	}
	return 2
}

// csiLen is the length of the parameters and the final byte of a CSI.
func csiLen(p []byte) int {
	for i, b := range p {
		if b >= 0x40 && b <= 0x7e {
			return i + 1
		}
		if b < 0x20 || b >= 0x80 { // not a CSI after all: keep what follows
			return i
		}
	}
	return len(p)
}

func stringLen(p []byte) int {
	for i, b := range p {
		if b == 0x07 {
			return i + 1
		}
		if b == 0x1b {
			if i+1 < len(p) && p[i+1] == '\\' {
				return i + 2
			}
			return i
		}
	}
	return len(p)
}

// overwrite plays \r, \b and erasures on the text, column by column.
func overwrite(line []byte) []byte {
	if !utf8.Valid(line) {
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	if !bytes.ContainsAny(line, "\r\b\x0b\x0c") {
		return line
	}
	var cells []rune
	col := 0
	for _, r := range string(line) {
		switch {
		case r == '\r':
			col = 0
		case r == '\b':
			col = max(0, col-1)
		case r == eraseRight:
			cells = cells[:min(col, len(cells))]
		case r == eraseLine:
			clearCells(cells)
		case col < len(cells):
			cells[col] = r
			col++
		default:
			cells = append(cells, r)
			col++
		}
	}
	return bytes.TrimRight([]byte(string(cells)), " ")
}

func clearCells(cells []rune) {
	for i := range cells {
		cells[i] = ' '
	}
}
