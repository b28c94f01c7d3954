package recall

import (
	"context"
	"errors"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/recall/index"
)

// How much a question reads at most, so that it stays fast: lists of tests, tests in
// them, and records in which it looks for lists.
const (
	mostLists   = 100
	mostEntries = 300_000
	mostAmong   = 1000
)

// TestsOver is the outcomes of tests over several runs.
type TestsOver struct {
	Runs  []*manifest.Record // the newest first
	Away  int                // further runs whose list is not here: it is in another clone, or gc removed it
	tests map[testOf][]came

	entries int
}

// testOf identifies a test by its command key, its tool and its id.
type testOf struct{ key, tool, id string }

// came is the outcome of a test in one run; run is an index into Runs.
type came struct {
	run     int32
	took    int32 // milliseconds; 0 if unknown
	outcome outcomes.Outcome
}

// TestSeries is one test over the runs of one command.
type TestSeries struct {
	ID, Tool string
	Command  *manifest.Record // the newest run that has the test
	over     *TestsOver
	came     []came
}

// TestsIn gathers the tests of the newest runs that the filters select and for which wants, if not nil, is true.
func TestsIn(ctx context.Context, s *place.Site, question string, f Filters, wants func(*manifest.Record) bool) (*TestsOver, error) {
	q, err := understood(ctx, s, question, f)
	if err != nil {
		return nil, err
	}
	return q.captures().testsIn(ctx, s, wants)
}

func (q *query) testsIn(ctx context.Context, s *place.Site, wants func(*manifest.Record) bool) (*TestsOver, error) {
	x, err := openIndex(ctx, s, append(q.needs(), index.Flags)...)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	over := &TestsOver{tests: map[testOf][]came{}}
	var failed error
	looked := 0
	err = q.mayBe(x).Each(true, takenRows(q.selects(s, x), &failed, func(seg *index.Segment, i int) bool {
		if !(row{seg, i}).is(rowLists) {
			return true
		}
		rec, err := x.Record(seg, i)
		if err != nil {
			failed = err
			return false
		}
		if wants == nil || wants(rec) {
			over.add(s, rec)
		}
		looked++
		return looked < mostAmong && len(over.Runs) < mostLists && over.entries < mostEntries
	}))
	return over, errors.Join(err, failed)
}

func (o *TestsOver) add(s *place.Site, rec *manifest.Record) {
	list, err := s.Tests(rec)
	if err != nil {
		o.Away++
		return
	}
	run := int32(len(o.Runs))
	o.Runs = append(o.Runs, rec)
	o.entries += len(list)
	for i := range list {
		t := &list[i]
		if t.Parent {
			continue
		}
		of := testOf{rec.Key, t.Tool, t.ID}
		o.tests[of] = append(o.tests[of], came{run, int32(min(t.DurationMS, 1<<31-1)), t.Outcome})
	}
}

// Each calls visit for every test.
func (o *TestsOver) Each(visit func(*TestSeries)) {
	for of, all := range o.tests {
		visit(&TestSeries{ID: of.id, Tool: of.tool, Command: o.Runs[all[0].run], over: o, came: all})
	}
}

// Past summarises the runs of a test.
func (t *TestSeries) Past() (h outcomes.Past) {
	verdicts := map[string]int{}
	running := false
	for _, c := range t.came {
		rec := t.over.Runs[c.run]
		h.Runs++
		tree := rec.Env + treeAsFound(rec)
		switch {
		case c.outcome.Bad():
			h.Failed++
			verdicts[tree] |= 1
		case c.outcome == outcomes.Passed:
			verdicts[tree] |= 2
		case c.outcome == outcomes.Flaky:
			h.Retried++
		}
		switch {
		case running:
		case c.outcome.Ran():
			h.Ran, running = rec.ID, true
		default:
			h.Since = rec.ID
		}
	}
	if h.Since == "" {
		h.Ran = "" // the test ran in the newest run
	}
	for tree, both := range verdicts {
		if both == 3 && !strings.HasSuffix(tree, treeUnknown) {
			h.Trees++
		}
	}
	return h
}

// treeUnknown stands for an unknown tree.
const treeUnknown = "?"

// treeAsFound is the tree of all files that git does not ignore, or treeUnknown.
func treeAsFound(rec *manifest.Record) string {
	if rec.Git == nil || rec.Git.Worktree == "" {
		return treeUnknown
	}
	return rec.Git.Worktree
}

// TestsFilter returns a function that says whether the filters select a test: by the file that --file names, if the
// test's file is known.
func TestsFilter(ctx context.Context, s *place.Site, f Filters) (func(*outcomes.Test) bool, error) {
	q, err := understood(ctx, s, "tests", f)
	if err != nil {
		return nil, err
	}
	return q.isTest, nil
}

func (q *query) isTest(t *outcomes.Test) bool {
	if len(q.files) == 0 {
		return true
	}
	file, _, _ := strings.Cut(t.At, ":")
	id := t.ID
	for _, joint := range []string{"::", " › ", " > "} {
		id, _, _ = strings.Cut(id, joint)
	}
	return q.files.Path(file) || q.files.Path(id)
}

// NewestTests is the newest capture that the filters select and for which is is true; nil if none exists.
func NewestTests(ctx context.Context, s *place.Site, f Filters, is func(*manifest.Record) bool) (*manifest.Record, error) {
	q, err := understood(ctx, s, "tests", f)
	if err != nil {
		return nil, err
	}
	q = q.captures()
	var found *manifest.Record
	q.records(ctx, s, func(rec *manifest.Record, e error) bool {
		if err = e; e != nil {
			return false
		}
		if rec.Type != manifest.TypeCapture || !is(rec) {
			return true
		}
		hit, e := q.match(s, rec)
		if err = e; hit != nil {
			found = rec
		}
		return found == nil && err == nil
	})
	return found, err
}

// Selecting returns a function that says whether the filters select a capture.
func Selecting(ctx context.Context, s *place.Site, f Filters) (func(*manifest.Record) bool, error) {
	q, err := understood(ctx, s, "tests", f)
	if err != nil {
		return nil, err
	}
	q = q.captures()
	return func(rec *manifest.Record) bool {
		hit, err := q.match(s, rec)
		return hit != nil && err == nil
	}, nil
}
