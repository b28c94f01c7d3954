package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/result"
)

const (
	// wholeTokens is the most tokens of an output that is shown as it is: a selection of so little
	// saves nothing, and what the tool said is surer than what was understood of it.
	wholeTokens = 60
	// maxToken is the most bytes of one token.
	maxToken = 128
)

// whole is the answer to an output that is short enough to be shown as it is: how the command ended, and the text. A
// result that was read from elsewhere than the text, and a text that is blank, are not shown so.
func whole(r *result.ToolResult, raw []byte) (answer string, ok bool) {
	if len(raw) > wholeTokens*maxToken || len(r.Artifacts) > 0 || fromFiles(r) || !fewTokens(result.Clean(string(raw))) {
		return "", false
	}
	text := edged(readable(string(raw)))
	if text == "" {
		return "", false
	}
	seen := *r
	seen.Summary = endedSo(r)
	if r.Extra["doubt"] == nil {
		seen.ParserConfidence = result.Untyped // what was not understood is there to be read
	}
	return header(&seen, text) + text, true
}

// endedSo is the summary of a result without what its output says itself: how many of what there were.
func endedSo(r *result.ToolResult) string {
	seen := *r
	seen.Findings = nil
	for _, n := range r.Counts {
		if n > 0 {
			seen.Counts = nil
		}
	}
	return result.Summarise(&seen)
}

// fewTokens says that a text may have no more than wholeTokens tokens. It counts the pieces that a language model
// never joins to one token (as the vocabulary cl100k_base cuts a text), since the vocabulary itself
// is too much to start with: no text of so few tokens is said to have more.
func fewTokens(text string) bool {
	for n := 0; n <= wholeTokens; {
		if text == "" {
			return true
		}
		size := piece(text)
		n += (size + maxToken - 1) / maxToken
		text = text[size:]
	}
	return false
}

// piece is the length of the first piece of a text: a word with the character before it, up to three digits, a run of
// other characters with the space before them and the line's end behind, or white space.
func piece(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if unicode.IsLetter(first) || unicode.IsLetter(second) && first != '\n' && first != '\r' && !unicode.IsNumber(first) {
		return size + span(text[size:], unicode.IsLetter)
	}
	switch {
	case unicode.IsNumber(first):
		return digits(text)
	case isOther(first), first == ' ' && isOther(second):
		n := size + span(text[size:], isOther)
		return n + span(text[n:], func(r rune) bool { return r == '\n' || r == '\r' })
	}
	n := span(text, unicode.IsSpace)
	if n < len(text) && n > 1 && text[n-1] == ' ' {
		n-- // the last space belongs to what follows
	}
	return n
}

// digits is the length of the digits at the beginning of a text, of at most three.
func digits(text string) (n int) {
	for range 3 {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsNumber(r) {
			break
		}
		n += size
	}
	return n
}

// span is how many bytes at the beginning of a text are of one class.
func span(text string, class func(rune) bool) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !class(r) }); i >= 0 {
		return i
	}
	return len(text)
}

func isOther(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) }
