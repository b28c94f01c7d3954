package read

import (
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// TestTotal: a closing line that counts what is listed above it, or below it, ended a run; one
// that a test printed did not.
func TestTotal(t *testing.T) {
	find := func(s *Sink, n int) {
		for range n {
			s.Find(tool.Line{}, result.Finding{Severity: result.SevFailure})
		}
	}
	count := func(failed, passed int) map[string]int { return map[string]int{"failed": failed, "passed": passed} }
	for _, c := range []struct {
		name           string
		runs           func(s *Sink)
		failed, passed int
	}{
		{"one run", func(s *Sink) { find(s, 2); s.Total(2, count(2, 3)) }, 2, 3},
		{"a run that passed behind it", func(s *Sink) { find(s, 2); s.Total(2, count(2, 3)); s.Total(0, count(0, 5)) }, 2, 8},
		{"failures below their counts", func(s *Sink) { s.Total(1, count(1, 3)); find(s, 1); s.Total(0, count(0, 5)) }, 1, 8},
		{"counts that a test printed", func(s *Sink) { s.Total(0, count(0, 9)); find(s, 1); s.Total(1, count(1, 0)) }, 1, 0},
		{"failures that a test printed", func(s *Sink) { s.Total(4, count(4, 9)); find(s, 1); s.Total(1, count(1, 0)) }, 1, 0},
		{"a head between", func(s *Sink) { s.Total(0, count(0, 9)); s.EndHere(); s.Anew(); find(s, 1); s.Total(1, count(1, 0)) }, 1, 9},
	} {
		s := NewSink(input("x", "", ""))
		c.runs(s)
		if s.Counts["failed"] != c.failed || s.Counts["passed"] != c.passed {
			t.Errorf("%s: counts %v, want %d failed, %d passed", c.name, s.Counts, c.failed, c.passed)
		}
	}
}
