package recall

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"runtime/debug"
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

// Flakiness is what the captures of a span of time tell of flaky tests.
type Flakiness struct {
	Tests    []FlakyTest // the likeliest to fail first
	Captures int         // that were looked at
	Evidence int         // of these, that count
}

// Flaky lists the tests that gave different verdicts on the same tree. Only captures of a commit's tree without changes count,
// and only those that account for all of their output and in which nothing kept
// tests from running. Files that git does not track may differ all the same.
func Flaky(ctx context.Context, s *place.Site, since time.Time) (Flakiness, error) {
	x, err := openIndex(ctx, s, index.Findings, index.Keys, index.Commands, index.Wheres, index.Flags)
	if err != nil {
		return Flakiness{}, err
	}
	defer x.Close()
	// Much of what is made here is kept to the end: without this the heap might grow to
	// several times that before it is collected.
	defer debug.SetGCPercent(debug.SetGCPercent(flakyGC))
	f := &flakes{x: x, since: since, failing: x.choose(isTest), texts: map[*index.Segment]*textHashes{}, verdicts: map[uint64]verdicts{}, trees: map[string]*treeRuns{}}
	// First on which trees the verdicts differ at all, by hashes; then all runs of
	// those. A hash that two trees share makes for one too many, never for one too few.
	if err := x.Each(false, f.compare); err != nil {
		return Flakiness{}, err
	}
	maps.DeleteFunc(f.verdicts, func(_ uint64, v verdicts) bool { return !v.differ })
	if err := x.Each(false, f.gather); err != nil {
		return Flakiness{}, err
	}
	f.found.Tests, err = f.tests()
	return f.found, err
}

// flakyGC is how much garbage may lie about, in percent of what is alive.
const flakyGC = 50

func isTest(f findingRow) bool { return f.Kind == string(result.TestFailure) && f.Group != "" }

type flakes struct {
	x        *rows
	since    time.Time
	found    Flakiness
	failing  map[*index.Segment][]bool // findings that are failed tests
	texts    map[*index.Segment]*textHashes
	verdicts map[uint64]verdicts  // by hash of command key and tree
	trees    map[string]*treeRuns // by command key and tree, of those where verdicts differ
}

// verdicts is the failed tests of all runs of one command on one tree: a hash of
// those of the first, and whether a later run had others.
type verdicts struct {
	first  uint64
	differ bool
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

// counts says whether a run is evidence.
func (f *flakes) counts(r row) bool {
	return r.is(rowClean) && r.proves(true) && !r.is(rowLost) && !r.s.Time(r.i).Before(f.since)
}

func (f *flakes) compare(s *index.Segment, i int) bool {
	r := row{s, i}
	if r.s.Time(r.i).Before(f.since) {
		return true
	}
	f.found.Captures++
	if !f.counts(r) {
		return true
	}
	f.found.Evidence++
	t := f.texts[s]
	if t == nil {
		t = newTextHashes(s)
		f.texts[s] = t
	}
	at := t.tree(r)
	failed := t.failed(r, f.failing[s], func(n uint32) string { return readFinding(s.Finding(n)).Group })
	v, known := f.verdicts[at]
	switch {
	case at == 0:
	case !known:
		f.verdicts[at] = verdicts{first: failed}
	case v.first != failed && !v.differ:
		v.differ = true
		f.verdicts[at] = v
	}
	return true
}

func (f *flakes) gather(s *index.Segment, i int) bool {
	r := row{s, i}
	if !f.counts(r) {
		return true
	}
	if _, differ := f.verdicts[f.texts[s].tree(r)]; !differ {
		return true
	}
	_, _, tree := r.where()
	at := r.key() + part + tree
	t := f.trees[at]
	if t == nil {
		t = &treeRuns{failed: map[string]*testRuns{}}
		f.trees[at] = t
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

// textHashes are hashes of the texts of one segment, by number; 0 where it was not
// asked for yet.
type textHashes struct {
	keys, trees []uint64 // of texts that are command keys, and of those that are places
	groups      []uint64 // of findings
	run         []uint64 // of one run, for failed
}

// noText is the hash of a text that says nothing. Those of others are odd.
const noText = 2

// seed is one for the process: no hash is kept.
var seed = maphash.MakeSeed()

func newTextHashes(s *index.Segment) *textHashes {
	return &textHashes{keys: make([]uint64, s.Texts()), trees: make([]uint64, s.Texts()), groups: make([]uint64, s.Findings())}
}

func (t *textHashes) hash(of []uint64, n uint32, text func() string) uint64 {
	if of[n] == 0 {
		of[n] = noText
		if s := text(); s != "" {
			of[n] = maphash.String(seed, s) | 1
		}
	}
	return of[n]
}

// tree is a hash of what a run ran on; 0 where that is not known.
func (t *textHashes) tree(r row) uint64 {
	key := t.hash(t.keys, r.s.Key(r.i), r.key)
	tree := t.hash(t.trees, r.s.Where(r.i), func() string {
		_, _, tree := r.where()
		return tree
	})
	if key == noText || tree == noText {
		return 0
	}
	const odd = 0x9e3779b97f4a7c15 // keeps the two from cancelling each other
	return (key*odd ^ tree) | 1
}

// failed is a hash of the tests that failed in a run, each of which counts once.
func (t *textHashes) failed(r row, tests []bool, groupOf func(n uint32) string) (sum uint64) {
	t.run = t.run[:0]
	for _, n := range r.s.Has(r.i) {
		if !tests[n] {
			continue
		}
		if h := t.hash(t.groups, n, func() string { return groupOf(n) }); !slices.Contains(t.run, h) {
			t.run = append(t.run, h)
			sum += h
		}
	}
	return sum
}
