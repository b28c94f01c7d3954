package recall

import (
	"context"
	"maps"
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

// Compared is a run, passing or not, and the earlier run of its command that it is compared with, finding by
// finding. If no earlier run is certainly comparable, Base is nil and no finding has a Baseline.
type Compared struct {
	Base  *manifest.Record
	Where string // where the base was made: "on this branch"
	// Fixed are findings of the base that the run proves gone. Gone are findings of the base
	// that the run does not show either, but that may still be there; Why gives the reason.
	Fixed, Gone []result.Finding
	Why         string
	Unnamed     int // findings of the base that the run does not show and that the base's record does not describe
	// Took are the durations of the command's earlier runs that ended with the same status, in milliseconds, newest
	// first.
	Took []int64
}

// Compare compares a run, passing or not, with the earlier run that against selects, as Standing does,
// and marks the findings of r as new or still there. Earlier runs for which without is true are passed
// over, so that a report on several runs of a command shows the changes since the last run before them.
func Compare(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult, against string, without func(*manifest.Record) bool) (*Compared, error) {
	c := &Compared{}
	if rec == nil || r == nil || rec.Key == "" {
		return c, nil
	}
	now := &run{rec: rec, result: r}
	past, err := pastOf(ctx, s, now, against)
	if err != nil {
		return nil, err
	}
	past.runs = slices.DeleteFunc(past.runs, func(p *run) bool { return p.rec.ID > rec.ID || without != nil && without(p.rec) })
	for _, p := range past.runs {
		if p.result.Status == r.Status {
			c.Took = append(c.Took, p.rec.DurationMS)
		}
	}
	if !now.certain() && !(accounted(rec, r) && now.whole()) {
		return c, nil
	}
	base, where := past.pick.base(ctx, s, past.runs, now)
	if base == nil {
		return c, nil
	}
	c.Base, c.Where = base.rec, where
	c.mark(base, now)
	return c, nil
}

// mark sets the Baseline of now's findings and fills Fixed, Gone and Unnamed with findings of base.
func (c *Compared) mark(base, now *run) {
	left := maps.Clone(base.prints())
	for i := range now.result.Findings {
		f := &now.result.Findings[i]
		f.Baseline = result.BaselineNew
		if left[f.Fingerprint] > 0 {
			left[f.Fingerprint]--
			f.Baseline = result.BaselineStill
		}
	}
	for _, fingerprint := range now.rec.More {
		if !now.shows(fingerprint) {
			left[fingerprint]--
		}
	}
	for _, f := range base.result.Findings {
		if left[f.Fingerprint] <= 0 {
			continue
		}
		left[f.Fingerprint]--
		if why := unproven(now.rec, now.result, f); why != "" {
			c.Gone, c.Why = append(c.Gone, f), why
		} else {
			c.Fixed = append(c.Fixed, f)
		}
	}
	for _, n := range left {
		c.Unnamed += max(n, 0)
	}
}
