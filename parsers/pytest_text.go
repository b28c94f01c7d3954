package parsers

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// boundedText keeps the beginning and the end of a text.
type boundedText struct {
	max     int // bytes, of both together
	head    []string
	tail    []string
	size    int // of head
	tails   int // of tail
	omitted int // lines between the two
}

// add keeps a line if there is room for it; room counts down what all texts
// of an output may take together.
func (t *boundedText) add(line string, room *int) {
	line = strings.Clone(cutText(strings.TrimRight(line, " "), t.max/2)) // not all of its line
	if room != nil {
		if *room < len(line) {
			t.omitted++
			return
		}
		*room -= len(line) + 1
	}
	if t.omitted == 0 && len(t.tail) == 0 && t.size+len(line) < t.max/2 {
		t.head, t.size = append(t.head, line), t.size+len(line)+1
		return
	}
	t.tail, t.tails = append(t.tail, line), t.tails+len(line)+1
	drop := 0
	for t.tails > t.max/2 && drop < len(t.tail) {
		t.tails -= len(t.tail[drop]) + 1
		if room != nil {
			*room += len(t.tail[drop]) + 1
		}
		drop++
		t.omitted++
	}
	if drop > 0 {
		t.tail = append(t.tail[:0], t.tail[drop:]...)
	}
}

// lines is the text, with a marker where lines were left out.
func (t *boundedText) lines() []string {
	all := append([]string{}, t.head...)
	if t.omitted > 0 {
		all = append(all, fmt.Sprintf("… %d lines left out …", t.omitted))
	}
	all = append(all, t.tail...)
	for len(all) > 0 && strings.TrimSpace(all[len(all)-1]) == "" {
		all = all[:len(all)-1]
	}
	return all
}

// maxHeadline bounds what is kept of one line that must be whole: a message, a
// node id. Longer ones are data.
const maxHeadline = 4096

// headline keeps a line, bounded, and not the text that it is a part of.
func headline(s string) string { return strings.Clone(cutText(strings.TrimRight(s, " "), maxHeadline)) }

// cutText bounds a line at a rune.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
