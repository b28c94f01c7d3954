package jvm

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// consoleTree reads the tree of all tests. A test is a row that has none below it, at least
// under an engine and a class. Rows show names as people read them, classes without their
// package; the list of failures names those that failed in full. Both have the id that the tree gives.
//
//	├─ JUnit Jupiter ✔              +-- JUnit Jupiter [OK]
//	│  ├─ AccountTest ✔             | +-- AccountTest [OK]
//	│  │  ├─ passes() ✔             | | +-- passes() [OK]
//	│  │  ├─ off() ↷ later          | | +-- off() [S] later
type consoleTree struct {
	path []treeRow         // of the row that was read last
	ids  map[string]string // of rows that failed, by what the list of failures calls them
}

type treeRow struct {
	depth int
	name  string
	came  read.Outcome
	nth   int   // below the row above it
	ms    int64 // as it is printed where it was long: "testAll() 68095 ms ✔"
}

// treeName is how much of a longer name the tree shows, with "..." behind it.
const treeName = 80

var treeMarks = []struct {
	sign string
	came read.Outcome
}{{" ✔", tool.Passed}, {" ✘", tool.Failed}, {" ↷", tool.Skipped}, {" ■", tool.Skipped}, {" [OK]", tool.Passed}, {" [X]", tool.Failed}, {" [S]", tool.Skipped}, {" [A]", tool.Skipped}}

// line takes a line above the list of failures.
func (c *consoleTree) line(s *read.Sink, text string) bool {
	row, ok := cutTreeRow(text)
	if !ok {
		return false
	}
	c.leaf(s, row.depth)
	row.nth = 1
	for n := len(c.path); n > 0 && c.path[n-1].depth >= row.depth; n-- {
		row.nth = c.path[n-1].nth + 1
		c.path = c.path[:n-1]
	}
	c.path = append(c.path, row)
	return true
}

// leaf tells the row that was read last, where the next one does not stand below it.
func (c *consoleTree) leaf(s *read.Sink, next int) {
	n := len(c.path)
	if n < 2 || c.path[n-1].depth < next {
		return
	}
	names := make([]string, n)
	for i, row := range c.path {
		names[i] = row.name
	}
	last := c.path[n-1]
	id := treeID(names, func(i int) int { return c.path[i].nth })
	cut := slices.ContainsFunc(names, func(name string) bool {
		return strings.HasSuffix(name, "...") && len(name) > treeName && strings.Contains(id, name)
	})
	switch {
	case last.came == tool.Failed: // the list of failures tells it
		if c.ids == nil {
			c.ids = map[string]string{}
		}
		if listed := strings.Join(names, ":"); c.ids[listed] == "" {
			c.ids[strings.Clone(listed)] = strings.Clone(id)
		}
	case n < 3:
	case cut:
		s.Unread("the tree cuts names of more than 80 characters")
	default:
		s.Ran(tool.Test{ID: id, Outcome: last.came, DurationMS: last.ms})
		s.Tests.Short()
	}
}

// treeID is the id of a test by the rows above it, the engine first. A class has no package
// there, and one run of a method its number, which is the how many-eth below its method it is.
func treeID(names []string, nth func(int) int) string {
	if len(names) < 2 {
		return names[0]
	}
	id := names[1]
	for i := 2; i < len(names); i++ {
		switch above := names[i-1]; {
		case i == 2 && i+1 < len(names) && names[i][0] == '[': // the parameters of a class of JUnit 4, which its methods repeat
		case i > 2 && strings.Contains(above, "("):
			id += "[" + strconv.Itoa(nth(i)) + "]"
		case i+1 < len(names) && !strings.Contains(names[i], "("): // a nested class
			id += "$" + names[i]
		default:
			id += "." + names[i]
		}
	}
	return id
}

// listedID is the id of a test that the list of failures names "JUnit Jupiter:AccountTest:even(int):[1] 1":
// that of its row, where the tree was printed.
func (c *consoleTree) listedID(listed string) string {
	if id := c.ids[listed]; id != "" {
		return id
	}
	names := strings.Split(listed, ":")
	if i := slices.IndexFunc(names, func(name string) bool { return strings.HasSuffix(name, ")") }); i > 1 && i+2 < len(names) {
		names = append(names[:i+1], strings.Join(names[i+1:], ":")) // parameters have colons
	}
	return treeID(names, func(i int) int { return lex.LeadingNumber(strings.TrimPrefix(names[i], "[")) })
}

// end ends the tree.
func (c *consoleTree) end(s *read.Sink) {
	c.leaf(s, 0)
	c.path = nil
}

// cutBranch cuts the branch of the tree before a name, and says how deep it is.
func cutBranch(text string) (depth int, name string, ok bool) {
	for _, branch := range [...]string{"├─ ", "└─ ", "+-- ", "'-- "} {
		if i := strings.Index(text, branch); i >= 0 && strings.Trim(text[:i], "│| ") == "" {
			return len([]rune(text[:i])), text[i+len(branch):], true
		}
	}
	return 0, "", false
}

func cutTreeRow(text string) (row treeRow, ok bool) {
	if row.depth, row.name, ok = cutBranch(text); !ok {
		return row, false
	}
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
