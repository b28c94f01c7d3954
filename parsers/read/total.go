package read

import "maps"

// totals is what the closing lines of the runs so far have counted.
type totals struct {
	before map[string]int // by runs that are over
	listed int            // failures that were read above the last closing line
	bad    int            // failures that the last closing line counts
	over   bool           // the last closing line was a runner's own
}

// Total takes the counts of a closing line, of which bad are failures and errors. The last
// line holds, for a test may print another program's. But one that counts as many failures as
// are listed above it, or below it, ended a run, as of a loop over files or the apps of an
// umbrella; what comes behind it is another run, and is added.
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

// Anew takes the head of a run: what was counted above it is of another one.
func (s *Sink) Anew() { s.totals.over = s.totals.over || s.closed }
