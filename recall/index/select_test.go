package index

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// selections compares each way to select rows with a walk over all of them.
func selections(t tester, x *Index) {
	t.Helper()
	finding := map[*Segment][]bool{}
	for _, s := range x.Segments() {
		for n := range s.Findings() {
			finding[s] = append(finding[s], s.Finding(uint32(n)) < "000000000004")
		}
	}
	isKey := func(text string) bool { return text == "key3" || text == "partial" }
	for name, way := range map[string]struct {
		choose func(s *Segment, add func(int))
		is     func(s *Segment, i int) bool
	}{
		"by finding": {func(s *Segment, add func(int)) { s.Having(finding[s], add) }, func(s *Segment, i int) bool { return s.HasAny(i, finding[s]) }},
		"by key":     {func(s *Segment, add func(int)) { s.Being(Keys, isKey, add) }, func(s *Segment, i int) bool { return isKey(s.Text(s.Key(i))) }},
		"none":       {func(*Segment, func(int)) {}, func(*Segment, int) bool { return false }},
	} {
		for _, newest := range []bool{false, true} {
			var want, got []string
			tellIf := func(into *[]string) func(s *Segment, i int) bool {
				return func(s *Segment, i int) bool {
					if way.is(s, i) {
						*into = append(*into, s.Text(s.Who(i))+" "+s.Text(s.Key(i)))
					}
					return true
				}
			}
			if err := x.Each(newest, tellIf(&want)); err != nil {
				t.Fatal(err)
			}
			if err := x.Select(way.choose).Each(newest, tellIf(&got)); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(want, got) {
				t.Fatalf("%s, newest first %v: selected %q, not %q", name, newest, got, want)
			}
		}
	}
}

// TestNextIn: the next bit, in both directions, as one by one.
func TestNextIn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(rt, "rows")
		set := make([]uint64, (n+63)/64)
		for _, i := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(rt, "set") {
			set[i/64] |= 1 << (i % 64)
		}
		from, step := rapid.IntRange(0, n-1).Draw(rt, "from"), rapid.SampledFrom([]int{1, -1}).Draw(rt, "step")
		end := map[int]int{1: n, -1: -1}[step]
		want := from
		for want != end && set[want/64]&(1<<(want%64)) == 0 {
			want += step
		}
		if got := nextIn(set, from, step, end); got != want {
			rt.Fatalf("from %d by %d: %d, not %d", from, step, got, want)
		}
	})
}
