package outcomes

import (
	"strings"
	"testing"
)

func list(lines ...string) (l List) {
	for _, line := range lines {
		outcome, id, _ := strings.Cut(line, " ")
		l = append(l, Test{ID: id, Outcome: Outcome(outcome)})
	}
	l.Sort()
	return l
}

func TestCompare(t *testing.T) {
	before := list("passed a.py::x", "passed a.py::y", "failed a.py::z[1]", "passed a.py::moves", "skipped a.py::s", "passed a.py::two", "passed c.py::two", "passed a.py::w", "failed a.py::v", "skipped a.py::u")
	now := list("skipped a.py::x", "passed a.py::y", "xfailed a.py::z[1]", "passed b.py::moves", "skipped a.py::s", "passed b.py::two", "passed a.py::f1", "passed a.py::f2", "passed a.py::v", "flaky a.py::u")
	c := Compare(before, now)
	names := func(l List) (all []string) {
		for _, t := range l {
			all = append(all, t.ID)
		}
		return all
	}
	for what, got := range map[string][]string{
		"a.py::two a.py::w c.py::two": names(c.Gone), "a.py::f1 a.py::f2 b.py::two": names(c.New),
		"a.py::x": names(c.Skipped), "a.py::z[1]": names(c.XFailed), "a.py::u a.py::v": names(c.Passed),
	} {
		if strings.Join(got, " ") != what {
			t.Errorf("%q, want %q", got, what)
		}
	}
	if len(c.Moved) != 1 || c.Moved[0].From.ID != "a.py::moves" || c.Moved[0].To.ID != "b.py::moves" {
		t.Errorf("moved: %+v", c.Moved)
	}
	if same := Compare(before, before); len(same.Gone)+len(same.New)+len(same.Moved)+len(same.Skipped)+len(same.XFailed)+len(same.Passed) > 0 {
		t.Errorf("a list differs from itself: %+v", same)
	}
	named := list("passed a.py::x", "failed a.py::y")
	for i := range named {
		named[i].Tool = "pytest" // as where another tool ran tests in the same command
	}
	if c := Compare(named, list("passed a.py::x", "passed a.py::y")); len(c.Gone)+len(c.New)+len(c.Moved) > 0 || len(c.Passed) != 1 {
		t.Errorf("without the name of the tool: %+v", c)
	}
}

// TestPairs: what is one test under another id is guessed only where nothing else could be meant.
func TestPairs(t *testing.T) {
	for _, c := range []struct{ about, before, now, moved, gone string }{
		{"a file renamed", "a.py::T::x a.py::U::x a.py::T::y[1]", "b.py::T::x b.py::U::x b.py::T::y[1]", "a.py::T::x=b.py::T::x a.py::T::y[1]=b.py::T::y[1] a.py::U::x=b.py::U::x", ""},
		{"a suite renamed", "a.py::T::x", "a.py::V::x", "a.py::T::x=a.py::V::x", ""},
		{"a parameter", "a.py::x[1-2] a.py::x[3-4]", "a.py::x[1-2] a.py::x[3-5]", "a.py::x[3-4]=a.py::x[3-5]", ""},
		{"two parameters", "a.py::x[1] a.py::x[2]", "a.py::x[3] a.py::x[4]", "", "a.py::x[1] a.py::x[2]"},
		{"a test renamed", "a.py::x a.py::z", "a.py::y a.py::z", "a.py::x=a.py::y", ""},
		{"a test with parameters renamed", "a.py::x[1] a.py::x[2]", "a.py::y[1] a.py::y[2]", "a.py::x[1]=a.py::y[1] a.py::x[2]=a.py::y[2]", ""},
		{"one gone, one new elsewhere", "a.py::x", "b.py::y", "", "a.py::x"},
		{"two gone, one new", "a.py::x a.py::z", "a.py::y", "", "a.py::x a.py::z"},
		{"other names altogether", "x", "y", "", "x"},
		{"times as parameters", "a.py::x[02:20:22+2026-11-27] a.py::x[11-27-2026+02:20:22] a.py::y[1732675222]", "a.py::x[02:20:25+2026-11-27] a.py::x[11-27-2026+02:20:25] a.py::y[1732675299]", "", ""},
		{"fewer times as parameters", "a.py::x[02:20:22] a.py::x[02:20:23]", "a.py::x[02:20:25]", "", "a.py::x[02:20:22] a.py::x[02:20:23]"},
		{"a version", "a.py::x[1.2.3]", "a.py::x[1.2.4]", "a.py::x[1.2.3]=a.py::x[1.2.4]", ""},
		{"classes and methods", "com.A#x com.A#y", "com.B#x com.B#y", "com.A#x=com.B#x com.A#y=com.B#y", ""},
	} {
		ids := func(line string) (l List) {
			for _, id := range strings.Fields(line) {
				l = append(l, Test{ID: id, Outcome: Passed})
			}
			l.Sort()
			return l
		}
		got := Compare(ids(c.before), ids(c.now))
		var moved, gone []string
		for _, m := range got.Moved {
			moved = append(moved, m.From.ID+"="+m.To.ID)
		}
		for _, t := range got.Gone {
			gone = append(gone, t.ID)
		}
		if strings.Join(moved, " ") != c.moved || strings.Join(gone, " ") != c.gone {
			t.Errorf("%s: moved %q, want %q; gone %q, want %q", c.about, moved, c.moved, gone, c.gone)
		}
		if len(got.New) != len(got.Gone) && c.about != "two gone, one new" && !strings.HasPrefix(c.about, "fewer") {
			t.Errorf("%s: new %+v", c.about, got.New)
		}
	}
}

// TestTimeAndSkipped: a test whose name holds the time, and which is skipped now, is still told.
func TestTimeAndSkipped(t *testing.T) {
	for _, outcome := range []string{"skipped", "xfailed"} {
		c := Compare(list("passed a.py::x[02:20:22]", "passed a.py::x[02:20:23]"), list("passed a.py::x[02:20:25]", outcome+" a.py::x[02:20:26]"))
		if len(c.Gone) == 0 && len(c.Moved) == 0 {
			t.Errorf("%s: nothing is gone, renamed or skipped: %+v", outcome, c)
		}
	}
	if c := Compare(list("passed a.py::x[02:20:22]"), list("failed a.py::x[02:20:25]")); len(c.Gone)+len(c.New)+len(c.Moved) > 0 {
		t.Errorf("the same test, which fails now: %+v", c)
	}
}
