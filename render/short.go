package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/result"
)

const (
	// wholeTokens is the most tokens of an output that is shown unchanged: selecting from so little
	// saves nothing, and the tool's text is more reliable than what was parsed from it.
	wholeTokens = 60
	// maxToken is the most bytes of one token.
	maxToken = 128
	// pickedBytes is the most bytes of text that is shown unchanged because the command itself picked its lines
	// ("| grep FAIL"): the author of the command asked for these lines.
	pickedBytes = 6 << 10
)

// whole is the answer to an output that is short enough to be shown unchanged: how the command ended, and the text. ok
// is false for blank text, and for a result that was read from elsewhere than the text.
func whole(r *result.ToolResult, raw []byte) (answer string, ok bool) {
	picked := r.Extra["picked"] == true && len(raw) <= pickedBytes
	if len(raw) > wholeTokens*maxToken || len(r.Artifacts) > 0 || fromFiles(r) || !picked && !fewTokens(result.Clean(string(raw))) {
		return "", false
	}
	text := edged(readable(string(raw)))
	if text == "" {
		return "", false
	}
	seen := *r
	seen.Summary = endedSo(r)
	if r.Extra["doubt"] == nil {
		seen.ParserConfidence = result.Untyped // the text shows what was not parsed
	}
	return header(&seen, text) + text, true
}

// endedSo is the summary of a result without the counts that its output shows.
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

// fewTokens says whether a text may have at most wholeTokens tokens. It counts the pieces that a language model never
// joins to one token (as the vocabulary cl100k_base cuts a text), since the vocabulary itself is too large to load. It
// is never false for a text with so few tokens.
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
// other characters with the space before and the line end after them, or white space.
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
		n-- // the last space belongs to the next piece
	}
	return n
}

// digits is the length in bytes of up to three digits at the beginning of a text.
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

// span is how many bytes at the beginning of a text belong to a class.
func span(text string, class func(rune) bool) int {
	if i := strings.IndexFunc(text, func(r rune) bool { return !class(r) }); i >= 0 {
		return i
	}
	return len(text)
}

func isOther(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsSpace(r) }
