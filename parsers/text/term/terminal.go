package term

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Odd reports whether a line holds bytes that may need resolving: control characters, tabs included, and bytes that
// are not ASCII. It checks eight bytes at a time.
func Odd(line []byte) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	var seen uint64
	for ; len(line) >= 8; line = line[8:] {
		x := binary.LittleEndian.Uint64(line)
		del := x ^ 0x7f*ones
		seen |= x | (x-0x20*ones)&^x | (del-ones)&^del
	}
	for _, b := range line {
		if b < 0x20 || b >= 0x7f {
			return true
		}
	}
	return seen&high != 0
}

// Resolve returns a line as a terminal would show it: SGR, cursor and OSC sequences are removed (ECMA-48, 7-bit and
// 8-bit form), a carriage return starts over at column one, a backspace steps back, other control characters except
// tab are dropped, and each run of bytes that are not UTF-8 becomes one U+FFFD. Before that, it is decoded: see Decode.
// A sequence that is not closed on
// its line loses only its introducer, so that a stray escape does not hide an error. A line without any of these is
// returned as it is. The result has at most as many runes as the line has bytes, and resolving it again changes
// nothing.
func Resolve(line []byte) []byte {
	line = bytes.TrimRight(Decode(line), "\r")
	if Plain(line) {
		return line
	}
	if text, ok := StripColours(make([]byte, 0, len(line)), line); ok {
		return text
	}
	text := StripEscapes(line)
	for hasC1(text) { // removing a sequence can join bytes into a new one
		text = StripEscapes(text)
	}
	return overwrite(text)
}

// StripColours appends to text a line without its SGR sequences, which is all that most coloured lines need. It
// returns false if the rest is not plain text.
func StripColours(text, line []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(line, 0x1b)
		piece := line
		if i >= 0 {
			piece = line[:i]
		}
		if Odd(piece) && !Plain(piece) {
			return text, false
		}
		if text = append(text, piece...); i < 0 {
			return text, true
		}
		n := sgrLen(line[i+1:])
		if n == 0 {
			return text, false
		}
		line = line[i+1+n:]
	}
}

// sgrLen is the length of an SGR sequence without ESC, such as "[1;31m"; 0 for anything else.
func sgrLen(p []byte) int {
	if len(p) == 0 || p[0] != '[' {
		return 0
	}
	for i, b := range p[1:] {
		if b == 'm' {
			return i + 2
		}
		if (b < '0' || b > ';') && b != ' ' {
			break
		}
	}
	return 0
}

// Plain reports whether a line needs no resolving: printable ASCII, tabs and valid UTF-8.
func Plain(line []byte) bool {
	ascii := true
	for _, b := range line {
		if b < 0x20 && b != '\t' || b == 0x7f {
			return false
		}
		if b >= 0x80 {
			ascii = false
		}
	}
	return ascii || utf8.Valid(line) && !hasC1(line) && !bytes.HasPrefix(line, []byte(Mark))
}

// hasC1 reports whether valid UTF-8 holds one of the control characters U+0080 to U+009F.
func hasC1(line []byte) bool {
	for {
		i := bytes.IndexByte(line, 0xc2)
		if i < 0 || i+1 == len(line) {
			return false
		}
		if line[i+1] >= 0x80 && line[i+1] < 0xa0 {
			return true
		}
		line = line[i+1:]
	}
}

// Erase commands matter where a progress line is rewritten. StripEscapes turns them into these control characters,
// which it drops from the text itself, and overwrite carries them out.
const (
	eraseRight = 0x0b // CSI K: from the cursor to the end
	eraseLine  = 0x0c // CSI 2 K: the whole line
)

// StripEscapes removes escape sequences; text, \r, \b and erasures stay.
func StripEscapes(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); {
		switch b := line[i]; {
		case b == 0x1b:
			if i+1 == len(line) || line[i+1] < 0x20 || line[i+1] >= 0x7f {
				i++
				continue
			}
			out = appendMove(out, line[i+1], line[i+2:])
			i += 2 + SequenceLen(line[i+1], line[i+2:])
		case b == 0xc2 && i+1 < len(line) && line[i+1] >= 0x80 && line[i+1] < 0xa0: // C1: ESC and a letter in one character
			out = appendMove(out, line[i+1]-0x40, line[i+2:])
			i += 2 + SequenceLen(line[i+1]-0x40, line[i+2:])
		case b == '\t' || b == '\r' || b == '\b' || b >= 0x20 && b != 0x7f:
			end := i + 1
			for end < len(line) && line[end] >= 0x20 && line[end] < 0x7f {
				end++
			}
			out = append(out, line[i:end]...)
			i = end
		default:
			i++
		}
	}
	return out
}

// appendMove appends what a control sequence does to the line: an erasure, a carriage return for a move to column
// one, blanks that the cursor jumps over.
func appendMove(out []byte, kind byte, p []byte) []byte {
	if kind != '[' {
		return out
	}
	n := CsiLen(p)
	if n == 0 || p[n-1] == 'm' { // most sequences are colours
		return out
	}
	params := string(p[:n-1])
	switch p[n-1] {
	case 'K':
		switch params {
		case "", "0":
			return append(out, eraseRight)
		case "2":
			return append(out, eraseLine)
		}
	case 'G':
		if params == "" || params == "0" || params == "1" {
			return append(out, '\r')
		}
	case 'C':
		return append(out, ' ')
	}
	return out
}

// SequenceLen is how many bytes of p belong to the escape sequence that begins with ESC and the byte kind.
func SequenceLen(kind byte, p []byte) int {
	switch kind {
	case '[':
		return CsiLen(p)
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC: up to BEL or ST
		return stringLen(p)
	case '(', ')', '*', '+', '-', '.', '/', '#', '%', ' ':
		return min(1, len(p))
	}
	return 0
}

// CsiLen is the length of a CSI's parameters and final byte at the start of p; 0 if p holds no complete one.
func CsiLen(p []byte) int {
	for i, b := range p {
		if b >= 0x40 && b <= 0x7e {
			return i + 1
		}
		if b < 0x20 || b >= 0x7f {
			break
		}
	}
	return 0 // not a CSI, or incomplete: keep the bytes
}

// stringLen is the length of a control string with its end (BEL, or ST in either form); 0 if it does not end in p.
func stringLen(p []byte) int {
	for i, b := range p {
		switch {
		case b == 0x07:
			return i + 1
		case b == 0x1b:
			if i+1 < len(p) && p[i+1] == '\\' {
				return i + 2
			}
			return 0
		case b == 0xc2 && i+1 < len(p) && p[i+1] == 0x9c:
			return i + 2
		}
	}
	return 0
}

// overwrite carries out \r, \b and erasures, column by column.
func overwrite(line []byte) []byte {
	if !utf8.Valid(line) {
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	if !bytes.ContainsAny(line, "\r\b\x0b\x0c") {
		return line
	}
	var cells []rune
	col, cleared := 0, false
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
			cleared = true
		case col < len(cells):
			cells[col] = r
			col++
		default:
			cells = append(cells, r)
			col++
		}
	}
	if cleared {
		return bytes.TrimRight([]byte(string(cells)), " ")
	}
	return []byte(string(cells))
}

func clearCells(cells []rune) {
	for i := range cells {
		cells[i] = ' '
	}
}
