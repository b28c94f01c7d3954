package redact

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A view is a text as a reader sees it: without escape sequences and invisible characters, with ASCII characters in
// place of \u0041, \x41, %41 or &#65;, and with long words joined that were broken at the edge of a terminal. A token
// that is split by any of these is whole in the view. The view knows the position of its bytes in the text.
type view struct {
	s      string
	pieces []piece
}

// A piece is a stretch of a view whose bytes are contiguous in the text from raw on, or one byte that takes width bytes
// there.
type piece struct {
	at, raw int
	width   int // 0: each byte takes one byte in the text
}

// viewOf returns the view of s, or nil if the view would be equal to s.
func viewOf(s string) *view {
	at := seeker{s: s}
	first := at.next(0)
	if first < 0 {
		return nil
	}
	var v view
	var b strings.Builder
	v.pieces = append(v.pieces, piece{})
	from := 0
	for i := first; i >= 0; {
		n, shown := 1, byte(0)
		if s[i] != '\n' {
			n, shown = hidden(s, i)
		}
		if n == 0 {
			i = at.next(i + 1)
			continue
		}
		if b.Cap() == 0 {
			b.Grow(len(s))
		}
		b.WriteString(s[from:i])
		if shown != 0 {
			v.pieces = append(v.pieces, piece{at: b.Len(), raw: i, width: n})
			b.WriteByte(shown)
		}
		from = i + n
		v.pieces = append(v.pieces, piece{at: b.Len(), raw: from})
		i = at.next(from)
	}
	if from == 0 {
		return nil
	}
	b.WriteString(s[from:])
	v.s = b.String()
	return &v
}

// foldWidths are widths of terminals at which programs break lines, and one less; leastFold is the least of them.
var foldWidths = [...]int{leastFold, 80, 100, 120, 132}

const leastFold = 79

// minFolded is the least length of a word that counts as broken at the end of a line, in bytes.
const minFolded = 20

// breaksWord says whether the line feed at s[at], after width bytes, broke a long word at the edge of a terminal.
func breaksWord(s string, at, width int) bool {
	if !slices.Contains(foldWidths[:], width) {
		return false
	}
	start, stop := at, at+1
	for start > 0 && at-start < minFolded && (isToken(s[start-1]) || s[start-1] == '.') {
		start--
	}
	for stop < len(s) && stop-at < minFolded && (isToken(s[stop]) || s[stop] == '.') {
		stop++
	}
	return start < at && stop > at+1 && stop-start > minFolded && (hasLetterAndDigit(s[start:at]) || hasLetterAndDigit(s[at:stop]))
}

// raw returns where the bytes of s[start:end] of the view, which is not empty, are in the text.
func (v *view) raw(start, end int) (int, int) {
	p, q := v.piece(start), v.piece(end-1)
	if q.width > 0 {
		return p.raw + start - p.at, q.raw + q.width
	}
	return p.raw + start - p.at, q.raw + end - q.at
}

// piece is the last piece that begins at i or before: if several begin at i, all but the last are empty.
func (v *view) piece(i int) piece {
	return v.pieces[sort.Search(len(v.pieces), func(k int) bool { return v.pieces[k].at > i })-1]
}

// cutAt says whether the view left something out before its byte i.
func (v *view) cutAt(i int) bool { return v.piece(i).at == i }

// mayHide marks the bytes at which hidden text can begin, and the byte that ends a line.
var mayHide = func() (set [256]uint8) {
	for c := range set {
		switch {
		case c == '\n':
			set[c] = ends
		case c < ' ' && !isSpace(byte(c)), c == 0x7f, c == '\\', c == '%', c == '&',
			c == 0xc2, c == 0xcd, c == 0xd8, c == 0xe1, c == 0xe2, c == 0xef, c == 0xf3:
			set[c] = hides
		}
	}
	return set
}()

const hides, ends = 1, 2

// A seeker searches a text, from beginning to end, for what a view leaves out or replaces.
type seeker struct {
	s    string
	line int // where the current line begins
}

// next returns the first position from `from` on where hidden text can begin or a line feed breaks a word, or -1.
// Nearly every text has none, so eight bytes are checked at once.
func (k *seeker) next(from int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	s, i := k.s, from
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		slash, per, amp := w^'\\'*ones, w^'%'*ones, w^'&'*ones
		control, backslash, del := (w-' '*ones)&^w, (slash-ones)&^slash, w+ones // the high bits tell; each may report too much, never too little
		percent, ampersand := (per-ones)&^per, (amp-ones)&^amp
		if (w|control|backslash|del|percent|ampersand)&highs == 0 {
			continue
		}
		for j := range 8 {
			switch mayHide[b[j]] {
			case hides:
				return i + j
			case ends:
				if k.breaks(i + j) {
					return i + j
				}
			}
		}
	}
	for ; i < len(s); i++ {
		if kind := mayHide[s[i]]; kind == hides || kind == ends && k.breaks(i) {
			return i
		}
	}
	return -1
}

// breaks says whether the line feed at s[i] breaks a word, and notes that the next line begins.
func (k *seeker) breaks(i int) bool {
	width := i - k.line
	k.line = i + 1
	return width >= leastFold && breaksWord(k.s, i, width)
}

// hidden returns how many bytes at s[i] a reader does not see, or sees as the byte shown.
func hidden(s string, i int) (n int, shown byte) {
	switch c := s[i]; {
	case c == '\x1b':
		return escapeLength(s, i+1) + 1, 0
	case c == '\\':
		return written(s, i)
	case c == '%':
		if r, _ := hexRune(s, i+1, 2); ' ' < r && r < 0x7f {
			if again, _ := hexRune(s, i+3, 2); r == '%' && ' ' < again && again < 0x7f {
				return len("%2541"), byte(again)
			}
			return len("%41"), byte(r)
		}
	case c == '&':
		return entity(s, i)
	case c == 0: // between the bytes of UTF-16 it is invisible, elsewhere it separates
		if i >= 2 && s[i-2] == 0 || i+2 < len(s) && s[i+2] == 0 {
			return 1, 0
		}
	case c < ' ' || c == 0x7f:
		return 1, 0
	default:
		if r, size := utf8.DecodeRuneInString(s[i:]); invisible(r) {
			return size, 0
		}
	}
	return 0, 0
}

// invisible says whether r has no shape and takes no room.
func invisible(r rune) bool {
	return unicode.Is(unicode.Cf, r) || 0x80 <= r && r < 0xa0 || r == 0x034f || 0xfe00 <= r && r <= 0xfe0f
}

// Bounds of escape sequences, in bytes: longer ones are text.
const (
	maxCSI = 64
	maxOSC = 2048
)

// escapeLength is the length of an escape sequence that continues at s[i], after its ESC.
func escapeLength(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s[i] {
	case '[':
		for j := i + 1; j < len(s) && j-i < maxCSI; j++ {
			if '@' <= s[j] && s[j] <= '~' {
				return j + 1 - i
			}
			if s[j] < ' ' {
				break
			}
		}
	case ']', 'P', '_', '^':
		for j := i + 1; j < len(s) && j-i < maxOSC && s[j] != '\n'; j++ {
			if n := endsString(s[j:]); n > 0 {
				return j + n - i
			}
		}
	}
	return 0
}

// endsString returns the length of the end of an escape string (OSC, DCS) at the beginning of s: BEL, or ESC and a
// backslash, raw or written out.
func endsString(s string) int {
	if s[0] == '\a' {
		return 1
	}
	if s[0] != '\x1b' && s[0] != '\\' {
		return 0
	}
	for _, esc := range escapes {
		if rest, ok := strings.CutPrefix(s, esc); ok {
			return len(s) - len(strings.TrimLeft(rest, "\\"))
		}
	}
	if strings.HasPrefix(s, `\u0007`) {
		return len(`\u0007`)
	}
	return 0
}

// maxBackslashes bounds the backslashes of a repeatedly escaped character, which double each time.
const maxBackslashes = 8

// written reads a character that is written out at s[i]: \u200b, \\u200b in JSON in JSON, \x41, \/. A written escape
// byte is read with its whole sequence.
func written(s string, i int) (n int, shown byte) {
	j := i
	for j < len(s) && s[j] == '\\' && j-i < maxBackslashes {
		j++
	}
	if j >= len(s) {
		return 0, 0
	}
	var r rune
	switch s[j] {
	case '/':
		return j + 1 - i, '/'
	case '\n': // a line that continues in the middle of a word
		if i > 0 && isToken(s[i-1]) && j+1 < len(s) && isToken(s[j+1]) {
			return j + 1 - i, 0
		}
		return 0, 0
	case 'u':
		r, n = hexRune(s, j+1, 4)
	case 'x':
		r, n = hexRune(s, j+1, 2)
	case '0':
		if strings.HasPrefix(s[j:], "033[") {
			r, n = '\x1b', 2
		}
	case 'e':
		if strings.HasPrefix(s[j:], "e[") {
			r, n = '\x1b', 0
		}
	}
	n += j + 1 - i
	switch {
	case r == '\x1b':
		return n + escapeLength(s, i+n), 0
	case ' ' <= r && r < 0x7f:
		return n, byte(r)
	case r != 0 && !unicode.IsSpace(r) && (r < ' ' || invisible(r)):
		return n, 0
	}
	return 0, 0
}

// entities are the characters that HTML and XML name and that may be next to a secret.
var entities = [...]struct {
	name  string
	shown byte
}{{"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&equals;", '='}, {"&colon;", ':'}}

// entity reads a character that is written at s[i] as in HTML or XML: &quot;, &#34;, &#x22;.
func entity(s string, i int) (n int, shown byte) {
	for _, e := range entities {
		if strings.HasPrefix(s[i:], e.name) {
			return len(e.name), e.shown
		}
	}
	if !strings.HasPrefix(s[i:], "&#") {
		return 0, 0
	}
	j, base := i+len("&#"), rune(10)
	if j < len(s) && lower(s[j]) == 'x' {
		j, base = j+1, 16
	}
	var r rune
	for from := j; j < len(s) && j-from < len("x007e") && isHex(s[j]) && (base == 16 || isDigit(s[j])); j++ {
		digit := rune(s[j] - '0')
		if !isDigit(s[j]) {
			digit = rune(lower(s[j])-'a') + 10
		}
		r = r*base + digit
	}
	if j < len(s) && s[j] == ';' && ' ' < r && r < 0x7f {
		return j + 1 - i, byte(r)
	}
	return 0, 0
}

// hexRune reads the n hexadecimal digits at s[i]; size is 0 if there are fewer.
func hexRune(s string, i, n int) (r rune, size int) {
	if i+n > len(s) {
		return 0, 0
	}
	for _, c := range []byte(s[i : i+n]) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case isHex(c):
			r = r<<4 | rune(lower(c)-'a'+10)
		default:
			return 0, 0
		}
	}
	return r, n
}
