package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/result"
)

// Choice says which runs a report is about.
type Choice struct {
	IDs     []string       // of runs, or beginnings of ids; if empty:
	Filters recall.Filters // the runs that these select; if they are empty:
	Head    bool           // the newest run of each command at the commit that is checked out, or else the newest of all
	Against string         // the base to compare with, as for recall.Compare
	Prove   bool           // check whether the checks are proven, for the working tree or for Filters.Commit
}

// Gather makes the report.
func Gather(ctx context.Context, s *place.Site, c Choice) (*Report, error) {
	records, err := chosen(ctx, s, c)
	if err != nil {
		return nil, err
	}
	flaky, err := flakyGroups(ctx, s)
	if err != nil {
		return nil, err
	}
	g := &gathering{site: s, choice: c, flaky: flaky, chosen: map[string]bool{}}
	if len(c.IDs) == 0 {
		for _, rec := range records {
			g.chosen[rec.ID] = true
		}
	}
	r := &Report{Rel: s.Rel, Version: build.Version()}
	if c.Prove {
		if r.Proof, err = ProofOf(ctx, s, string(c.Filters.Commit), time.Now()); err != nil {
			return nil, err
		}
	}
	newer := map[string]bool{}
	for _, rec := range records {
		run, err := g.run(ctx, rec, newer[rec.Key])
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", rec.ID, err)
		}
		newer[rec.Key] = len(c.IDs) == 0 && rec.Key != ""
		r.Runs = append(r.Runs, run)
	}
	return r, nil
}

// chosen are the records that c selects, newest first, at least one.
func chosen(ctx context.Context, s *place.Site, c Choice) (records []*manifest.Record, err error) {
	for _, id := range c.IDs {
		out, err := recall.Find(ctx, s, id)
		switch {
		case err != nil:
			return nil, err
		case out.Record == nil:
			return nil, fmt.Errorf("%s is an object of no run: %w", id, manifest.ErrNotFound)
		}
		records = append(records, out.Record)
	}
	if len(records) > 0 {
		slices.SortFunc(records, func(a, b *manifest.Record) int { return cmp.Compare(b.ID, a.ID) })
		return slices.CompactFunc(records, func(a, b *manifest.Record) bool { return a.ID == b.ID }), nil
	}
	if c.Head {
		if records, err = atHead(ctx, s); err != nil || len(records) > 0 {
			return records, err
		}
		c.Filters.Limit = 1
	}
	for hit, err := range recall.Objects(ctx, s, recall.Query{Filters: c.Filters}) {
		if err != nil {
			return nil, err
		}
		records = append(records, hit.Record)
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no run matches (of %s): %w", s.Dir, manifest.ErrNotFound)
	}
	return records, nil
}

// atHead are the newest records of each command at the commit that is checked out.
func atHead(ctx context.Context, s *place.Site) (records []*manifest.Record, err error) {
	if s.Repo == nil {
		return nil, nil
	}
	head, err := s.Repo.CommitOf(ctx, "HEAD")
	if err != nil {
		return nil, nil // a repository without a commit
	}
	seen := map[string]bool{}
	for hit, err := range recall.Objects(ctx, s, recall.Query{Filters: recall.Filters{Commit: filter.List(head)}}) {
		if err != nil {
			return nil, err
		}
		if key := cmp.Or(hit.Record.Key, hit.Record.ID); !seen[key] {
			seen[key] = true
			records = append(records, hit.Record)
		}
	}
	return records, nil
}

func flakyGroups(ctx context.Context, s *place.Site) (map[string]bool, error) {
	found, err := recall.Flaky(ctx, s, recall.Filters{})
	groups := map[string]bool{}
	for _, t := range found.Tests {
		groups[t.Group] = true
	}
	return groups, err
}

type gathering struct {
	site   *place.Site
	choice Choice
	flaky  map[string]bool // groups of fingerprints
	chosen map[string]bool // ids of runs that are not compared with one another
}

// run makes one run of a record. If it is older than another run of its command, it has only the facts.
func (g *gathering) run(ctx context.Context, rec *manifest.Record, older bool) (*Run, error) {
	r, err := rec.Result()
	if err != nil {
		return nil, err
	}
	run := factsOf(rec, r)
	if run.Older = older; older || r == nil {
		return run, nil
	}
	r, _ = recall.Whole(g.site, rec, r)
	run.Hidden = max(r.Truncated.FindingsTotal-len(r.Findings), 0)
	c, err := recall.Compare(ctx, g.site, rec, r, g.choice.Against, func(earlier *manifest.Record) bool { return g.chosen[earlier.ID] })
	if err != nil {
		return nil, err
	}
	if c.Base != nil {
		run.Base, run.Where, run.Why, run.Unnamed = c.Base.ID, result.CleanLine(c.Where), c.Why, c.Unnamed
	}
	for _, f := range r.Findings {
		run.Findings = append(run.Findings, Finding{clean(f), g.stateOf(f), run})
	}
	for state, list := range map[State][]result.Finding{Fixed: c.Fixed, Gone: c.Gone} {
		for _, f := range list {
			run.Away = append(run.Away, Finding{clean(f), state, run})
		}
	}
	slices.SortStableFunc(run.Away, func(a, b Finding) int { return cmp.Compare(a.State, b.State) })
	run.Cases = casesOf(g.site, rec)
	run.Was = slower(run.Duration, c.Took)
	return run, nil
}

func (g *gathering) stateOf(f result.Finding) State {
	switch {
	case f.Group != "" && g.flaky[f.Group]:
		return Flaky
	case f.Baseline == result.BaselineNew:
		return New
	case f.Baseline == result.BaselineStill:
		return Known
	}
	return ""
}

// Conditions for calling a run slower than those before it.
const (
	slowerRuns   = 5    // earlier runs, at least
	slowerFactor = 1.5  // times their median
	slowerBy     = 2000 // and at least so many milliseconds more
)

// slower is the median of the earlier durations if now is much longer, else 0.
func slower(now int64, before []int64) int64 {
	if len(before) < slowerRuns {
		return 0
	}
	sorted := slices.Sorted(slices.Values(before))
	median := sorted[len(sorted)/2]
	if float64(now) < slowerFactor*float64(median) || now < median+slowerBy {
		return 0
	}
	return median
}

// factsOf has the facts of a record that need no comparison.
func factsOf(rec *manifest.Record, r *result.ToolResult) *Run {
	line := result.CleanLine
	run := &Run{ID: line(rec.ID), Command: line(recall.CommandLine(rec)), Dir: line(rec.Dir), Exit: rec.Exit, Time: rec.Time, Duration: rec.DurationMS, Status: result.Unknown, Verdict: "no result"}
	if rec.Git != nil {
		run.Commit, run.Branch, run.Worktree = line(rec.Git.Commit), line(rec.Git.Branch), line(rec.Git.Worktree)
	}
	if rec.By != nil {
		run.By = line(rec.By.Agent)
	}
	if rec.Raw != nil {
		run.OID = line(rec.Raw.OID)
	}
	if r != nil {
		run.Tool, run.Kind, run.Status, run.Counts = line(r.Tool), r.Kind, r.Status, r.Counts
		run.Verdict, run.Summary, run.Unread = line(render.Verdict(r)), line(r.Summary), r.ParserConfidence == result.Heuristic
	}
	return run
}
