package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/recall/index"
	"cairn/result"
)

// FlakyTest is a test that failed and did not fail on one and the same tree,
// under one and the same command.
type FlakyTest struct {
	Group   string         // the test, whatever it says
	Finding result.Finding // as last seen
	Command string         // of the last such pair
	// Failed and Runs count the runs on trees where it did both; Trees counts
	// those, a tree under two commands as two.
	Failed, Runs, Trees int
	LastFailed          string // a run that failed
	LastPassed          string // one on the same tree that did not
	Last                time.Time
}

// Flaky lists the tests that gave different verdicts on the same tree, the
// likeliest to fail first. Only captures of a commit's tree without changes count,
// and only those that account for all of their output and in which nothing kept
// tests from running. Files that git does not track may differ all the same.
func Flaky(ctx context.Context, s *place.Site, since time.Time) ([]FlakyTest, error) {
	x, err := openIndex(ctx, s, index.Findings, index.Keys, index.Commands, index.Wheres, index.Flags)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	f := &flakes{x: x, since: since, failing: x.choose(isTest), trees: map[string]*treeRuns{}}
	// First which trees have a failing test at all, then all runs of those.
	if err := x.Each(false, f.first); err != nil {
		return nil, err
	}
	if err := x.Each(false, f.second); err != nil {
		return nil, err
	}
	return f.tests()
}

func isTest(f findingRow) bool { return f.Kind == string(result.TestFailure) && f.Group != "" }

type flakes struct {
	x       *rows
	since   time.Time
	failing map[*index.Segment][]bool // findings that are failed tests
	trees   map[string]*treeRuns      // by command key and tree
}

// treeRuns is the runs of one command on one tree.
type treeRuns struct {
	runs   int                  // that account for everything
	failed map[string]*testRuns // by group
	all    []row
}

type testRuns struct {
	n    int
	last row
	f    findingRow
	runs []int // which of treeRuns.all
}

// counts says whether a run is evidence, and of which tree.
func (f *flakes) counts(r row) (string, bool) {
	if !r.is(rowClean) || !r.proves(true) || r.is(rowLost) || r.s.Time(r.i).Before(f.since) {
		return "", false
	}
	_, _, tree := r.where()
	return r.key() + part + tree, tree != "" && r.key() != ""
}

func (f *flakes) first(s *index.Segment, i int) bool {
	if r := (row{s, i}); s.HasAny(i, f.failing[s]) {
		if at, ok := f.counts(r); ok && f.trees[at] == nil {
			f.trees[at] = &treeRuns{failed: map[string]*testRuns{}}
		}
	}
	return true
}

func (f *flakes) second(s *index.Segment, i int) bool {
	r := row{s, i}
	if !r.is(rowClean) {
		return true
	}
	at, ok := f.counts(r)
	t := f.trees[at]
	if !ok || t == nil {
		return true
	}
	t.runs++
	t.all = append(t.all, r)
	for _, n := range s.Has(i) {
		if !f.failing[s][n] {
			continue
		}
		found := f.x.finding(s, n)
		run := t.failed[found.Group]
		if run == nil {
			run = &testRuns{}
			t.failed[found.Group] = run
		}
		if run.n == 0 || run.last != r { // once a run, however often it says so
			run.n++
			run.runs = append(run.runs, len(t.all)-1)
		}
		run.last, run.f = r, found
	}
	return true
}

// tests adds up the trees.
func (f *flakes) tests() ([]FlakyTest, error) {
	byGroup := map[string]*FlakyTest{}
	newest := map[string][2]row{}
	for _, t := range f.trees {
		for group, run := range t.failed {
			if run.n == t.runs {
				continue
			}
			test := byGroup[group]
			if test == nil {
				test = &FlakyTest{Group: group}
				byGroup[group] = test
			}
			test.Failed, test.Runs, test.Trees = test.Failed+run.n, test.Runs+t.runs, test.Trees+1
			if at := run.last.s.Time(run.last.i); at.After(test.Last) || at.Equal(test.Last) && run.f.Fingerprint > test.Finding.Fingerprint {
				test.Last, test.Finding, test.Command = at, run.f.finding(), run.last.s.Text(run.last.s.Command(run.last.i))
				newest[group] = [2]row{run.last, t.without(run)}
			}
		}
	}
	var all []FlakyTest
	for group, test := range byGroup {
		var err error
		if test.LastFailed, err = f.runOf(newest[group][0]); err == nil {
			test.LastPassed, err = f.runOf(newest[group][1])
		}
		if err != nil {
			return nil, err
		}
		all = append(all, *test)
	}
	slices.SortFunc(all, func(a, b FlakyTest) int {
		return cmp.Or(cmp.Compare(b.Failed*a.Runs, a.Failed*b.Runs), cmp.Compare(b.Runs, a.Runs), strings.Compare(a.Group, b.Group))
	})
	return all, nil
}

// without is the last run on the tree in which the test did not fail.
func (t *treeRuns) without(run *testRuns) row {
	for i := len(t.all) - 1; ; i-- {
		if !slices.Contains(run.runs, i) {
			return t.all[i]
		}
	}
}

func (f *flakes) runOf(r row) (string, error) {
	rec, err := f.x.Record(r.s, r.i)
	if err != nil {
		return "", err
	}
	return rec.ID, nil
}
