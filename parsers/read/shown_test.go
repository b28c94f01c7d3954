package read

import "testing"

// TestStripEscapes: escape sequences go; text, cursor returns and what only looks like
// a sequence stay.
func TestStripEscapes(t *testing.T) {
	for line, want := range map[string]string{
		"plain":                                  "plain",
		"\x1b[31merror\x1b[0m: x":                "error: x",
		"\x1b[38;5;9merror\x1b[m":                "error",
		"\x1b]8;;file:///a\x1b\\a.go\x1b]0;t\a!": "a.go!",
		"\u009b31merror":                         "error", // CSI as one character
		"a\rb\bc\td":                             "a\rb\bc\td",
		"\x1b(Bok":                               "ok", // a set of characters is chosen
		"a\x1b[3":                                "a3", // cut off
		"a\x1b":                                  "a",
		"\x1b]0;not closed":                      "0;not closed",
		"\x00a\x7fb":                             "ab",
	} {
		if got := string(StripEscapes([]byte(line))); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestSequenceLen: the length is that of the text after ESC and the kind, and 0 for
// a sequence that does not end.
func TestSequenceLen(t *testing.T) {
	for _, c := range []struct {
		kind byte
		rest string
		want int
	}{
		{'[', "31mred", 3},
		{'[', "Kx", 1},
		{'[', "31", 0},
		{'[', "3\n1m", 0},
		{']', "0;title\arest", 8},
		{']', "8;;a\x1b\\rest", 6},
		{']', "0;title", 0},
		{'P', "q\x1b[31m", 0}, // another sequence begins: this one was never closed
		{'(', "Brest", 1},
		{'(', "", 0},
		{'c', "rest", 0},
	} {
		if got := SequenceLen(c.kind, []byte(c.rest)); got != c.want {
			t.Errorf("ESC %c %q: %d, want %d", c.kind, c.rest, got, c.want)
		}
		if c.kind == '[' && CsiLen([]byte(c.rest)) != c.want {
			t.Errorf("CSI %q: %d, want %d", c.rest, CsiLen([]byte(c.rest)), c.want)
		}
	}
}
