package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/render"
	"cairn/result"
)

// TestChange is how the tests of a capture differ from those of the newest earlier capture of
// the same command whose list is complete, as its own is; nil where there is no such capture, or
// where the command selects by itself which tests run (--lf, -x, a shard). It looks as far
// back as a capture has time for.
func TestChange(ctx context.Context, s *place.Site, rec *manifest.Record) (*manifest.Record, *outcomes.Change, error) {
	if s == nil || rec == nil || rec.Key == "" || rec.Outcomes == nil || !rec.Outcomes.Complete || selects(rec) {
		return nil, nil, nil
	}
	q := manifest.Query{Newest: true, Known: true, MostShards: standingShards, Contains: [][]byte{manifest.Literal("key", rec.Key)}}
	for then, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return nil, nil, err
		}
		if then.Type != manifest.TypeCapture || then.Key != rec.Key || then.Env != rec.Env || then.ID >= rec.ID || then.Outcomes == nil || !then.Outcomes.Complete {
			continue
		}
		if then.Outcomes.OID == rec.Outcomes.OID {
			return then, &outcomes.Change{}, nil
		}
		before, err := s.Tests(then)
		if err != nil {
			continue // it is in another clone, or was collected
		}
		now, err := s.Tests(rec)
		if err != nil {
			return nil, nil, err
		}
		c := outcomes.Compare(before, now)
		return then, &c, nil
	}
	return nil, nil, nil
}

// selecting are the flags with which a runner chooses tests by what happened before, stops
// before the end, or runs a share of them.
var selecting = []string{"--lf", "--last-failed", "--ff", "--nf", "--sw", "--stepwise", "-x", "--exitfirst", "--maxfail", "--shard", "--splits", "--group", "--only-failures",
	"--onlyFailures", "--only-changed", "--onlyChanged", "--changed", "--changedSince", "--bail", "--fail-fast", "-failfast", "--failfast", "--next-failure", "--partition", "--testmon", "--random-order-bucket"}

func selects(rec *manifest.Record) bool {
	words := rec.Argv
	if rec.Shell != "" {
		words = strings.Fields(rec.Shell)
	}
	return slices.ContainsFunc(words, func(w string) bool {
		w, _, _ = strings.Cut(w, "=")
		return slices.Contains(selecting, w)
	})
}

// MarkTests says beside a run that passed which tests ran before and did not run
// now. It changes the result that is shown, and not the record.
func MarkTests(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult) {
	if r == nil || r.Status != result.Passed {
		return
	}
	then, c, err := TestChange(ctx, s, rec)
	if err != nil || c == nil {
		return
	}
	at := render.ShortRun(then.ID)
	var words []string
	for _, some := range []struct {
		list outcomes.List
		what string
	}{
		{c.Gone, "that ran at " + at + " did not run"}, {c.Skipped, "that ran at " + at + " skipped"}, {c.XFailed, "newly expected to fail"},
	} {
		if n := len(some.list); n > 0 {
			words = append(words, fmt.Sprintf("%d %s: %s", n, some.what, firstTests(some.list)))
		}
	}
	if len(words) == 0 {
		return
	}
	if r.Baseline == nil {
		r.Baseline = &result.Baseline{}
	}
	r.Baseline.Tests = strings.Join(words, "; ")
}

// firstTests names a few of the tests.
func firstTests(l outcomes.List) string {
	const most = 3
	var names []string
	for _, t := range l[:min(len(l), most)] {
		names = append(names, result.CleanLine(t.ID))
	}
	text := strings.Join(names, ", ")
	if len(l) > most {
		text += ", …"
	}
	return text
}

// TestRun is what one test came to in one run.
type TestRun struct {
	Run  *manifest.Record
	Test outcomes.Test
}

// TestHistory is what a test came to in the runs that kept a list, the newest first. The lists of away runs cannot be read
// here: they are in another clone, or were collected.
func TestHistory(ctx context.Context, s *place.Site, id string, limit int) (runs []TestRun, away int, err error) {
	for rec, err := range s.Manifest.Records(ctx, manifest.Query{Newest: true, Known: true}) {
		if err != nil {
			return nil, 0, err
		}
		if rec.Type != manifest.TypeCapture || rec.Outcomes == nil {
			continue
		}
		list, err := s.Tests(rec)
		if err != nil {
			away++
			continue
		}
		if i, ok := slices.BinarySearchFunc(list, id, func(t outcomes.Test, id string) int { return strings.Compare(t.ID, id) }); ok {
			if runs = append(runs, TestRun{rec, list[i]}); len(runs) == limit {
				break
			}
		}
	}
	return runs, away, nil
}
