package recall

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"cairn/manifest"
	"cairn/result"
)

func in(branch, commit, tree string) func(*manifest.Record) {
	return func(r *manifest.Record) {
		clean := false
		r.Git = &manifest.Git{Commit: cmp.Or(commit, tree), Branch: branch, Dirty: &clean} // a clean commit names its tree
	}
}

func inSession(id string) func(*manifest.Record) {
	return func(r *manifest.Record) { r.By = &manifest.By{Session: id} }
}

func standing(t *testing.T, b *book, rec *manifest.Record, against string) *result.Baseline {
	t.Helper()
	r, err := rec.Result()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Standing(t.Context(), b.Site, rec, r, against)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestStandingAtAncestor: where a branch has no run yet, one of a clean tree at
// an ancestor of its commit counts, the nearest first.
func TestStandingAtAncestor(t *testing.T) {
	b := newBook(t)
	var commits []string
	for range 3 {
		git(t, b.Repo.TopLevel, "commit", "-q", "--allow-empty", "-m", "next")
		commits = append(commits, git(t, b.Repo.TopLevel, "rev-parse", "HEAD"))
	}
	near := b.capture("", pytest("a"), in("main", commits[1], "t1"))
	b.capture("", pytest("a"), in("main", commits[0], "t0"))
	dirty := true
	b.capture("", pytest("a"), in("main", commits[2], "t2"), func(r *manifest.Record) { r.Git.Dirty = &dirty })
	now := b.capture("", pytest("a", "b"), in("topic", commits[2], "t3"))
	got := standing(t, b, now, "")
	if got == nil || got.Run != near.ID || got.Where != "on main at "+commits[1][:12] || got.New != 1 || got.Still != 1 || got.SinceRuns != 0 {
		t.Errorf("got %+v, want a comparison with %s", got, near.ID)
	}
	elsewhere := b.capture("", pytest("a"), in("topic2", "0000000000000000000000000000000000000000", "t3"))
	if got := standing(t, b, elsewhere, ""); got != nil {
		t.Errorf("a commit that git does not know: %+v", got)
	}
}

// TestStandingDoubt: runs that prove nothing are no baseline, and what this run
// does not prove is not called fixed.
func TestStandingDoubt(t *testing.T) {
	b := newBook(t)
	good := b.capture("", pytest("a", "b"), in("main", "", "t1"))
	broken := pytest()
	broken.Findings = []result.Finding{{Kind: result.BuildError, Severity: result.SevError, Message: "does not build"}}
	b.capture("", sealed(broken, 1), in("main", "", "t2"))
	partial := b.capture("", pytest("a"), in("main", "", "t3"), func(r *manifest.Record) { r.Partial = true })
	if got := standing(t, b, partial, ""); got != nil {
		t.Errorf("a run that was cut short: %+v", got)
	}
	now := b.capture("", pytest("a", "c"), in("main", "", "t4"))
	got := standing(t, b, now, "")
	if got == nil || got.Run != good.ID || got.New != 1 || got.Still != 1 || got.Fixed == nil || *got.Fixed != 1 {
		t.Errorf("got %+v, want a comparison with %s", got, good.ID)
	}
	stopped := pytest("a")
	stopped.Extra = map[string]any{"stopped": "after 1 failure"}
	if got := standing(t, b, b.capture("", stopped, in("main", "", "t5")), ""); got == nil || got.Fixed != nil {
		t.Errorf("a run that stopped early: %+v", got)
	}
	fewer := pytest("a")
	fewer.Counts["passed"] -= 2
	if got := standing(t, b, b.capture("", fewer, in("main", "", "t6")), ""); got == nil || got.Fixed != nil {
		t.Errorf("a run of fewer tests: %+v", got)
	}
}

// TestStandingAgainstReference compares Standing with a slow, obvious way to say
// the same, over histories of one command on two branches.
func TestStandingAgainstReference(t *testing.T) {
	b := newBook(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		k := key(fmt.Sprintf("%012x", n))
		names := []string{"a", "b", "c", "d"}
		var history []*manifest.Record
		for range rapid.IntRange(1, 8).Draw(rt, "runs") {
			failing := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID).Draw(rt, "failing")
			slices.Sort(failing)
			branch := rapid.SampledFrom([]string{"main", "topic"}).Draw(rt, "branch")
			tree := rapid.SampledFrom([]string{"", "t1", "t2"}).Draw(rt, "tree")
			edits := []func(*manifest.Record){k, in(branch, "", tree)}
			if rapid.IntRange(0, 4).Draw(rt, "partial") == 0 {
				edits = append(edits, func(r *manifest.Record) { r.Partial = true })
			}
			history = append(history, b.capture("", pytest(failing...), edits...))
		}
		now := history[len(history)-1]
		r, _ := now.Result()
		got, err := Standing(t.Context(), b.Site, now, r, "")
		if err != nil {
			rt.Fatal(err)
		}
		if want := referenceStanding(history); fmt.Sprint(plain(got)) != fmt.Sprint(plain(want)) {
			rt.Fatalf("got  %v\nwant %v", plain(got), plain(want))
		}
	})
}

// plain is a baseline as text, without pointers.
func plain(b *result.Baseline) string {
	if b == nil {
		return "nothing"
	}
	fixed := -1
	if b.Fixed != nil {
		fixed = *b.Fixed
	}
	return fmt.Sprint(b.Run, b.Where, b.New, b.Still, fixed, b.SinceRuns, b.SinceMore, b.Attempts)
}

// referenceStanding knows only what the drawn histories have: results that are
// fully parsed, of one failure each, and runs that were cut short.
func referenceStanding(history []*manifest.Record) *result.Baseline {
	set := func(rec *manifest.Record) map[string]bool {
		r, _ := rec.Result()
		s := map[string]bool{}
		for _, f := range r.Findings {
			s[f.Fingerprint] = true
		}
		return s
	}
	now := history[len(history)-1]
	mine := set(now)
	if now.Partial || len(mine) == 0 {
		return nil
	}
	var branch []*manifest.Record // earlier ones on it, newest first
	for _, rec := range slices.Backward(history[:len(history)-1]) {
		if rec.Git.Branch == now.Git.Branch {
			branch = append(branch, rec)
		}
	}
	var base *manifest.Record
	for _, rec := range branch {
		shows := 0
		for f := range mine {
			if set(rec)[f] {
				shows++
			}
		}
		if !rec.Partial || shows == len(mine) {
			base = rec
			break
		}
	}
	if base == nil {
		return nil
	}
	b := &result.Baseline{Run: base.ID, Where: "on this branch", Fixed: new(int)}
	for f := range set(base) {
		if !mine[f] {
			*b.Fixed++
		}
	}
	for _, f := range slices.Sorted(maps.Keys(mine)) {
		if !set(base)[f] {
			b.New++
			continue
		}
		b.Still++
		runs, attempts, tree := 0, 0, now.Git.Commit
		for _, rec := range branch {
			if !set(rec)[f] {
				if rec.Partial {
					continue
				}
				break
			}
			runs++
			if tree != "" && rec.Git.Commit != "" && tree != rec.Git.Commit {
				attempts++
			}
			tree = rec.Git.Commit
		}
		if runs > b.SinceRuns || runs == b.SinceRuns && attempts < b.Attempts {
			b.SinceRuns, b.Attempts = runs, attempts
		}
	}
	return b
}

// TestUnchanged: only what the same session was shown, and exactly that.
func TestUnchanged(t *testing.T) {
	b := newBook(t)
	first := b.capture("x", pytest("a"), inSession("s"))
	b.capture("x", pytest("a", "b"), inSession("other"))
	second := b.capture("x2", pytest("a"), inSession("s"))
	third := b.capture("x3", pytest("a"), inSession("s"))
	for _, rec := range []*manifest.Record{second, third} {
		if got := standing(t, b, rec, ""); got == nil || got.Unchanged != first.ID {
			t.Errorf("%+v, want unchanged since %s", got, first.ID)
		}
	}
	moved := pytest("a")
	moved.Findings[0].At.Line = 99
	for name, rec := range map[string]*manifest.Record{
		"no session":      b.capture("x", pytest("a")),
		"another session": b.capture("x", pytest("a"), inSession("new")),
		"one more":        b.capture("x4", pytest("a", "b"), inSession("s")),
		"another place":   b.capture("x5", sealed(moved, 1), inSession("s")),
		"cut short":       b.capture("x6", pytest("a"), inSession("s"), func(r *manifest.Record) { r.Partial = true }),
	} {
		if got := standing(t, b, rec, ""); got != nil && got.Unchanged != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
