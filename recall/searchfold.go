package recall

import (
	"bytes"
	"strings"
	"unicode"
)

// matcher returns a function that says whether a string contains text. Case matters only if text has a capital letter.
func matcher(text string) func(string) bool {
	if strings.IndexFunc(text, unicode.IsUpper) >= 0 {
		return func(s string) bool { return strings.Contains(s, text) }
	}
	return func(s string) bool { return strings.Contains(s, text) || strings.Contains(strings.ToLower(s), text) }
}

// rarest is the index of the rarest letter of text, by the frequencies of English;
// digits and signs count as rare. It is -1 if a search for bytes could miss what a
// case-insensitive search finds: if text is not ASCII, or has only the letters i and k,
// to which some letters beyond ASCII fold.
func rarest(text string) int {
	const common = "qjxz_vwbpygfumhdclrsnoate" // rarest first; without i and k
	best, at := len(common), -1
	for i := range len(text) {
		c := text[i]
		if c >= unicode.MaxASCII {
			return -1
		}
		rank := strings.IndexByte(common, c)
		switch {
		case c == ' ':
			rank = len(common) - 1
		case c == 'i' || c == 'k':
			continue
		case rank < 0:
			rank = 0 // digits and signs
		}
		if rank < best {
			best, at = rank, i
		}
	}
	return at
}

// eachFold calls each with every offset near which the ASCII text may be, in any case.
// It looks for the letter text[rare]; where there are other bytes than ASCII around, it
// reports the offset unchecked, so the caller has to check.
func eachFold(in []byte, text string, rare int, each func(at int)) {
	letters := []byte{text[rare]}
	if up := text[rare] &^ 0x20; text[rare] >= 'a' && text[rare] <= 'z' {
		letters = append(letters, up)
	}
	for _, letter := range letters {
		for at := 0; ; at++ {
			i := bytes.IndexByte(in[at:], letter)
			if i < 0 {
				break
			}
			at += i
			if begin := at - rare; begin >= 0 && begin+len(text) <= len(in) && mayEqual(in[begin:begin+len(text)], text) {
				each(at)
			} else if wide(in[max(0, at-3*rare):min(len(in), at+3*len(text))]) {
				each(at)
			}
		}
	}
}

// mayEqual says whether b equals an ASCII text that has no capital letters, in any case.
func mayEqual(b []byte, text string) bool {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != text[i] {
			return false
		}
	}
	return true
}

// wide says whether b has a byte beyond ASCII.
func wide(b []byte) bool {
	for _, c := range b {
		if c >= unicode.MaxASCII {
			return true
		}
	}
	return false
}
