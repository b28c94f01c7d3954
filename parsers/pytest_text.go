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
	size    int // bytes of head
	gone    int // lines at the beginning of tail that were dropped
	tails   int // bytes of the others
	omitted int // lines between the two
}

// add keeps a line if there is room for it; room counts down what all texts
// of an output may take together.
func (t *boundedText) add(line string, room *int) {
	line = cutText(strings.TrimRight(line, " "), t.max/2)
	if room != nil {
		if *room < len(line) {
			t.omitted++
			return
		}
		*room -= len(line) + 1
	}
	line = strings.Clone(line) // not all of its line
	if t.omitted == 0 && len(t.tail) == 0 && t.size+len(line) < t.max/2 {
		t.head, t.size = append(t.head, line), t.size+len(line)+1
		return
	}
	t.tail, t.tails = append(t.tail, line), t.tails+len(line)+1
	for t.tails > t.max/2 && t.gone < len(t.tail) {
		t.forget(room)
	}
	if t.gone >= maxGone {
		t.tail, t.gone = append(t.tail[:0], t.tail[t.gone:]...), 0
	}
}

// forget drops the first line of the tail.
func (t *boundedText) forget(room *int) {
	size := len(t.tail[t.gone]) + 1
	t.tails -= size
	if room != nil {
		*room += size
	}
	t.tail[t.gone] = ""
	t.gone++
	t.omitted++
}

// maxGone is how many lines are dropped before their places are used again.
const maxGone = 32

// lines is the text, with a marker where lines were left out.
func (t *boundedText) lines() []string {
	all := append([]string{}, t.head...)
	if t.omitted > 0 {
		all = append(all, fmt.Sprintf("… %d lines left out …", t.omitted))
	}
	all = append(all, t.tail[t.gone:]...)
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
