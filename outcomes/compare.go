package outcomes

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Change is how the tests of two runs of one command differ. Each list is sorted by id.
type Change struct {
	Gone    List // ran before, and are not in the list now
	New     List // are in the list now only
	Moved   []Move
	Skipped List // ran before, and are skipped or not run now
	XFailed List // are expected to fail now, and were not before
	Passed  List // pass now, and did not before
}

// Move is a test that is gone (From) and a new test (To) that is probably the same one:
// see pair.
type Move struct{ From, To Test }

// Compare compares two sorted lists, both of which have to be complete. A parent is
// left out, since its subtests have entries of their own.
func Compare(before, now List) (c Change) {
	for i, j := 0, 0; i < len(before) || j < len(now); {
		switch {
		case j == len(now) || i < len(before) && less(&before[i], &now[j]):
			if before[i].Outcome.Ran() && !before[i].Parent {
				c.Gone = append(c.Gone, before[i])
			}
			i++
		case i == len(before) || less(&now[j], &before[i]):
			if !now[j].Parent {
				c.New = append(c.New, now[j])
			}
			j++
		default:
			c.changed(&before[i], &now[j])
			i, j = i+1, j+1
		}
	}
	c.sameButTime()
	c.pair()
	return c
}

// clocks matches parts of a test's parameters that change from run to run, mostly the time of the run: times, dates,
// long numbers, addresses, UUIDs.
var clocks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?|\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\b\d{10,}(\.\d+)?\b|\b0x[0-9a-f]{8,}\b|\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b`)
})

// sameButTime takes out of Gone and New the tests whose ids differ only in what clocks matches, if both runs have the
// same number of tests under such an id. A test that is skipped now, or expected to fail, stays in the list.
func (c *Change) sameButTime() {
	if len(c.Gone) == 0 || len(c.New) == 0 {
		return
	}
	key := func(n name) string { return n.file + n.suite + n.own + clocks().ReplaceAllString(n.params, "\x00") }
	counted := func(t Test) bool { return t.Outcome.Ran() && t.Outcome != XFailed }
	gone, fresh := by(c.Gone.only(counted), key), by(c.New.only(counted), key)
	is := func(t Test) bool {
		k := key(nameOf(t.ID))
		return counted(t) && strings.Contains(k, "\x00") && len(gone[k]) == len(fresh[k])
	}
	c.Gone, c.New = slices.DeleteFunc(c.Gone, is), slices.DeleteFunc(c.New, is)
}

// less orders tests by id and tool. Only a run of several tools names the tool of a test, so no tool is any tool.
func less(a, b *Test) bool {
	return a.ID < b.ID || a.ID == b.ID && a.Tool != "" && b.Tool != "" && a.Tool < b.Tool
}

func (c *Change) changed(was, is *Test) {
	switch {
	case was.Parent && is.Parent:
	case was.Outcome.Ran() && !is.Outcome.Ran():
		c.Skipped = append(c.Skipped, *is)
	case was.Outcome != XFailed && was.Outcome != XPassed && is.Outcome == XFailed:
		c.XFailed = append(c.XFailed, *is)
	case !was.passed() && is.passed():
		c.Passed = append(c.Passed, *is)
	}
}

func (t *Test) passed() bool { return t.Outcome == Passed || t.Outcome == Flaky }

// sameTest are keys that a gone test and a new one share if they are the same test, the surest
// first. A key that several gone tests share, or several new ones, proves nothing.
var sameTest = []func(id name) string{
	func(n name) string { return n.suite + n.own + n.params },           // the test moved to another file
	func(n name) string { return n.own + n.params },                     // the test moved to another suite, too
	func(n name) string { return n.file + n.suite + n.own },             // the test has other parameters
	func(n name) string { return n.file + n.suite + "\x00" + n.params }, // the test has another name
}

// pair takes out of Gone and New the tests that seem to have moved, or to have other parameters or another name.
func (c *Change) pair() {
	if len(c.Gone) == 0 || len(c.New) == 0 {
		return
	}
	for _, same := range sameTest {
		gone, fresh := by(c.Gone, same), by(c.New, same)
		paired := map[string]bool{}
		for key, from := range gone {
			if to := fresh[key]; len(from) == 1 && len(to) == 1 && strings.Trim(key, "\x00") != "" {
				c.Moved = append(c.Moved, Move{c.Gone[from[0]], c.New[to[0]]})
				paired[key] = true
			}
		}
		is := func(t Test) bool { return paired[same(nameOf(t.ID))] }
		c.Gone, c.New = slices.DeleteFunc(c.Gone, is), slices.DeleteFunc(c.New, is)
	}
	slices.SortFunc(c.Moved, func(a, b Move) int { return strings.Compare(a.From.ID, b.From.ID) })
}

// only is the tests of a list for which fits is true.
func (l List) only(fits func(Test) bool) (some List) {
	for _, t := range l {
		if fits(t) {
			some = append(some, t)
		}
	}
	return some
}

func by(l List, key func(name) string) map[string][]int {
	keys := map[string][]int{}
	for i := range l {
		k := key(nameOf(l[i].ID))
		keys[k] = append(keys[k], i)
	}
	return keys
}

// name is an id in its parts: the file, package or binary; the suites in that; the test's own name; and its parameters.
type name struct{ file, suite, own, params string }

func nameOf(id string) (n name) {
	if i := strings.IndexByte(id, '['); i > 0 && strings.HasSuffix(id, "]") {
		id, n.params = id[:i], id[i:]
	}
	for _, joint := range []string{"::", " › ", " > ", "#", "."} {
		last := strings.LastIndex(id, joint)
		if last < 0 {
			continue
		}
		last += len(joint)
		first := strings.Index(id, joint) + len(joint)
		n.file, n.suite, n.own = id[:first], id[first:last], id[last:]
		return n
	}
	n.own = id
	return n
}
