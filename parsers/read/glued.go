package read

import (
	"strings"

	"cairn/parsers/internal/term"
)

// CutGlued takes off the bracket that ends a document of JSON behind which no line
// ends: what is printed next stands on its line, and begins behind the bracket.
func CutGlued(l term.Line) (rest term.Line, ok bool) {
	if len(l.Text) < 2 || l.Text[0] != ']' && l.Text[0] != '}' || strings.IndexByte(" ,]}", l.Text[1]) >= 0 {
		return l, false
	}
	l.Text, l.Start = l.Text[1:], l.Start+1
	return l, true
}
