package recall

import (
	"bytes"
	"strings"
	"unicode"
)

// matcher finds text: in any case, unless it has a capital letter.
func matcher(text string) func(string) bool {
	if strings.IndexFunc(text, unicode.IsUpper) >= 0 {
		return func(s string) bool { return strings.Contains(s, text) }
	}
	return func(s string) bool { return strings.Contains(s, text) || strings.Contains(strings.ToLower(s), text) }
}

// rarest is the place of the rarest letter of a text, by how often English uses it;
// digits and signs count as rare. It is -1 if a search for bytes could miss what a search
// for letters in any case finds: if the text is not ASCII, or has nothing but "i" and
// "k", which letters beyond ASCII fold into.
func rarest(text string) int {
	const common = "qjxz_vwbpygfumhdclrsnoate" // rare ones first; neither i nor k
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

// eachFold calls each with every place where a text of ASCII may stand in any case. It
// looks for one letter of the text, and checks nothing around it that is not ASCII: the
// caller has to look closer.
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

// mayEqual says whether some bytes are a text of ASCII in any case.
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

// wide says whether there is anything beyond ASCII.
func wide(b []byte) bool {
	for _, c := range b {
		if c >= unicode.MaxASCII {
			return true
		}
	}
	return false
}
