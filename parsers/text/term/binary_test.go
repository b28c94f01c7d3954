package term

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// countBinary is isBinary by its definition, to the end of the line.
func countBinary(line []byte) bool {
	var bad, nul int
	for rest := line; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case rest[0] == 0:
			nul++
		case r == utf8.RuneError && n == 1, r < ' ' && r != '\t' && r != '\r' && r != '\b' && r != 0x1b && r != 0x07, r == 0x7f:
			bad++
		}
		rest = rest[n:]
	}
	return bad >= 4 && bad*5 > len(line)-nul || nul >= 4 && nul*5 > len(line)*3
}

func TestIsBinary(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "plain\ttext\r": false, "naïve": false, "\x00\x00\x00": false, "\x01\x02\x03\x04": true,
		"caf\xe9 cr\xe8me br\xfbl\xe9e \xe0 la carte": false, "\x00\x00\x00\x00": true,
		"h\x00e\x00l\x00l\x00o\x00": false, "\x89PNG\x1a\x02\x03\x01": true,
	} {
		if got := IsBinary([]byte(text)); got != want {
			t.Errorf("isBinary(%q) = %v", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		line := []byte{}
		for range rapid.IntRange(0, 40).Draw(t, "pieces") {
			line = append(line, rapid.SampledFrom([]string{"text", "é", "漢", "\x00", "\x01", "\xff", "\xc1", "\xe2\x82", "\x7f", "\x1b[31m", "\ufffd", "\U0010ffff"}).Draw(t, "piece")...)
		}
		line = append(line, rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes")...)
		if got, want := IsBinary(line), countBinary(line); got != want {
			t.Fatalf("isBinary(%q) = %v, want %v", line, got, want)
		}
	})
}
