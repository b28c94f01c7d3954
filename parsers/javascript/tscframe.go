package javascript

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// tscFrame is the source below a place.
type tscFrame struct {
	begun  bool // the empty line before it was seen
	number int  // of the last line of source
	margin int  // columns before the source: found from the first squiggles
	marked int  // lines of squiggles
}

// tscRelated reads "a.ts:1:2" and "a.ts:1:2 - text".
func tscRelated(text string) (at *result.Location, about string) {
	if text == "" || text[0] == ' ' {
		return nil, ""
	}
	if at = tscColons(text); at != nil {
		return at, ""
	}
	for i := strings.Index(text, " - "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(text, " - ", i) {
		if at = tscColons(text[:i]); at != nil {
			return at, text[i+3:]
		}
	}
	return nil, ""
}

// about is what a line says of a related place; "" for its source.
func (f *tscFrame) about(text string) string {
	n, isSource := tscSource(text)
	switch {
	case isSquiggle(strings.TrimLeft(text, " ")):
		f.marked++
	case isSource && (f.marked == 0 || n == 0 || n == f.number+1):
		f.number = n
	default:
		return strings.TrimSpace(text)
	}
	return ""
}

func isSquiggle(marks string) bool { return marks != "" && strings.Trim(marks, "~") == "" }

// squiggle says where the diagnostic ends. Squiggles stand below the source, which is as
// wide as its UTF-16 units; from the second line on they begin with the line.
func (f *tscFrame) squiggle(at *result.Location, from, to int) {
	if at == nil {
		return
	}
	if f.marked == 0 {
		f.margin = from - at.Column + 1
	}
	f.marked++
	if f.number >= at.Line && to > f.margin {
		at.EndLine, at.EndColumn = f.number, to-f.margin+1
	}
}

// tscSource tells a line of source from the text around it by its margin: the number of
// the line or, where lines are left out, "...". The margin is painted where colour is
// on; its width says nothing.
func tscSource(text string) (number int, ok bool) {
	digits, _, _ := strings.Cut(text, " ")
	number = lex.Atoi(digits)
	return number, digits == "..." || len(digits) < 10 && lex.IsDigits(digits) && number > 0
}
