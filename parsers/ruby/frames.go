package ruby

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/result"
)

// cutFrame reads "lib/shelf.rb:5:in `find'", as Ruby writes a place in a
// backtrace; since 3.4 with plain quotes and the class.
func cutFrame(text string) (at result.Location, ok bool) {
	at, rest, ok := place.CutPlace(strings.TrimPrefix(text, "from "))
	if !ok || rest != "" && !strings.HasPrefix(rest, "in ") {
		return at, false
	}
	at.Function = strings.Trim(strings.TrimPrefix(rest, "in "), "`'")
	return at, true
}

// isClass: "KeyError", "Shelf::NotFound".
func isClass(word string) bool {
	if word == "" || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:") == ""
}
