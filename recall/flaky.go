package recall

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/internal/place"
	"cairn/recall/index"
	"cairn/result"
)

// FlakyTest is a test that failed in one run and did not fail in another, with the same
// command on the same tree.
type FlakyTest struct {
	Group string `json:"group"` // the finding's group: the same test with any message
	// Failed and Runs count the runs on trees where the test both failed and did not
	// fail. Trees counts those trees, a tree under two commands as two.
	Failed     int            `json:"failed"`
	Runs       int            `json:"runs"`
	Trees      int            `json:"trees"`
	Command    string         `json:"command"`     // of the runs below
	LastFailed string         `json:"last_failed"` // a run that failed
	LastPassed string         `json:"last_passed"` // a run on the same tree in which it did not fail
	Last       time.Time      `json:"-"`
	Finding    result.Finding `json:"finding"` // as last seen
}

// Flakiness is what the captures of a period show about flaky tests.
type Flakiness struct {
	Tests    []FlakyTest // the most likely to fail first
	More     int         // tests that the limit left out
	Captures int         // captures that were looked at
	Evidence int         // captures of these that count
	Left     LeftOut
}

// LeftOut counts the test runs that do not count, each under the first reason that applies.
type LeftOut struct {
	Unsure  int // whether tracked files differed from the commit is not known
	Changed int // tracked files differed from the commit, or there was none
	Partly  int // the output is not all accounted for, or something kept tests from running
}

// add counts n runs that have the same flags.
func (f *Flakiness) add(flags uint16, n int) {
	f.Captures += n
	switch {
	case counts(flags):
		f.Evidence += n
	case flags&rowTests == 0:
	case flags&rowUnsure != 0:
		f.Left.Unsure += n
	case flags&rowClean == 0:
		f.Left.Changed += n
	default:
		f.Left.Partly += n
	}
}

// counts says whether a run is evidence: its tree is known, and all of its output was understood.
func counts(flags uint16) bool {
	return flags&(rowClean|rowTree) != 0 && flags&(rowProves|rowStops|rowLost) == rowProves
}

// Flaky lists the tests that gave different verdicts on the same tree, in the captures that the
// filters select; conditions on findings select tests. A capture counts only if its tree is
// known, all of its output is accounted for, and nothing kept tests from running. Files that
// git does not track may differ all the same. A limit of 0 means no limit.
func Flaky(ctx context.Context, s *place.Site, filters Filters) (Flakiness, error) {
	q, err := understood(ctx, s, "flaky", filters)
	if err != nil || q.nothing {
		return Flakiness{}, err
	}
	x, err := openIndex(ctx, s, append(q.needs(), index.Findings, index.Keys, index.Commands, index.Wheres, index.Flags)...)
	if err != nil {
		return Flakiness{}, err
	}
	defer x.Close()
	// Most of what is allocated here lives until the end: with a higher GC percentage
	// the heap might grow to several times its live size before it is collected.
	defer debug.SetGCPercent(debug.SetGCPercent(flakyGC))
	f := &flakes{x: x, takes: q.captures().selects(s, x), sort: q.Sort, hashes: map[*index.Segment]*hashes{}, trees: map[string]*treeRuns{}}
	// First, hashes show on which trees the verdicts differ at all; then all runs of
	// these trees are read. Two trees with the same hash only cause one tree too many
	// to be read. The runs are counted at the same time.
	var compared sync.WaitGroup
	compared.Go(func() {
		f.hash(func(g findingRow) bool { return isTest(g) && q.mayHave(g) })
		f.compare()
	})
	hashed := f.takes == nil && x.Apart()
	if !hashed {
		err = f.count()
	}
	compared.Wait()
	if hashed {
		err = f.countHashed()
	}
	if err != nil {
		return Flakiness{}, err
	}
	f.first, f.red = hashTable{}, nil
	if f.differ.n > 0 {
		if err := errors.Join(f.onMixed().Each(false, f.gather), f.failed); err != nil {
			return Flakiness{}, err
		}
	}
	err = f.tests(q.Limit)
	return f.found, err
}

// taken says whether the filters select a row.
func (f *flakes) taken(r row) (bool, error) {
	if f.takes == nil {
		return true, nil
	}
	return f.takes(r)
}

// hash reads from all rows the hashes by which verdicts are compared.
func (f *flakes) hash(failing func(findingRow) bool) {
	for _, s := range f.x.Segments() {
		f.hashes[s] = &hashes{runs: map[[2]uint32]*treeRuns{}}
	}
	f.x.AtOnce(func(s *index.Segment) { f.hashes[s].read(s, failing) })
}

// onMixed selects the rows of trees on which verdicts differ.
func (f *flakes) onMixed() *index.Selection {
	f.x.AtOnce(func(s *index.Segment) {
		h := f.hashes[s]
		h.red = slices.DeleteFunc(h.red, func(r redRow) bool { return !f.differ.has(h.trees[r.i]) })
	})
	return f.x.Select(func(s *index.Segment, add func(i int)) {
		for _, r := range f.hashes[s].red {
			add(r.i)
		}
	})
}

// flakyGC is the GC percentage while Flaky runs.
const flakyGC = 100

func isTest(f findingRow) bool { return f.Kind == string(result.TestFailure) && f.Group != "" }

type flakes struct {
	x      *rows
	takes  func(row) (bool, error) // nil: every capture
	sort   string
	found  Flakiness
	hashes map[*index.Segment]*hashes
	red    hashSet              // hashes of trees on which a test failed
	first  hashTable            // by the hash of a tree: the hash of the tests that failed in the first run on it
	differ hashTable            // hashes of trees on which verdicts differ
	failed error                // the error that ended gather early
	trees  map[string]*treeRuns // by command key and tree; only trees where verdicts differ
}

// treeRuns is the runs of one command on one tree.
type treeRuns struct {
	all    []row                // runs whose output is all accounted for
	failed map[string]*testRuns // by the test's group
}

// testRuns is the runs on one tree in which one test failed.
type testRuns struct {
	last    row
	at      time.Time // of last
	finding uint32    // of last
	runs    []int     // indices into treeRuns.all
}

// count counts the runs that the filters select.
func (f *flakes) count() error {
	var failed error
	return errors.Join(f.x.Each(false, takenRows(f.takes, &failed, func(s *index.Segment, i int) bool {
		f.found.add(s.Flags(i), 1)
		return true
	})), failed)
}

// countHashed counts the runs by the flags that were read with the hashes, if no run has two rows; else it calls
// count.
func (f *flakes) countHashed() error {
	for _, h := range f.hashes {
		if h.twins {
			f.found = Flakiness{}
			return f.count()
		}
		for flags, n := range h.flags {
			if n > 0 {
				f.found.add(uint16(flags), n)
			}
		}
	}
	return nil
}

// compare finds the trees on which verdicts differ. Trees on which no test failed need
// no comparing. It also takes rows that the filters leave out and second rows of a run;
// what is gathered later leaves them out.
func (f *flakes) compare() {
	f.red = newHashSet()
	for _, s := range f.x.Segments() {
		h := f.hashes[s]
		s.Having(h.failing, func(i int) { f.red.put(h.trees[i]) })
	}
	f.x.AtOnce(func(s *index.Segment) {
		h := f.hashes[s]
		for i, tree := range h.trees {
			if f.red.has(tree) {
				h.red = append(h.red, redRow{i, h.failed(row{s, i})})
			}
		}
	})
	n := 0
	for _, h := range f.hashes {
		n += len(h.red)
	}
	f.first.reserve(n)
	for _, s := range f.x.Segments() {
		h := f.hashes[s]
		for _, r := range h.red {
			if first, known := f.first.put(h.trees[r.i], r.failed); known && first != r.failed {
				f.differ.put(h.trees[r.i], 0)
			}
		}
	}
}

func (f *flakes) gather(s *index.Segment, i int) bool {
	r := row{s, i}
	if is, err := f.taken(r); err != nil || !is || !counts(s.Flags(i)) {
		f.failed = errors.Join(f.failed, err)
		return err == nil
	}
	t := f.runsOn(r)
	t.all = append(t.all, r)
	this := len(t.all) - 1
	for n := range s.EachHas(i) {
		if !f.hashes[s].failing[n] {
			continue
		}
		group := f.x.finding(s, n).Group
		run := t.failed[group]
		if run == nil {
			run = &testRuns{}
			t.failed[group] = run
		}
		if len(run.runs) == 0 || run.last != r { // a test is counted once for each run, even if it failed several times
			run.runs = append(run.runs, this)
		}
		run.last, run.at, run.finding = r, s.Time(i), n
	}
	return true
}

// runsOn is the runs of a row's command on its tree. The key is built once for each
// pair of texts in a segment.
func (f *flakes) runsOn(r row) *treeRuns {
	texts := [2]uint32{r.s.Key(r.i), r.s.Where(r.i)}
	known := f.hashes[r.s].runs
	t := known[texts]
	if t == nil {
		_, _, tree := r.where()
		at := r.key() + part + tree
		if t = f.trees[at]; t == nil {
			t = &treeRuns{failed: map[string]*testRuns{}}
			f.trees[at] = t
		}
		known[texts] = t
	}
	return t
}

// flaky is the counts of one flaky test; newest is the tree on which it failed last.
type flaky struct {
	group               string
	failed, runs, trees int
	newest              *testRuns
	on                  *treeRuns // of newest
}

// tests adds up the trees, and returns as many of the flaky tests as limit allows.
func (f *flakes) tests(limit int) error {
	byGroup := map[string]*flaky{}
	for _, t := range f.trees {
		for group, run := range t.failed {
			if len(run.runs) == len(t.all) {
				continue
			}
			test := byGroup[group]
			if test == nil {
				test = &flaky{group: group}
				byGroup[group] = test
			}
			test.failed, test.runs, test.trees = test.failed+len(run.runs), test.runs+len(t.all), test.trees+1
			if test.newest == nil || f.newer(run, test.newest) {
				test.newest, test.on = run, t
			}
		}
	}
	all := slices.SortedFunc(maps.Values(byGroup), func(a, b *flaky) int {
		first := 0
		switch f.sort {
		case "newest":
			first = b.newest.at.Compare(a.newest.at)
		case "oldest":
			first = a.newest.at.Compare(b.newest.at)
		case "most":
			first = cmp.Compare(b.failed, a.failed)
		}
		return cmp.Or(first, cmp.Compare(b.failed*a.runs, a.failed*b.runs), cmp.Compare(b.runs, a.runs), strings.Compare(a.group, b.group))
	})
	if limit > 0 && len(all) > limit {
		f.found.More, all = len(all)-limit, all[:limit]
	}
	for _, test := range all {
		told, err := f.tell(test)
		if err != nil {
			return err
		}
		f.found.Tests = append(f.found.Tests, told)
	}
	return nil
}

func (f *flakes) newer(a, b *testRuns) bool {
	return cmp.Or(a.at.Compare(b.at), strings.Compare(f.finding(a).Fingerprint, f.finding(b).Fingerprint)) > 0
}

func (f *flakes) finding(run *testRuns) findingRow { return f.x.finding(run.last.s, run.finding) }

// tell reads a flaky test's name and the two runs to show for it.
func (f *flakes) tell(test *flaky) (FlakyTest, error) {
	failed, passed := test.newest.last, test.on.without(test.newest)
	told := FlakyTest{
		Group: test.group, Failed: test.failed, Runs: test.runs, Trees: test.trees, Last: test.newest.at,
		Finding: f.finding(test.newest).finding(), Command: failed.s.Text(failed.s.Command(failed.i)),
	}
	var err error
	if told.LastFailed, err = f.runOf(failed); err == nil {
		told.LastPassed, err = f.runOf(passed)
	}
	// The rows are scattered over the index. Without Rest, all of the index would be in
	// memory in the end.
	failed.s.Rest()
	passed.s.Rest()
	return told, err
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
