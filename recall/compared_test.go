package recall

import (
	"strings"
	"testing"

	"cairn/manifest"
	"cairn/result"
)

func compared(t *testing.T, b *book, rec *manifest.Record, against string, without func(*manifest.Record) bool) (*Compared, *result.ToolResult) {
	t.Helper()
	r, err := rec.Result()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(t.Context(), b.Site, rec, r, against, without)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

// TestCompare: each finding of either run is new, still there, fixed or gone.
func TestCompare(t *testing.T) {
	b := newBook(t)
	first := b.capture("", pytest("a", "b", "c"), on("c1", "main"))
	second := b.capture("", pytest("b", "d"), on("c2", "main"))
	c, r := compared(t, b, second, "", nil)
	if c.Base.ID != first.ID || r.Findings[0].Baseline != result.BaselineStill || r.Findings[1].Baseline != result.BaselineNew ||
		strings.Join(messages(c.Fixed), " ") != "a c" || len(c.Gone)+c.Unnamed != 0 {
		t.Errorf("%+v, %+v", c, r.Findings)
	}

	green := b.capture("", pytest(), on("c3", "main"))
	if c, _ = compared(t, b, green, "", nil); len(c.Fixed) != 2 || len(c.Gone) != 0 {
		t.Errorf("a run that passed: %+v", c)
	}
	if c, _ = compared(t, b, green, "", func(rec *manifest.Record) bool { return rec.ID == second.ID }); c.Base.ID != first.ID || len(c.Fixed) != 3 {
		t.Errorf("without the run before: %+v", c)
	}

	broken := pytest("b")
	broken.Findings[0].Kind = result.BuildError
	if c, _ = compared(t, b, b.capture("", broken, on("c4", "main")), first.ID, nil); len(c.Fixed) != 0 || len(c.Gone) == 0 || c.Why == "" {
		t.Errorf("tests that may not have run: %+v", c)
	}
	partial := b.capture("", pytest("b"), on("c5", "main"), func(rec *manifest.Record) { rec.Partial = true })
	if c, r = compared(t, b, partial, "", nil); c.Base != nil || r.Findings[0].Baseline != "" {
		t.Errorf("a run that was cut short: %+v", c)
	}
}

// TestCompareOnBranch: a branch is named where the commit that is checked out has none, as in CI.
func TestCompareOnBranch(t *testing.T) {
	b := newBook(t)
	main := b.capture("", pytest("a"), on("c1", "main"))
	b.capture("", pytest("x"), on("c2", "topic"))
	c, r := compared(t, b, b.capture("", pytest("a", "b"), on("c3", "")), AgainstOn+"main", nil)
	if c.Base == nil || c.Base.ID != main.ID || r.Findings[0].Baseline != result.BaselineStill || len(c.Took) != 2 {
		t.Errorf("%+v", c)
	}
}
