package parsers

import (
	"fmt"
	"strings"
)

// group is a line, or a run of lines that differ from it in numbers only.
type group struct {
	first keptLine
	last  int64 // number of the last line of the run
}

func (g group) count() int64 { return g.last - g.first.number + 1 }

func (g group) write(b *strings.Builder) {
	b.WriteString(g.first.text)
	b.WriteByte('\n')
	if n := g.count(); n > 1 {
		fmt.Fprintf(b, "[… %d more like this, %d-%d]\n", n-1, g.first.number+1, g.last)
	}
}

func (g group) bytes() int {
	var b strings.Builder
	g.write(&b)
	return b.Len()
}

// foldable runs are worth a marker: two lines are shorter than a line and a
// marker.
const foldable = 3

// fold joins consecutive near-identical lines. A line that says something went
// wrong joins only lines that are the same to the letter: two errors that
// differ in a number are two facts.
func fold(lines []keptLine) []group {
	var groups []group
	for start := 0; start < len(lines); {
		end := runEnd(lines, start)
		if end-start >= foldable {
			groups = append(groups, group{first: lines[start], last: lines[end-1].number})
			start = end
			continue
		}
		groups = append(groups, group{first: lines[start], last: lines[start].number})
		start++
	}
	return groups
}

// runEnd is the index behind the run that begins at start.
func runEnd(lines []keptLine, start int) int {
	end := start + 1
	for end < len(lines) && lines[end].number == lines[end-1].number+1 && alike(lines[start], lines[end]) {
		end++
	}
	return end
}

func alike(a, b keptLine) bool {
	if a.alarm || b.alarm {
		return a.text == b.text
	}
	return shape(a.text) == shape(b.text)
}

// shape is a line with its runs of digits as one, its blanks as one and the
// bars of progress displays gone.
func shape(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			r = '0'
		case r == '\t':
			r = ' '
		case strings.ContainsRune("=#.>-█▏▎▍▌▋▊▉━─", r):
			r = '='
		}
		if r == last && (r == '0' || r == ' ' || r == '=') {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// choose picks what fits into room bytes: first the last lines, then what is
// alarming, then the rest of the end, then the beginning.
func choose(groups []group, room int) []bool {
	chosen := make([]bool, len(groups))
	take := func(i int) {
		if !chosen[i] {
			if n := groups[i].bytes(); n <= room {
				chosen[i], room = true, room-n
			}
		}
	}
	n := len(groups)
	for i := n - 1; i >= max(0, n-12); i-- {
		take(i)
	}
	for i := range groups {
		if groups[i].first.alarm {
			take(i)
		}
	}
	for i := 0; i < min(n, 8); i++ {
		take(i)
	}
	for i := range groups {
		if i > 0 && groups[i-1].first.alarm {
			take(i)
		}
	}
	for i := n - 1; i >= 0; i-- {
		take(i)
	}
	return chosen
}
