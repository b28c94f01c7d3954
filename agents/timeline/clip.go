package timeline

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// cost is how many bytes a character takes in JSON as encoding/json writes it.
func cost(r rune) int {
	switch {
	case r == '"', r == '\\', r == '\n', r == '\r', r == '\t':
		return 2
	case r < ' ', r == '<', r == '>', r == '&', r == '\u2028', r == '\u2029':
		return len(`\u0000`)
	}
	return utf8.RuneLen(r)
}

// clip cuts s so that it takes at most n bytes of JSON. The beginning is kept, in whole
// characters, and "…" stands for the rest.
func clip(s string, n int) string {
	s = s[:min(len(s), n+utf8.UTFMax)] // no character takes fewer bytes in JSON than in s
	s = strings.ToValidUTF8(s, "\uFFFD")
	size, fits := 0, 0 // fits: where the text is cut if it is too long
	for i, r := range s {
		if size <= n-len("…") {
			fits = i
		}
		if size += cost(r); size > n {
			return s[:fits] + "…"
		}
	}
	return s
}

// last is the longest end of s that takes at most n bytes of JSON, in whole characters.
func last(s string, n int) string {
	s = s[max(0, len(s)-n-utf8.UTFMax):]
	s = strings.ToValidUTF8(s, "\uFFFD")
	for i := len(s); i > 0; {
		r, width := utf8.DecodeLastRuneInString(s[:i])
		if n -= cost(r); n < 0 {
			return s[i:]
		}
		i -= width
	}
	return s
}

// input is the argument of a tool call as a step keeps it: a short one as it is, and of a
// long one the beginning, as a JSON string.
func input(args json.RawMessage) json.RawMessage {
	if len(args) == 0 {
		return nil
	}
	if len(args) <= 2*maxText { // spaces may be in it
		if short, err := json.Marshal(args); err == nil && len(short) <= maxText {
			return short
		}
	}
	text, err := json.Marshal(clip(string(args), maxText))
	if err != nil {
		return nil
	}
	return text
}
