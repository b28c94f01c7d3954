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
	before := list("passed a.py::x", "passed a.py::y", "failed a.py::z[1]", "passed a.py::moves", "skipped a.py::s", "passed a.py::two", "passed c.py::two", "passed a.py::w")
	now := list("skipped a.py::x", "passed a.py::y", "xfailed a.py::z[1]", "passed b.py::moves", "skipped a.py::s", "passed b.py::two", "passed a.py::fresh")
	c := Compare(before, now)
	names := func(l List) (all []string) {
		for _, t := range l {
			all = append(all, t.ID)
		}
		return all
	}
	for what, got := range map[string][]string{
		"a.py::two a.py::w c.py::two": names(c.Gone), "a.py::fresh b.py::two": names(c.New),
		"a.py::x": names(c.Skipped), "a.py::z[1]": names(c.XFailed),
	} {
		if strings.Join(got, " ") != what {
			t.Errorf("%q, want %q", got, what)
		}
	}
	if len(c.Moved) != 1 || c.Moved[0].From.ID != "a.py::moves" || c.Moved[0].To.ID != "b.py::moves" {
		t.Errorf("moved: %+v", c.Moved)
	}
	if same := Compare(before, before); len(same.Gone)+len(same.New)+len(same.Moved)+len(same.Skipped)+len(same.XFailed) > 0 {
		t.Errorf("a list differs from itself: %+v", same)
	}
}
