package jvm

import (
	"slices"
	"strconv"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// consoleTree reads the tree of all tests. A test is a row without rows below it, and with at least an engine and a
// class above it. Rows show titles, and classes without their package, while the list of failures has full names. The
// ids of both are formed from the tree.
//
//	├─ JUnit Jupiter ✔              +-- JUnit Jupiter [OK]
//	│  ├─ AccountTest ✔             | +-- AccountTest [OK]
//	│  │  ├─ passes() ✔             | | +-- passes() [OK]
//	│  │  ├─ off() ↷ later          | | +-- off() [S] later
type consoleTree struct {
	path []treeRow         // the rows from the engine to the last row
	ids  map[string]string // the ids of failed rows, by their names in the list of failures
}

type treeRow struct {
	depth int
	name  string
	came  read.Outcome
	nth   int   // its number among the rows below the same row, from 1
	ms    int64 // duration, which is printed only for slow tests: "testAll() 68095 ms ✔"
}

// treeName is the length in bytes to which the tree cuts a longer name, before "...".
const treeName = 80

var treeMarks = []struct {
	sign string
	came read.Outcome
}{{" ✔", tool.Passed}, {" ✘", tool.Failed}, {" ↷", tool.Skipped}, {" ■", tool.Skipped}, {" [OK]", tool.Passed}, {" [X]", tool.Failed}, {" [S]", tool.Skipped}, {" [A]", tool.Skipped}}

// line takes a line above the list of failures.
func (c *consoleTree) line(s *read.Sink, text string) bool {
	row, ok := cutTreeRow(text)
	if n := len(c.path); !ok { // a further line of a failed test's message is deeper than its row
		said := strings.TrimLeft(text, "│| ")
		return n > 0 && c.path[n-1].came == tool.Failed && len([]rune(strings.TrimSuffix(text, said))) > c.path[n-1].depth
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

// leaf reports the last row as a test, if the next row, whose depth is next, is not below it.
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
	case last.came == tool.Failed: // the list of failures has it
		if listed := strings.Join(names, ":"); c.ids[listed] == "" {
			lex.Put(&c.ids, strings.Clone(listed), strings.Clone(id))
		}
	case n < 3:
	case cut:
		s.Unread("the tree cuts names of more than 80 characters")
	default:
		s.Ran(tool.Test{ID: id, Outcome: last.came, DurationMS: last.ms})
		s.Tests.Short()
	}
}

// treeID returns the id of a test from the names of the rows down to it, the engine first:
// "AccountTest.even(int)[2]". A class has no package in the tree. The number of a run is its position below the
// method, which nth returns.
func treeID(names []string, nth func(int) int) string {
	if len(names) < 2 {
		return names[0]
	}
	id := names[1]
	for i := 2; i < len(names); i++ {
		switch above := names[i-1]; {
		case i == 2 && i+1 < len(names) && names[i][0] == '[': // the parameters of a JUnit 4 class, which its methods repeat
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

// listedID returns the id of a test that the list of failures calls "JUnit Jupiter:AccountTest:even(int):[1] 1": the id
// of its row, if the tree was printed, otherwise one formed from this name.
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

// cutBranch splits the branch of the tree, "│  ├─ ", from a name. depth is the indent of the branch in characters.
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

// The dialects of JUnit XML that Gradle, and surefire and failsafe of Maven, write. Both keep
// the reports of a module in the module's directory.

var mavenReports = &tool.Dialect{
	Property: func(name string) bool {
		return strings.HasPrefix(name, "surefire.") || name == "maven.home" || name == "basedir"
	},
	Suite:   func(tag *tool.SuiteTag) bool { return strings.Contains(tag.Schema, "surefire") },
	Repeats: mavenRepeats,
	Sources: func(base, report string) (dir string, known bool) {
		if base != "" {
			return base + "/src/test", true
		}
		for _, reported := range [...]string{"target/surefire-reports/", "target/failsafe-reports/"} {
			if before, _, ok := strings.Cut(report, reported); ok {
				return before + "src/test", true
			}
		}
		return "", false
	},
}

var gradleReports = &tool.Dialect{
	Suite: func(tag *tool.SuiteTag) bool { // only the order of attributes shows that a report is Gradle's
		return !tag.All && strings.Join(tag.Attrs, " ") == "name tests skipped failures errors timestamp hostname time"
	},
	Repeats: func(line string) bool {
		return lex.HasAnyPrefix(line, "Failures:", "FAILURE: Build failed with an exception.", "> There were failing tests.", "Execution failed for task ':test'")
	},
	Sources: func(_, report string) (dir string, known bool) {
		before, task, ok := strings.Cut(report, "build/test-results/")
		if !ok {
			return "", false
		}
		task, _, _ = strings.Cut(task, "/")
		if strings.HasPrefix(task, "test") { // such as Android's testDebugUnitTest
			task = "test"
		}
		return before + "src/" + task, true
	},
}

func mavenRepeats(line string) bool {
	return strings.HasPrefix(line, "Failed to execute goal ") && strings.Contains(line, "There are test failures.") ||
		lex.HasAnyPrefix(line, "Failures:", "Errors:", "Tests in error:", "Failed tests:", "BUILD FAILURE", "[INFO] BUILD FAILURE", "There are test failures.", "Tests run: ", "-> [Help 1]", "[Help 1] http", "To see the full stack trace", "Re-run Maven using", "For more information about the errors",
			"Please refer to ", "See dump files", "After correcting the problems")
}

// feedNode is an engine, a class, a method or one run of a method.
type feedNode struct {
	above         *feedNode
	name          string
	class, method string // as --select-method takes them; "" if the output does not show them
	nth, below    int    // its number among the nodes below above, from 1; the number of nodes below it
	depth         int    // depth of its row, with --details=verbose
	started       bool   // testfeed announced it with STARTED, as it does for tests only
}

func (n *feedNode) add(name string) *feedNode {
	n.below++
	return &feedNode{above: n, name: strings.Clone(name), nth: n.below}
}

// path returns the nodes from the engine to n.
func (n *feedNode) path() []*feedNode {
	if n.above == nil {
		return nil
	}
	return append(n.above.path(), n)
}

func (n *feedNode) names() (names []string) {
	for _, up := range n.path() {
		names = append(names, up.name)
	}
	return names
}

func (n *feedNode) id() string {
	path := n.path()
	return treeID(n.names(), func(i int) int { return path[i].nth })
}

// identify takes class and method from "[engine:junit-jupiter]/[class:AccountTest]/[method:adds()]".
func (n *feedNode) identify(unique string) {
	for part := range strings.SplitSeq(unique, "/") {
		kind, value, _ := strings.Cut(strings.Trim(part, "[]"), ":")
		switch kind {
		case "class":
			n.class = strings.Clone(value)
		case "nested-class":
			n.class += "$" + value
		case "method", "test-template", "test-factory":
			n.method = strings.Clone(value)
		}
	}
}

// selectedBy returns the value of --select-method for a test, from the stack of its failure, or "". A row does not
// have the package, nor, for a test with a title, the method.
func (n *feedNode) selectedBy(stack []string) string {
	names := n.names()
	method := max(2, slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, "(") }))
	if len(names) <= method {
		return ""
	}
	for _, frame := range slices.Backward(stack) {
		function, _, _ := strings.Cut(strings.TrimPrefix(frame, "at "), "(")
		class, called, ok := lex.CutLast(function, ".")
		if !ok || strings.Contains(called, "$") || !strings.HasSuffix("."+class, "."+strings.Join(names[1:method], "$")) {
			continue
		}
		if strings.HasSuffix(names[method], ")") {
			called = names[method]
		}
		return class + "#" + called + index(strings.Join(names, ":"))
	}
	return ""
}
