package ruby

import (
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// rspecDoc reads what the documentation formatter prints while the examples run. A line is a
// group where the next one stands deeper, and an example otherwise:
//
//	Shelf
//	  #add
//	    works
//	    fails (FAILED - 1)
//	    lists (PENDING: not yet)
//
// The examples may print there too, and with another formatter nothing but they do. So the
// rows count only where they are at least as many as the examples that were run.
type rspecDoc struct {
	path  []string // the titles of the groups, and of the row that was read last
	rows  []rspecRow
	ended bool // the lists behind the run have begun
	blank bool // the last line was empty
	begun bool
}

type rspecRow struct {
	tool.Test
	failure int  // its number in the list of failures, 0 if it has none
	glued   bool // it stands behind what an example printed
	group   int  // where a glued row stands below one that is a group then, its index + 1
}

// maxRows bounds the rows that are kept of one run.
const maxRows = tool.MaxTests

// line takes a line outside of the lists.
func (d *rspecDoc) line(text string) {
	title := strings.TrimLeft(text, " ")
	depth := (len(text) - len(title)) / 2
	blank := d.blank || !d.begun
	d.blank, d.begun = title == "", true
	switch {
	case title == "" || d.ended || len(d.rows) >= maxRows || len(text)-len(title) != 2*depth:
		return
	case depth == 0 && blank:
		d.path = append(d.path[:0], title)
		return
	case depth == 0:
		d.behind(text)
		return
	case depth > len(d.path):
		return
	case depth == len(d.path) && depth > 1: // what was read last is a group
		last := d.rows[len(d.rows)-1]
		if last.failure > 0 || last.Outcome != tool.Passed || last.glued {
			return
		}
		d.rows = d.rows[:len(d.rows)-1]
	}
	d.add(d.path[:depth], title, false)
	d.path = append(d.path[:depth], title)
}

// behind takes a row that stands behind what an example printed without an end of line.
func (d *rspecDoc) behind(text string) {
	i := strings.LastIndex(text, "  ")
	if i < 0 {
		return
	}
	title := text[i+2:]
	n := len(text[:i+2]) - len(strings.TrimRight(text[:i+2], " "))
	if n%2 == 0 && n/2 <= len(d.path) && title != "" {
		below := len(d.rows)
		d.add(d.path[:n/2], title, true)
		if n/2 == len(d.path) && n > 2 && below > 0 && d.rows[below-1].Outcome == tool.Passed {
			d.rows[below].group = below
		}
	}
}

func (d *rspecDoc) add(groups []string, title string, glued bool) {
	row := rspecRow{glued: glued, Test: tool.Test{Outcome: tool.Passed}}
	if i := strings.LastIndex(title, " (FAILED - "); i >= 0 && strings.HasSuffix(title, ")") {
		row.failure = lex.LeadingNumber(title[i+len(" (FAILED - "):])
		row.Outcome, title = tool.Failed, title[:i]
	} else if i := strings.Index(title, " (PENDING: "); i >= 0 {
		row.Outcome, title = tool.Skipped, title[:i]
	}
	row.ID = rspecName(append(groups[:len(groups):len(groups)], title))
	d.rows = append(d.rows, row)
}

// tell tells the examples, where there are as many as the runner counts. failed are the names
// of those that are in the list of failures, by their numbers.
func (d *rspecDoc) tell(s *read.Sink, total int, failed map[int]string) {
	own, all := 0, len(d.rows)
	group := map[int]bool{}
	for i := range d.rows {
		if row := &d.rows[i]; !row.glued {
			own++
		} else if row.group > 0 && !group[row.group-1] {
			group[row.group-1] = true
			all--
		}
	}
	glued := own < total+len(group) && all == total
	if own < total && !glued && !d.isList() {
		return
	}
	for i := range d.rows {
		if row := &d.rows[i]; !row.glued && !(glued && group[i]) || row.glued && glued {
			if name := failed[row.failure]; sameTitle(name, row.ID) {
				row.ID = name
			} else if row.failure > 0 && name != "" { // it is a part of the title
				row.ID, row.Outcome = row.ID+" (FAILED - "+strconv.Itoa(row.failure)+")", tool.Passed
			}
			s.Ran(row.Test)
		}
	}
}

// sameTitle: two names are one, but for the blanks between titles.
func sameTitle(a, b string) bool {
	return a != "" && strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "")
}

// isList: the rows are of the documentation formatter, though some cannot be read.
func (d *rspecDoc) isList() bool {
	for i := range d.rows {
		if d.rows[i].Outcome != tool.Passed {
			return true
		}
	}
	return false
}

// rspecName joins titles as RSpec does: a method's name follows that of its class without a
// blank. A title of a string that looks like a class is not told apart from one.
func rspecName(titles []string) string {
	name := titles[0]
	for i, title := range titles[1:] {
		if !isClass(titles[i]) || !lex.HasAnyPrefix(title, "#", ".", "::") {
			name += " "
		}
		name += title
	}
	return name
}
