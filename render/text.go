package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cairn/result"
)

// readable is text that may be printed: clean, ended by a newline, and with a
// count in the place of lines that are not text. Those tell a reader nothing
// and may be most of an output.
func readable(s string) string {
	s = result.Clean(s)
	if s == "" {
		return ""
	}
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if !strings.ContainsRune(s, utf8.RuneError) {
		return s
	}
	var b strings.Builder
	start, lines, at := 0, 0, 0 // of the stretch that is not text, and where we are
	flush := func() {
		note := fmt.Sprintf("[… %d %s not text]\n", lines, plural(lines, "line"))
		if stretch := s[start:at]; lines > 0 && len(note) < len(stretch) {
			b.WriteString(note)
		} else {
			b.WriteString(stretch)
		}
		lines = 0
	}
	for line := range strings.Lines(s) {
		if garbled(line) {
			if lines++; lines == 1 {
				start = at
			}
		} else {
			flush()
			b.WriteString(line)
			start = at + len(line)
		}
		at += len(line)
	}
	flush()
	return b.String()
}

// edged is text without blank lines at its beginning and its end.
func edged(s string) string {
	for {
		line, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			break
		}
		s = rest
	}
	if s = strings.TrimRight(s, " \t\n"); s != "" {
		s += "\n"
	}
	return s
}

// garbled: a quarter of the characters or more are none. Text in a one-byte
// encoding has fewer.
func garbled(line string) bool {
	bad := strings.Count(line, string(utf8.RuneError))
	return bad >= 2 && bad*4 >= utf8.RuneCountInString(line)
}
