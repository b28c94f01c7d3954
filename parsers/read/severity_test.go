package read

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSeverityOf: a word is known in whatever case, and no other is.
func TestSeverityOf(t *testing.T) {
	known := []string{"error", "ERROR", "Warning", "internal compiler error", "remar\u212a", "\u0130nfo", "x", "errors", "", strings.Repeat("e", 40), strings.Repeat("\u212a", 40)}
	for _, word := range []string{"fatal error", "warn", "minor", "style", "portability", "note", "remark", "suggestion"} {
		if severityOf(word) == "" || len(word) > longestWord {
			t.Errorf("%q is no word", word)
		}
		known = append(known, word, strings.ToUpper(word))
	}
	for _, word := range known {
		if got, want := SeverityOf(word), severityOf(strings.ToLower(word)); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestCutSeverityAnywhere: the word that is taken off is the first one that is known, where a
// colon or a blank ends it.
func TestCutSeverityAnywhere(t *testing.T) {
	simple := func(text string) (word, rest string) {
		for end := range min(len(text), 32) {
			switch s := text[:end]; {
			case text[end] != ':' && text[end] != ' ':
			case end == 0:
				return "", text
			case severityOf(strings.ToLower(s)) != "" && (text[end] == ':' || !strings.HasPrefix(text[end:], " error:")):
				return strings.ToLower(s), strings.TrimLeft(text[end+1:], ": ")
			case text[end] == ':':
				return "", text
			}
		}
		return "", text
	}
	piece := rapid.SampledFrom([]string{"error", "Fatal", "fatal error", "internal", "compiler", "note", "syntax", ":", " ", ": ", "x", "a sentence of more than that ", "\u212a", "error:"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		word, rest := CutSeverity(text)
		if wantWord, wantRest := simple(text); word != wantWord || rest != wantRest {
			t.Fatalf("%q: %q %q, want %q %q", text, word, rest, wantWord, wantRest)
		}
	})
}
