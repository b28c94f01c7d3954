package read

import (
	"strings"

	"cairn/parsers/internal/term"
)

// cutGlued takes off the bracket that ends a document of ruff's: no line ends
// behind it, and what is printed next stands on its line, all of which it is
// given.
func CutGlued(l term.Line) (rest term.Line, ok bool) {
	if len(l.Text) < 2 || l.Text[0] != ']' && l.Text[0] != '}' || strings.IndexByte(" ,]}", l.Text[1]) >= 0 {
		return l, false
	}
	l.Text = l.Text[1:]
	return l, true
}
