// Package scantest draws text for the tests of what searches it: words that
// mean something, halves of them, and any bytes. It may hold generators only.
package scantest

import (
	"bytes"

	"pgregory.net/rapid"
)

// SomeText draws text of words, of halves of them and of any bytes. Words have
// three bytes or more.
func SomeText(t *rapid.T, words []string) []byte {
	pieces := []string{"\n", "\n", " ", "x", "no ", "0 ", ": 0", "\r", "\x1b[31m", "é", "\xff", "\t", "✗ ", "*** ", " TS", "a.py", "=", "1:2 \t[*] F401", "12 passed in 3s"}
	for _, w := range words {
		pieces = append(pieces, w, w[:3])
	}
	var text []byte
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 80).Draw(t, "pieces") {
		text = append(text, p...)
		text = append(text, bytes.Repeat([]byte("-"), rapid.IntRange(0, 9).Draw(t, "dashes"))...)
	}
	return text
}
