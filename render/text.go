package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cairn/result"
)

// readable is text that may be printed: cleaned, with a newline at its end, and with a count in place of lines that are
// not text. Such lines tell a reader nothing and may be most of an output.
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
	start, lines, at := 0, 0, 0 // start and number of the lines that are not text, and the current position
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

// edged is text without blank lines at both ends.
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

// garbled says whether at least a quarter of the characters are invalid. Text in a one-byte encoding has fewer.
func garbled(line string) bool {
	bad := strings.Count(line, string(utf8.RuneError))
	return bad >= 2 && bad*4 >= utf8.RuneCountInString(line)
}
