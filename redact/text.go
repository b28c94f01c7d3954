package redact

import (
	"math"
	"slices"
	"strings"
)

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { c = lower(c); return 'a' <= c && c <= 'z' }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }
func isWord(c byte) bool   { return isAlnum(c) || c == '_' }
func isSpace(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' }
func isQuote(c byte) bool  { return c == '"' || c == '\'' || c == '`' }
func isHex(c byte) bool    { c = lower(c); return isDigit(c) || 'a' <= c && c <= 'f' }

// isToken says whether c is a byte of base64, of its URL form, or of common tokens.
func isToken(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '-' || c == '=' }

// hasPrefixFold says whether s begins with the lower-case word, ignoring the case of ASCII letters.
func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) || lower(s[len(word)-1]) != word[len(word)-1] { // a quick check: most texts differ at the word's last byte
		return false
	}
	for i := range len(word) {
		if lower(s[i]) != word[i] {
			return false
		}
	}
	return true
}

// containsFold is strings.Contains for a short s and a lower-case word.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if hasPrefixFold(s[i:], word) {
			return true
		}
	}
	return false
}

// containsAnyFold is containsFold for any of the words.
func containsAnyFold(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return containsFold(s, w) })
}

// startsWord says whether a word begins at s[i]. In program output a word also begins after an escape: a colour, the \n
// of a JSON string, the %3D of a URL.
func startsWord(s string, i int) bool {
	if i == 0 || !isWord(s[i-1]) {
		return true
	}
	c := s[i-1]
	switch {
	case i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbfv", c) >= 0:
		return true
	case isHex(c) && (escapeBefore(s, i, 2, "%") || escapeBefore(s, i, 2, `\x`) || escapeBefore(s, i, 4, `\u`)):
		return true
	}
	return c == 'm' && endsColour(s, i-1)
}

// escapeBefore says whether s[:i] ends with lead and n hexadecimal digits.
func escapeBefore(s string, i, n int, lead string) bool {
	if i < n+len(lead) || s[i-n-len(lead):i-n] != lead {
		return false
	}
	for _, c := range []byte(s[i-n : i]) {
		if !isHex(c) {
			return false
		}
	}
	return true
}

// endsColour says whether the 'm' at s[i] ends an SGR sequence, raw or with its escape byte written out.
func endsColour(s string, i int) bool {
	j := i
	for j > 0 && i-j < maxColour && (isDigit(s[j-1]) || s[j-1] == ';') {
		j--
	}
	if j < 2 || s[j-1] != '[' {
		return false
	}
	before := s[max(0, j-7) : j-1]
	return slices.ContainsFunc(escapes[:], func(esc string) bool { return strings.HasSuffix(before, esc) })
}

// maxColour bounds the parameters of an SGR sequence that are read, in bytes.
const maxColour = 24

// escapes are the spellings of the escape byte.
var escapes = [...]string{"\x1b", `\u001b`, `\u001B`, `\x1b`, `\x1B`, `\033`, `\e`}

// colour returns the length of the SGR sequence at s[i], 0 without one.
func colour(s string, i int) int {
	if i >= len(s) || s[i] != '\x1b' && s[i] != '\\' {
		return 0
	}
	for _, esc := range escapes {
		if !strings.HasPrefix(s[i:], esc+"[") {
			continue
		}
		j := i + len(esc) + 1
		for j < len(s) && j-i < maxColour+8 && (isDigit(s[j]) || s[j] == ';') {
			j++
		}
		if j < len(s) && s[j] == 'm' {
			return j + 1 - i
		}
	}
	return 0
}

// entropy is Shannon's entropy in bits per byte. gitleaks counts runes instead; secrets are ASCII.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// hashLike says whether v has the form of a digest or a UUID. These are identities, and secrets only if their name says
// so.
func hashLike(v string) bool {
	switch len(v) {
	case 32, 40, 56, 64, 96, 128:
		return strings.IndexFunc(v, func(c rune) bool { return c > 127 || !isHex(byte(c)) }) < 0
	case 36:
		return isUUID(v)
	}
	return false
}

func isUUID(v string) bool {
	for i := range len(v) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if v[i] != '-' {
				return false
			}
		} else if !isHex(v[i]) {
			return false
		}
	}
	return len(v) == 36
}

// A matcher finds any of many words in a text in one pass, ignoring the case of ASCII letters. It looks up the last
// three bytes, folded to five bits each, in a bitmap of 4 KB that stays in the first-level cache; words are compared
// only if that bit is set. Words have at least three bytes, in lower case. Building one for 500 words takes about ten
// microseconds.
type matcher struct {
	fold  [256]uint8
	bits  [1 << 15 / 64]uint64
	heads [1 << 10]uint16 // 1 + the first word of a bucket; 0 means none
	next  []uint16        // 1 + the word after this one in its bucket
	begin []uint16        // the hash of each word's first three bytes: several share a bucket
	words []string
}

func newMatcher(words []string) *matcher {
	both := make([]uint16, 2*len(words))
	m := &matcher{words: words, next: both[:len(words)], begin: both[len(words):]}
	for c := range 256 {
		m.fold[c] = foldedByte(byte(c))
	}
	for i, w := range words {
		h := m.hash(w, 0)
		m.bits[h>>6] |= 1 << (h & 63)
		bucket := &m.heads[bucketOf(h)]
		m.next[i], *bucket = *bucket, uint16(i+1)
		m.begin[i] = uint16(h)
	}
	return m
}

// foldedByte maps each letter and each byte of identifiers to a number of its own; all other bytes share one.
func foldedByte(c byte) uint8 {
	switch c = lower(c); {
	case 'a' <= c && c <= 'z':
		return c - 'a' + 1
	case '0' <= c && c <= '9':
		return 27
	case c == '_':
		return 28
	case c == '-':
		return 29
	case c == '.':
		return 30
	case c == ':' || c == '/' || c == '<' || c == '"' || c == '~' || c == '@':
		return 31
	}
	return 0
}

func (m *matcher) hash(s string, i int) uint32 {
	return uint32(m.fold[s[i]])<<10 | uint32(m.fold[s[i+1]])<<5 | uint32(m.fold[s[i+2]])
}

func bucketOf(h uint32) uint32 { return (h * 0x9E3779B1) >> 22 }

// candidate returns the first position from `from` on at which a word may begin, or -1, and the hash there.
func (m *matcher) candidate(s string, from int) (int, uint16) {
	if from+3 > len(s) {
		return -1, 0
	}
	h := uint32(m.fold[s[from]])<<5 | uint32(m.fold[s[from+1]])
	for i := from + 2; i < len(s); i++ {
		h = h<<5 | uint32(m.fold[s[i]]) // the low 15 bits count
		if m.bits[h>>6&(1<<9-1)]&(1<<(h&63)) != 0 {
			return i - 2, uint16(h & (1<<15 - 1))
		}
	}
	return -1, 0
}

// first returns 1 + the index of the first word whose first three bytes have the hash h; after returns the others; 0
// ends the list.
func (m *matcher) first(h uint16) uint16 { return m.skip(m.heads[bucketOf(uint32(h))], h) }

func (m *matcher) after(w uint16) uint16 { return m.skip(m.next[w-1], m.begin[w-1]) }

// skip returns w or the next word of its bucket that has the hash h.
func (m *matcher) skip(w, h uint16) uint16 {
	for w != 0 && m.begin[w-1] != h {
		w = m.next[w-1]
	}
	return w
}

// contains says whether any of the words occurs in s.
func (m *matcher) contains(s string) bool {
	for i, h := m.candidate(s, 0); i >= 0; i, h = m.candidate(s, i+1) {
		for w := m.first(h); w != 0; w = m.after(w) {
			if hasPrefixFold(s[i:], m.words[w-1]) {
				return true
			}
		}
	}
	return false
}
