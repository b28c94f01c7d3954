package read

import (
	"strings"

	"cairn/parsers/internal/term"
	"cairn/parsers/read/xmltext"
)

// TextLines splits a text of a document into lines as a terminal shows them.
func TextLines(text string) []string {
	text = xmltext.Western(strings.Trim(text, "\n"))
	if strings.TrimSpace(text) == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for i, s := range all {
		all[i] = ShownText(s)
	}
	for len(all) > 0 && strings.TrimSpace(all[len(all)-1]) == "" {
		all = all[:len(all)-1]
	}
	for len(all) > 0 && strings.TrimSpace(all[0]) == "" {
		all = all[1:]
	}
	return all
}

// ShownText is a line without escapes. What XML forbids, pytest spells "#x1B"
// and Java's runners "&#27;".
func ShownText(s string) string {
	s = strings.ReplaceAll(s, "#x1B[", "\x1b[")
	return string(term.Resolve([]byte(strings.TrimRight(s, " \r"))))
}
