package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/recall/index"
	"cairn/render"
	"cairn/result"
)

// TestsThen is how the tests of a capture differ from those of earlier captures of the same command.
type TestsThen struct {
	Run *manifest.Record // the newest capture that it is compared with
	// Since is the oldest capture compared with: failed runs may have stopped early, so the tests of the newest passed
	// run count too.
	Since  *manifest.Record
	Change *outcomes.Change // nil unless both have a complete list
	// Without a Change: how many tests fewer the runner counts, and how many more did not run.
	Fewer, Skipped int
}

// mostThen is how many lists of earlier runs are read at most.
const mostThen = 8

// TestChange compares the tests of a capture with those of the newest earlier capture of the same command for
// which wants, if not nil, is true. It is nil if there is no comparable run, or if the command itself chooses
// which tests run (--lf, a shard). It reads only as many records as a capture has time for.
func TestChange(ctx context.Context, s *place.Site, rec *manifest.Record, wants func(*manifest.Record) bool) (*TestsThen, error) {
	return testChange(ctx, s, rec, wants, mostThen)
}

// testChange is TestChange that reads at most most lists of earlier runs.
func testChange(ctx context.Context, s *place.Site, rec *manifest.Record, wants func(*manifest.Record) bool, most int) (*TestsThen, error) {
	if s == nil || rec == nil || rec.Key == "" || chooses(rec) {
		return nil, nil
	}
	now, named, err := completeTests(s, rec)
	if err != nil {
		return nil, err
	}
	var before outcomes.List
	t, read := &TestsThen{}, 0
	q := manifest.Query{Newest: true, Known: true, MostShards: standingShards, Contains: [][]byte{manifest.Literal("key", rec.Key)}}
	for then, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return nil, err
		}
		if then.Type != manifest.TypeCapture || then.Key != rec.Key || then.Env != rec.Env || then.ID >= rec.ID || wants != nil && !wants(then) {
			continue
		}
		if named && read == 0 && then.Outcomes != nil && then.Outcomes.OID == rec.Outcomes.OID && then.Status == result.Passed {
			return &TestsThen{Run: then, Since: then, Change: &outcomes.Change{}}, nil
		}
		list, complete, err := completeTests(s, then) // an error: the list is in another clone, or gc removed it
		switch {
		case err == nil && named && complete:
			if t.Run == nil {
				t.Run = then
			}
			before, t.Since, read = before.With(list), then, read+1
		case t.Run == nil && countsAll(rec) && countsAll(then):
			t.Run, t.Since = then, then
			t.Fewer, t.Skipped = outcomes.Fewer(then.Counts, rec.Counts)
			return t, nil
		}
		if read > 0 && (then.Status == result.Passed || read == most) {
			break
		}
	}
	if t.Run == nil {
		return nil, nil
	}
	c := outcomes.Compare(before, now)
	t.Change = &c
	return t, nil
}

// completeTests is the list of a capture's tests; false if the list is not complete.
func completeTests(s *place.Site, rec *manifest.Record) (outcomes.List, bool, error) {
	if rec.Outcomes == nil || !rec.Outcomes.Complete || rec.Partial {
		return nil, false, nil
	}
	list, err := s.Tests(rec)
	if errors.Is(err, objects.ErrNotFound) { // the list is in another clone, or gc removed it
		return nil, false, nil
	}
	return list, err == nil, err
}

// countsAll says whether a capture ran to its end and its counts include all its tests.
func countsAll(rec *manifest.Record) bool {
	r, err := rec.Result()
	return err == nil && r != nil && r.Kind == result.Test && len(rec.Counts) > 0 && rec.Counts["packages_ok"] == 0 && accounted(rec, r)
}

// choosing are the flags by which a runner chooses tests according to earlier runs or changed files, or
// runs a share of them: which tests it runs differs from run to run. Other flags, such as -k, make
// another command; and a run that stops at the first failure (-x) and passed ran all tests.
var choosing = []string{"--lf", "--last-failed", "--sw", "--stepwise", "--stepwise-skip", "--sw-skip", "--picked", "--testmon", "--splits", "--shard", "--shard-id", "--num-shards",
	"--shard-index", "--shard-count", "--total-shards", "--partition", "--only-failures", "--next-failure", "--onlyFailures", "--only-changed", "--onlyChanged", "--changed",
	"--changedSince", "--lastCommit", "--rerun-failed", "affected"}

func chooses(rec *manifest.Record) bool { return hasFlag(rec, choosing) }

// hasFlag says whether a command has one of the flags, with or without "=" and a value.
func hasFlag(rec *manifest.Record, flags []string) bool {
	words := rec.Argv
	if rec.Shell != "" {
		words = strings.Fields(rec.Shell)
	}
	return slices.ContainsFunc(words, func(w string) bool {
		w, _, _ = strings.Cut(w, "=")
		return slices.Contains(flags, w)
	})
}

// stopping are the flags by which a runner stops at a failure.
const stopping = "-x --exitfirst --maxfail -failfast --failfast --fail-fast --bail -b --stop-on-failure --stop-on-error --stop-on-defect --stop-on-first-failure --abort-on-fail --stop"

// MarkTests adds to a run's result, as it is shown and not in the record, which tests
// ran before and did not run now. A failed run is compared only with the run before it,
// and only if it names its tests and has no flag to stop at a failure.
func MarkTests(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) {
	var then *TestsThen
	var err error
	switch {
	case r == nil:
		return
	case r.Status == result.Passed:
		then, err = TestChange(ctx, s, rec, nil)
	case r.Status == result.Failed && !hasFlag(rec, strings.Fields(stopping)):
		if then, err = testChange(ctx, s, rec, nil, 1); then != nil && then.Change == nil {
			return
		}
	}
	if err != nil || then == nil {
		return
	}
	words := then.words()
	if len(words) == 0 {
		return
	}
	r.Baseline = cmp.Or(r.Baseline, &result.Baseline{})
	r.Baseline.Tests = strings.Join(words, "; ")
}

// words says what a reader who sees that the run passed has to know about missing tests.
func (t *TestsThen) words() (words []string) {
	at := "at " + render.ShortRun(t.Since.ID)
	if t.Change == nil {
		if t.Fewer > 0 {
			words = append(words, result.Count(int64(t.Fewer), "test")+" fewer than "+at)
		}
		if t.Skipped > 0 {
			words = append(words, fmt.Sprintf("%d more skipped or expected to fail than %s", t.Skipped, at))
		}
		return words
	}
	if t.Since != t.Run {
		at = "since " + render.ShortRun(t.Since.ID)
	}
	for _, some := range []struct {
		list outcomes.List
		what string
	}{
		{t.Change.Gone, "that ran " + at + " did not run"}, {t.Change.Skipped, "newly skipped"}, {t.Change.XFailed, "newly expected to fail"},
	} {
		if n := len(some.list); n > 0 {
			words = append(words, fmt.Sprintf("%d %s: %s", n, some.what, firstTests(n, func(i int) string { return some.list[i].ID })))
		}
	}
	if n := len(t.Change.Moved); n > 0 {
		words = append(words, fmt.Sprintf("%d renamed, as far as can be guessed: %s", n, firstTests(n, func(i int) string { return t.Change.Moved[i].From.ID + " → " + t.Change.Moved[i].To.ID })))
	}
	return words
}

// firstTests names the first few of n tests.
func firstTests(n int, id func(int) string) string {
	const most = 3
	var names []string
	for i := range min(n, most) {
		names = append(names, result.CleanLine(id(i)))
	}
	text := strings.Join(names, ", ")
	if n > most {
		text += ", …"
	}
	return text
}

// TestRun is a test's outcome in one run.
type TestRun struct {
	Run  *manifest.Record
	Test outcomes.Test
}

// TestSum sums up a test's outcomes in several runs.
type TestSum struct {
	Counts                  map[string]int
	Flaky                   bool   // the test passed and failed on one tree, or passed on a retry
	FirstFailed, LastFailed string // run ids
	Took                    Took
}

// SumOf sums up the runs of a test, which are in the order newest first.
func SumOf(runs []TestRun) TestSum {
	sum := TestSum{Counts: map[string]int{}}
	onTree, ms := map[string]int{}, []int64(nil)
	for _, r := range runs {
		sum.Counts[string(r.Test.Outcome)]++
		verdict := 2
		if r.Test.Outcome.Bad() {
			verdict, sum.FirstFailed, sum.LastFailed = 1, r.Run.ID, cmp.Or(sum.LastFailed, r.Run.ID)
		}
		if tree := treeAsFound(r.Run); r.Test.Outcome.Ran() && tree != treeUnknown {
			onTree[tree] |= verdict
			sum.Flaky = sum.Flaky || onTree[tree] == 3
		}
		if sum.Flaky = sum.Flaky || r.Test.Outcome == outcomes.Flaky; r.Test.DurationMS > 0 {
			ms = append(ms, r.Test.DurationMS)
		}
	}
	sum.Took = tookOf(ms)
	return sum
}

// TestPast is the answer of TestHistory.
type TestPast struct {
	Runs  []TestRun // the newest first
	Away  int       // runs whose lists are not here: they are in another clone, or gc removed them
	Quiet int       // further passed runs of the same commands that do not name their tests
	Near  []string  // if no run has the test: at most mostNear ids that contain the text, preferably as whole words

	within []string // ids that contain the text, not as whole words
}

// mostNear is the most ids that TestPast.Near has.
const mostNear = 6

// TestHistory is the outcomes of a test in the runs that the filters select and that kept a list of tests or report
// the test as failed.
func TestHistory(ctx context.Context, s *place.Site, id string, f Filters) (past TestPast, err error) {
	q, err := understood(ctx, s, "test", f)
	if err != nil {
		return past, err
	}
	q = q.captures()
	q.lists = true
	q.records(ctx, s, func(rec *manifest.Record, e error) bool {
		if err = e; e != nil || rec.Type != manifest.TypeCapture {
			return e == nil
		}
		hit, e := q.match(s, rec)
		if err = e; hit == nil {
			return e == nil
		}
		list, e := testsOf(s, rec, hit.Result)
		if e != nil {
			past.Away++
			return true
		}
		if i, ok := slices.BinarySearchFunc(list, id, func(t outcomes.Test, id string) int { return strings.Compare(t.ID, id) }); ok {
			past.Runs, past.Near = append(past.Runs, TestRun{rec, list[i]}), nil
		} else if len(past.Runs) == 0 {
			past.near(list, id)
		}
		return f.Limit == 0 || len(past.Runs) < f.Limit
	})
	if len(past.Near) == 0 && len(past.Runs) == 0 {
		past.Near = past.within
	}
	if err == nil && len(past.Runs) > 0 {
		past.Quiet, err = q.quiet(ctx, s, past.Runs)
	}
	return past, err
}

// quiet counts the passed runs of the same commands, since the oldest of runs, that
// kept no list, as with pytest -q: the test may be among their tests.
func (q *query) quiet(ctx context.Context, s *place.Site, runs []TestRun) (n int, err error) {
	keys := map[string]bool{}
	for _, r := range runs {
		keys[r.Run.Key] = true
	}
	since := runs[len(runs)-1].Run.Time
	x, err := openIndex(ctx, s, append(q.needs(), index.Keys, index.Whats, index.Flags)...)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	may := q.rowFilter(x)
	err = q.mayBe(x).Each(true, func(seg *index.Segment, i int) bool {
		r := row{seg, i}
		if is, _ := may(r); is && r.is(rowTests) && !r.is(rowLists) && !r.is(rowPartial) && r.status() == result.Passed && keys[r.key()] {
			n++
		}
		return !seg.Time(i).Before(since)
	})
	return n, err
}

// near adds the tests of a list whose ids contain text.
func (p *TestPast) near(list outcomes.List, text string) {
	add := func(ids *[]string, id string) {
		if len(*ids) < mostNear && !slices.Contains(*ids, id) {
			*ids = append(*ids, id)
		}
	}
	for _, t := range list {
		switch {
		case hasWords(t.ID, text):
			add(&p.Near, t.ID)
		case text != "" && strings.Contains(t.ID, text):
			add(&p.within, t.ID)
		}
	}
}

// hasWords says whether an id contains text with no letter, digit or underscore directly before or after it.
func hasWords(id, text string) bool {
	part := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	i := strings.Index(id, text)
	if i < 0 || text == "" {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(id[:i])
	behind, _ := utf8.DecodeRuneInString(id[i+len(text):])
	return !part(before) && !part(behind)
}

// testsOf are the tests that a capture names: its list, or else the tests that its findings report as failed.
func testsOf(s *place.Site, rec *manifest.Record, r *result.ToolResult) (list outcomes.List, err error) {
	if rec.Outcomes != nil && rec.Outcomes.OID != "" {
		return s.Tests(rec)
	}
	if whole, _ := Full(s, rec, r); whole != nil {
		list = outcomes.OfFindings(whole.Findings)
	}
	return list, nil
}
