package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// consoleTree reads the tree of all tests. A test is a row that has none below it, at least
// under an engine and a class. Rows show names as people read them, classes without their
// package; one that failed is named in full by the list of failures, and only there.
//
//	├─ JUnit Jupiter ✔              +-- JUnit Jupiter [OK]
//	│  ├─ AccountTest ✔             | +-- AccountTest [OK]
//	│  │  ├─ passes() ✔             | | +-- passes() [OK]
//	│  │  ├─ off() ↷ later          | | +-- off() [S] later
type consoleTree struct {
	path []treeRow // of the row that was read last
}

type treeRow struct {
	depth int
	name  string
	came  read.Outcome
	ms    int64 // as it is printed where it was long: "testAll() 68095 ms ✔"
}

// treeName is how much of a longer name the tree shows, with "..." behind it.
const treeName = 80

var treeMarks = []struct {
	sign string
	came read.Outcome
}{{" ✔", tool.Passed}, {" ✘", tool.Failed}, {" ↷", tool.Skipped}, {" ■", tool.Skipped}, {" [OK]", tool.Passed}, {" [X]", tool.Failed}, {" [S]", tool.Skipped}, {" [A]", tool.Skipped}}

// line takes a line above the list of failures.
func (c *consoleTree) line(s *read.Sink, text string) {
	row, ok := cutTreeRow(text)
	if !ok {
		return
	}
	c.leaf(s, row.depth)
	for n := len(c.path); n > 0 && c.path[n-1].depth >= row.depth; n-- {
		c.path = c.path[:n-1]
	}
	c.path = append(c.path, row)
}

// leaf tells the row that was read last, where the next one does not stand below it.
func (c *consoleTree) leaf(s *read.Sink, next int) {
	n := len(c.path)
	if n < 3 || c.path[n-1].depth < next || c.path[n-1].came == tool.Failed {
		return
	}
	for _, row := range c.path[1:] {
		if strings.HasSuffix(row.name, "...") && len(row.name) > treeName {
			s.Unread("the tree cuts names of more than 80 characters")
			return
		}
	}
	id := c.path[1].name
	for i, row := range c.path[2:] {
		switch {
		case index(":"+row.name) != "" && i > 0: // one run of a parameterised test
			id += index(":" + row.name)
		case i+3 < n && !strings.Contains(row.name, "("): // a nested class
			id += "$" + row.name
		default:
			id += "." + row.name
		}
	}
	s.Ran(tool.Test{ID: id, Outcome: c.path[n-1].came, DurationMS: c.path[n-1].ms})
}

// end ends the tree.
func (c *consoleTree) end(s *read.Sink) {
	c.leaf(s, 0)
	c.path = nil
}

func cutTreeRow(text string) (row treeRow, ok bool) {
	at := -1
	for _, branch := range [...]string{"├─ ", "└─ ", "+-- ", "'-- "} {
		if i := strings.Index(text, branch); i >= 0 && strings.Trim(text[:i], "│| ") == "" {
			at = i
			row.name = text[i+len(branch):]
			break
		}
	}
	if at < 0 {
		return row, false
	}
	row.depth = len([]rune(text[:at]))
	first := -1
	for _, m := range treeMarks {
		i := strings.Index(row.name+" ", m.sign+" ")
		if i > 0 && (first < 0 || i < first) {
			first, row.came = i, m.came
		}
	}
	if first < 0 {
		return row, false
	}
	row.name = row.name[:first]
	if i := strings.LastIndexByte(strings.TrimSuffix(row.name, " ms"), ' '); i > 0 && strings.HasSuffix(row.name, " ms") {
		if ms, ok := lex.Millis(row.name[i+1:]); ok {
			row.name, row.ms = row.name[:i], ms
		}
	}
	return row, true
}
