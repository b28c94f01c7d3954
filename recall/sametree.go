package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// SameTree compares this run with the newest earlier run of the same command on exactly
// this tree, in the same environment. It is nil if no such run is recorded, or if the
// command is not a check, whose tool gives a verdict.
func SameTree(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) (*result.SameTree, error) {
	if s == nil || rec == nil || r == nil || !isCheck(r) {
		return nil, nil
	}
	if rec.Key == "" || rec.Env == "" || rec.Git == nil || rec.Git.Worktree == "" {
		return nil, nil
	}
	earlier, err := newestOn(ctx, s, rec.Git.Worktree, []string{rec.Key}, func(then *manifest.Record) bool {
		return then.ID != rec.ID && then.Env == rec.Env && !then.Partial
	})
	if earlier == nil || err != nil {
		return nil, err
	}
	now := &run{rec: rec, result: r}
	return &result.SameTree{Run: earlier.rec.ID, Seconds: secondsBetween(earlier.rec.Time, rec.Time), Then: now.beside(earlier)}, nil
}

// MarkSameTree puts the answer of SameTree into a result. If the history cannot be
// read, the result stays as it is.
func MarkSameTree(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) {
	same, err := SameTree(ctx, s, rec, r)
	if same == nil || err != nil {
		return
	}
	r.Baseline = cmp.Or(r.Baseline, &result.Baseline{})
	r.Baseline.SameTree = same
}

// isCheck says whether a result is the verdict of a test runner, a linter or a compiler.
func isCheck(r *result.ToolResult) bool {
	return r.Kind != result.Generic && r.ParserConfidence == result.Parsed && r.Status != result.Unknown
}

func secondsBetween(then, now time.Time) int64 { return max(int64(now.Sub(then)/time.Second), 0) }

// newestOn is the newest run of one of the commands on a tree for which accept is true.
// It reads at most standingShards, since a capture waits for it.
func newestOn(ctx context.Context, s *place.Site, tree string, keys []string, accept func(*manifest.Record) bool) (*run, error) {
	q := manifest.Query{Newest: true, Known: true, MostShards: standingShards, Contains: [][]byte{manifest.Literal("worktree", tree)}}
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return nil, err
		}
		if rec.Type != manifest.TypeCapture || rec.Git == nil || rec.Git.Worktree != tree || !slices.Contains(keys, rec.Key) || !accept(rec) {
			continue
		}
		if r, err := rec.Result(); err == nil && r != nil {
			return &run{rec: rec, result: r}, nil
		}
	}
	return nil, nil
}

// beside says how an earlier run on the same tree ended, compared with this one. A test
// with different outcomes on one tree is flaky.
func (r *run) beside(then *run) string {
	was, is := went(then), went(r)
	tests := r.result.Kind == result.Test && then.result.Kind == result.Test
	switch {
	case was && is:
		return fmt.Sprintf("then %s, too", then.result.Status)
	case is && tests:
		return fmt.Sprintf("then %s: flaky", failedWords(then))
	case is:
		return fmt.Sprintf("then %s: what differs is not in the tree", then.result.Status)
	case was && tests && r.certain():
		return "then passed: " + flakyWords(len(r.tests()))
	case was:
		return fmt.Sprintf("then %s: what differs is not in the tree", then.result.Status)
	}
	return r.bothFailed(then, tests)
}

func (r *run) bothFailed(then *run, tests bool) string {
	if !r.certain() || !then.certain() {
		return fmt.Sprintf("then %s, too", then.result.Status)
	}
	if maps.Equal(r.count(r.counted()), then.count(then.counted())) {
		return "then the same " + failedWords(then)
	}
	if now, before := r.tests(), then.tests(); tests && !maps.Equal(now, before) {
		other := map[string]bool{}
		for _, pair := range [][2]map[string]bool{{now, before}, {before, now}} {
			for group := range pair[0] {
				if !pair[1][group] {
					other[group] = true
				}
			}
		}
		return "then other tests failed: " + flakyWords(len(other))
	}
	return fmt.Sprintf("then %s, with other messages", failedWords(then))
}

// went says whether a run went well.
func went(r *run) bool { return r.result.Status == result.Passed || r.result.Status == result.OK }

// tests are the failed tests of a run, by group.
func (r *run) tests() map[string]bool {
	failed := map[string]bool{}
	for _, f := range r.result.Findings {
		if f.Kind == result.TestFailure && grave(f) {
			failed[f.Group] = true
		}
	}
	return failed
}

// failedWords counts the failures: "3 failed" for tests, else "3 findings".
func failedWords(r *run) string {
	total := 0
	for _, n := range r.count(r.counted()) {
		total += n
	}
	switch {
	case total == 0:
		return string(r.result.Status)
	case r.result.Kind == result.Test:
		return fmt.Sprintf("%d failed", total)
	}
	return result.Count(int64(total), "finding")
}

func flakyWords(tests int) string {
	switch tests {
	case 0:
		return "what differs is not in the tree"
	case 1:
		return "this test is flaky"
	}
	return fmt.Sprintf("%d tests are flaky", tests)
}

// LastRun is what the record knows of a command before it is run.
type LastRun struct {
	Record *manifest.Record // nil: the command was never captured
	Result *result.ToolResult
	// Same says that the command ran on exactly the present tree. If not, Changed are
	// files that were written since, and More counts those that are not listed.
	Same    bool
	Changed []string
	More    int
	// Unknown says why the present tree is not known; "" if it is.
	Unknown string
}

// mostChanged is the most files that LastRun.Changed has.
const mostChanged = 10

// Last finds the newest run of a command, by any of its keys, on exactly the present
// tree, or else the newest run on any tree.
func Last(ctx context.Context, s *place.Site, keys []string) (*LastRun, error) {
	last := &LastRun{}
	tree, w, err := PresentTree(ctx, s)
	if err != nil {
		last.Unknown = err.Error()
	}
	if tree != "" {
		same, err := newestOn(ctx, s, tree, keys, func(rec *manifest.Record) bool { return !rec.Partial })
		if err != nil {
			return nil, err
		}
		if same != nil {
			last.Record, last.Result, last.Same = same.rec, same.result, true
			return last, nil
		}
	}
	q := manifest.Query{Newest: true}
	if len(keys) == 1 {
		q.Contains = [][]byte{manifest.Literal("key", keys[0])}
	}
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return nil, err
		}
		if rec.Type != manifest.TypeCapture || !slices.Contains(keys, rec.Key) {
			continue
		}
		last.Record = rec
		last.Result, err = rec.Result()
		if w != nil && err == nil {
			last.Changed = w.WrittenSince(rec.Time)
			last.More = max(len(last.Changed)-mostChanged, 0)
			last.Changed = last.Changed[:len(last.Changed)-last.More]
		}
		return last, err
	}
	return last, nil
}

// PresentTree is the id of the working tree as it is now. If files are being written,
// it waits for at most tries × tick.
func PresentTree(ctx context.Context, s *place.Site) (string, *gitrepo.WorktreeReader, error) {
	const tries, tick = 5, 15 * time.Millisecond
	var err error
	for range tries {
		w := s.WorktreeAt(gitrepo.Now())
		if w == nil {
			return "", nil, errors.New("there is no working tree")
		}
		if tree, known := w.Known(ctx); known {
			return tree.ID, w, nil
		}
		var tree gitrepo.Worktree
		if tree, err = w.Read(ctx); err == nil || !errors.Is(err, gitrepo.ErrMoved) {
			return tree.ID, w, err
		}
		time.Sleep(tick)
	}
	return "", nil, err
}

// Evidence is the tree for which a capture counts as evidence about each test of its command: the tree of the commit
// if no tracked file was changed, else the tree of all files. It is "" if the capture is no evidence: the tree is not
// known, not all of the output is accounted for, or something kept tests from running. Flaky counts the same captures.
func Evidence(rec *manifest.Record, r *result.ToolResult) (tree string) {
	if rec.Git == nil || !Accounts(rec, r) || slices.ContainsFunc(r.Findings, stops) {
		return ""
	}
	return cmp.Or(treeOf(rec), rec.Git.Worktree)
}
