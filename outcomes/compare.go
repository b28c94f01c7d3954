package outcomes

import "strings"

// Change is how the tests of two runs of one command differ.
type Change struct {
	Gone    List // ran before, and are not in the list now
	New     List // the other way round
	Moved   []Move
	Skipped List // ran before, and are skipped or not run now
	XFailed List // are expected to fail now, and were not before
}

// Move is a test that is gone and another one that is new, of which it is guessed that they
// are one: no other test that is gone or new has the same name in its file.
type Move struct{ From, To Test }

// Compare compares two sorted lists. Both have to be complete.
func Compare(before, now List) (c Change) {
	for i, j := 0, 0; i < len(before) || j < len(now); {
		switch {
		case j == len(now) || i < len(before) && less(&before[i], &now[j]):
			if before[i].ran() {
				c.Gone = append(c.Gone, before[i])
			}
			i++
		case i == len(before) || less(&now[j], &before[i]):
			c.New = append(c.New, now[j])
			j++
		default:
			c.changed(&before[i], &now[j])
			i, j = i+1, j+1
		}
	}
	c.pair()
	return c
}

func less(a, b *Test) bool { return a.ID < b.ID || a.ID == b.ID && a.Tool < b.Tool }

func (c *Change) changed(was, is *Test) {
	switch {
	case was.ran() && !is.ran():
		c.Skipped = append(c.Skipped, *is)
	case was.Outcome != XFailed && was.Outcome != XPassed && is.Outcome == XFailed:
		c.XFailed = append(c.XFailed, *is)
	}
}

func (t *Test) ran() bool { return t.Outcome != Skipped && t.Outcome != NotRun }

// pair takes what seems to have moved out of Gone and New.
func (c *Change) pair() {
	gone, fresh := byName(c.Gone), byName(c.New)
	left := c.Gone[:0:0]
	moved := map[string]bool{}
	for _, t := range c.Gone {
		name := nameOf(t.ID)
		if len(gone[name]) != 1 || len(fresh[name]) != 1 {
			left = append(left, t)
			continue
		}
		c.Moved = append(c.Moved, Move{t, c.New[fresh[name][0]]})
		moved[c.New[fresh[name][0]].ID] = true
	}
	c.Gone = left
	fresher := c.New[:0:0]
	for _, t := range c.New {
		if !moved[t.ID] {
			fresher = append(fresher, t)
		}
	}
	c.New = fresher
}

func byName(l List) map[string][]int {
	names := map[string][]int{}
	for i := range l {
		names[nameOf(l[i].ID)] = append(names[nameOf(l[i].ID)], i)
	}
	return names
}

// nameOf is a test's own name: its id without the file, the package or the suites.
func nameOf(id string) string {
	params := len(id)
	if i := strings.IndexByte(id, '['); i > 0 && strings.HasSuffix(id, "]") {
		params = i
	}
	name := id[:params]
	for _, joint := range []string{"::", " › ", " > ", "#", "."} {
		if i := strings.LastIndex(name, joint); i >= 0 {
			return id[i+len(joint):]
		}
	}
	return id
}
