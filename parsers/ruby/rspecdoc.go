package ruby

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// rspecDoc reads the documentation formatter, which prints while the examples run. A line is a group if the next line
// is indented further, and an example otherwise:
//
//	Shelf
//	  #add
//	    works
//	    fails (FAILED - 1)
//	    lists (PENDING: not yet)
//
// The examples may print between the rows, and with another formatter all such lines are theirs. So the rows count
// only if there are at least as many as examples that ran.
type rspecDoc struct {
	path  []string // the titles of the groups, and of the last row
	rows  []rspecRow
	ended bool // the lists after the run have begun
	blank bool // the last line was empty
	begun bool
}

type rspecRow struct {
	tool.Test
	failure int  // its number in the list of failures, 0 if it has none
	glued   bool // the row follows an example's output on the same line
	group   int  // for a glued row that makes the row before it a group: the index of that row + 1; else 0
}

// maxRows bounds the rows that are kept of one run.
const maxRows = tool.MaxTests

// line reads a line outside of the lists.
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
	case depth == len(d.path) && depth > 1: // the last row is a group
		last := d.rows[len(d.rows)-1]
		if last.failure > 0 || last.Outcome != tool.Passed || last.glued {
			return
		}
		d.rows = d.rows[:len(d.rows)-1]
	}
	d.add(d.path[:depth], title, false)
	d.path = append(d.path[:depth], title)
}

// behind reads a row that follows an example's output on the same line: the output had no newline at its end.
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

// tell reports the examples if there are as many as total, the runner's count. failed holds the names in the list of
// failures, by number.
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
			} else if row.failure > 0 && name != "" { // "(FAILED - 1)" belongs to the title
				row.ID, row.Outcome = row.ID+" (FAILED - "+strconv.Itoa(row.failure)+")", tool.Passed
			}
			s.Ran(row.Test)
		}
	}
}

// sameTitle reports whether two names are equal apart from blanks.
func sameTitle(a, b string) bool {
	return a != "" && strings.ReplaceAll(a, " ", "") == strings.ReplaceAll(b, " ", "")
}

// isList reports whether a row is marked failed or pending: then the documentation formatter printed the rows, even
// if some could not be read.
func (d *rspecDoc) isList() bool {
	return slices.ContainsFunc(d.rows, func(r rspecRow) bool { return r.Outcome != tool.Passed })
}

// rspecName joins titles as RSpec does: a method ("#add") follows its class without a blank. A string that looks like
// a class is treated as a class.
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

// rspecPage reads the html formatter: the titles of groups, the name of a failed example, and the text of its failure:
//
//	<dl style="margin-left: 0px;">
//	<dt id="example_group_1" class="passed">Tank</dt>
//	  <dd class="example failed">
//	    <span class="failed_spec_name">holds</span>
//	      <div class="message"><pre>  Failure/Error: expect(1).to eq(2)
type rspecPage struct {
	groups []string
	name   string   // the failed example's name
	body   []string // the lines of its failure so far
	open   bool     // a failure is being read
}

func (p *rspecPage) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	if p.open {
		p.more(s, l, l.Text)
		return true
	}
	if title, ok := between(t, `<dt id="example_group_`, `</dt>`); ok {
		_, title, _ = strings.Cut(title, ">")
		p.groups = append(p.groups, xmltext.Unescape(title))
		return true
	}
	if name, ok := between(t, `<span class="failed_spec_name">`, `</span>`); ok {
		p.name = xmltext.Unescape(name)
		return true
	}
	if message, ok := strings.CutPrefix(t, `<div class="message"><pre>`); ok && p.name != "" {
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: fullName(append(p.groups, p.name))}
		s.Find(l, f)
		p.open, p.name = true, ""
		p.more(s, l, message)
		return true
	}
	if margin, ok := between(t, `<dl style="margin-left: `, `px;">`); ok { // 15 pixels for each group around this one
		p.groups = p.groups[:min(len(p.groups), lex.Atoi(margin)/15)]
		return true
	}
	if tally, ok := between(t, `getElementById('totals').innerHTML = "`, `"`); ok {
		tally = strings.ReplaceAll(tally, "<br />", ", ")
		rspecTally(s, tally)
		return s.Close(l)
	}
	return strings.HasPrefix(t, "<title>RSpec results")
}

// more adds a line to a failure, and completes the finding at "</pre>".
func (p *rspecPage) more(s *read.Sink, l tool.Line, text string) {
	text, _, ends := strings.Cut(text, "</pre>")
	if p.body = append(p.body, xmltext.Unescape(text)); !ends {
		return
	}
	if last := s.Last(); last != nil {
		f := rspecFailure(s.In, read.Dedent(p.body))
		f.Kind, f.Severity, f.ID, f.RawSpan = last.Kind, last.Severity, last.ID, last.RawSpan
		f.RawSpan.End = max(f.RawSpan.End, l.End)
		*last = f
	}
	p.open, p.body = false, p.body[:0]
	s.Break()
}

// between returns the text between from and to in a line; ok is false if either is missing.
func between(line, from, to string) (string, bool) {
	_, rest, ok := strings.Cut(line, from)
	inside, _, closed := strings.Cut(rest, to)
	return inside, ok && closed
}

// fullName joins titles as RSpec does: a title that begins like a method ("#add", ".new", "::") follows without a
// blank.
func fullName(titles []string) string {
	name := ""
	for _, title := range titles {
		if name != "" && !strings.HasPrefix(title, "#") && !strings.HasPrefix(title, ".") && !strings.HasPrefix(title, "::") {
			name += " "
		}
		name += title
	}
	return name
}
