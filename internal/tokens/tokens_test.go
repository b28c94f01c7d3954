package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// longestRun is the longest stretch of one class, in bytes.
func longestRun(text string) (longest int) {
	start, last := 0, rune(0)
	for i, r := range text {
		if class := classOf(r); class != last {
			start, last = i, class
		}
		longest = max(longest, i+utf8.RuneLen(r)-start)
	}
	return longest
}

// TestPiecesAreBounded: nothing is lost, and no piece is large or has a word
// that the tokenizer would take long over.
func TestPiecesAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "parts") {
			word := rapid.StringOfN(rapid.SampledFrom([]rune("=a \nß1\t.日")), 1, 4, -1).Draw(t, "word")
			b.WriteString(strings.Repeat(word, rapid.IntRange(1, 20_000).Draw(t, "times")))
		}
		text := b.String()
		all := pieces(text)
		if strings.Join(all, "") != text {
			t.Fatal("the pieces are not the text")
		}
		for _, p := range all {
			if n := longestRun(p); n > maxRun+utf8.UTFMax {
				t.Fatalf("a run of %d bytes", n)
			}
			if len(p) > maxPiece+maxRun+utf8.UTFMax {
				t.Fatalf("a piece of %d bytes", len(p))
			}
		}
	})
}

// TestCountIsTheTokenizers: the guard changes nothing on text without long
// runs, and a token or two for each cut otherwise.
func TestCountIsTheTokenizers(t *testing.T) {
	count, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, text string
		want       int // as tiktoken itself counts
	}{
		{"nothing", "", 0},
		{"words", "hello world", 2},
		{"a line of many", strings.Repeat("hello world\n", 3), 9},
		{"a special token is text", "<|endoftext|>", 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := count(tc.text); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
	line := "FAIL pkg/a_test.go:12: got 7, want 8\n\n\t    indented = x\n"
	text := strings.Repeat(line, 3000) // several pieces
	if one, all := count(line), count(text); len(pieces(text)) < 3 || all != 3000*one {
		t.Errorf("%d tokens in %d pieces, but %d in one of 3000 lines", all, len(pieces(text)), one)
	}
	if got := count(strings.Repeat("=", 100_000)); got < 100_000/128 || got > 100_000/32 {
		t.Errorf("100,000 of one character: %d tokens", got)
	}
}
