package read

import (
	"maps"

	"cairn/parsers/tool"
)

// totals are the counts of the closing lines so far.
type totals struct {
	before map[string]int // by runs that have ended
	listed int            // how many failures were read above the last closing line
	bad    int            // how many failures the last closing line counts
	over   bool           // the last closing line certainly ended a run
}

// Total takes the counts of a closing line; bad of them are failures and errors. Normally the last closing line
// replaces earlier ones, since a test may print another program's. But a line that counts exactly the failures
// listed above it, or below it, ended a run, as in a loop over files or over the apps of an umbrella project; then
// the next closing line is another run's, and is added.
func (s *Sink) Total(bad int, counts map[string]int) {
	t, failures := &s.totals, s.Failures()
	if t.over || t.bad > 0 && failures-t.listed == t.bad {
		t.before = maps.Clone(s.Counts)
	}
	clear(s.Counts)
	maps.Copy(s.Counts, t.before)
	for key, n := range counts {
		s.Counts[key] += n
	}
	t.over = bad > 0 && failures-t.listed == bad
	t.listed, t.bad = failures, bad
	s.Claim(bad)
}

// Sum takes the closing line of a test runner that says how many tests there were, and how many of them did not pass.
func (s *Sink) Sum(l tool.Line, tests, failed, errors, skipped int) bool {
	for key, n := range map[string]int{"error": errors, "skipped": skipped} {
		if n > 0 {
			s.Count(key, n)
		}
	}
	s.Claim(errors)
	s.Fails(failed)
	s.Count("passed", max(0, tests-failed-errors-skipped))
	return s.Ended(l)
}

// Counted takes a test of a runner that prints no counts of its own.
func (s *Sink) Counted(t tool.Test) {
	s.Ran(t)
	s.Count(string(t.Outcome), 1)
	s.Tested = true
}

// Fails takes the number of tests that failed, as the tool counts them.
func (s *Sink) Fails(n int) {
	s.Count("failed", n)
	s.Claim(n)
}

// Ended takes the closing line of a run of tests.
func (s *Sink) Ended(l tool.Line) bool {
	s.Tested = true
	return s.Close(l)
}

// Anew takes the head of a run: counts above it belong to another run.
func (s *Sink) Anew() { s.totals.over = s.totals.over || s.closed }
