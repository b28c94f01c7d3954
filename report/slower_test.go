package report

import (
	"testing"
)

// TestSinceSlower: the change of a duration is found where it is, through noise and single slow runs, and only where it is much.
func TestSinceSlower(t *testing.T) {
	noise := func(i int) int64 { return int64(i*7919%13) - 6 }
	series := func(of func(i int) int64) (took []taken) {
		for i := range 60 {
			took = append(took, taken{i + 100, of(i)})
		}
		return took
	}
	for name, c := range map[string]struct {
		of    func(i int) int64
		since int // 0: it has not become slower
	}{
		"at a run":             {func(i int) int64 { return 100 + noise(i) + 300*int64(min(i/40, 1)) }, 140},
		"most of the time":     {func(i int) int64 { return 100 + noise(i) + 300*int64(min(i/12, 1)) }, 112},
		"one fast run since":   {func(i int) int64 { return 100 + noise(i) + 300*int64(min(i/30, 1))*int64(min(i%50, 1)) }, 130},
		"single slow runs":     {func(i int) int64 { return 100 + noise(i) + 900*int64(1-min(i%9, 1)) }, 0},
		"faster":               {func(i int) int64 { return 600 - 400*int64(min(i/30, 1)) }, 0},
		"by less than twice":   {func(i int) int64 { return 1000 + 900*int64(min(i/30, 1)) }, 0},
		"by some milliseconds": {func(i int) int64 { return 10 + 15*int64(min(i/30, 1)) }, 0},
		"noise alone":          {func(i int) int64 { return 10 + int64(i*i*31%97)*int64(i%2) }, 0},
		"a short test":         {func(i int) int64 { return 10 + noise(i) + 40*int64(min(i/40, 1)) }, 140},
		"the same":             {func(int) int64 { return 5 }, 0},
		"the last two alone":   {func(i int) int64 { return 100 + 900*int64(min(i/58, 1)) }, 0},
	} {
		got := sinceSlower(series(c.of))
		if (got != nil) != (c.since > 0) || got != nil && got.At != c.since {
			t.Errorf("%s: %+v, want since %d", name, got, c.since)
		}
	}
	if got := sinceSlower(nil); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
