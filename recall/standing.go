package recall

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/outcomes"
	"cairn/result"
)

// Limits for the cost of Standing: it runs at the end of every failing capture, on a
// manifest of any size.
const (
	standingShards = 192 // newest first; they take some 3 ms
	standingRuns   = 100 // earlier runs of the command that are decoded
)

// onThisBranch is the usual text on where the base was made.
const onThisBranch = "on this branch"

// Standing compares a failed run with an earlier run of its command, and marks its
// findings as new or still there. It says only what is certain; nil means that nothing
// is.
//
// The earlier run is the newest that against selects among those that account for all
// of their output and would have shown every finding that they lack. If a run has
// failures or errors, only those are counted; otherwise all findings but information.
func Standing(ctx context.Context, s *place.Site, rec *manifest.Record, r *result.ToolResult, against string) (*result.Baseline, error) {
	if rec == nil || r == nil || rec.Key == "" {
		return nil, nil
	}
	now := &run{rec: rec, result: r}
	past, err := pastOf(ctx, s, now, against)
	if err != nil {
		return nil, err
	}
	b := &result.Baseline{Unchanged: past.unchanged(now)}
	if now.certain() {
		past.compare(ctx, s, now, b)
	}
	if b.Run == "" && b.Unchanged == "" {
		return nil, nil
	}
	return b, nil
}

// run is one capture of the command, decoded.
type run struct {
	rec    *manifest.Record
	result *result.ToolResult
	all    map[string]int // fingerprints with their number; nil until prints is called
}

// prints counts the fingerprints of all findings.
func (r *run) prints() map[string]int {
	if r.all == nil {
		r.all = r.count(func(result.Finding) bool { return true })
	}
	return r.all
}

// count counts the fingerprints of the findings for which want is true, and also of
// those that the record names only by a fingerprint, since their severity is unknown.
func (r *run) count(want func(result.Finding) bool) map[string]int {
	count := map[string]int{}
	for _, f := range r.result.Findings {
		if want(f) {
			count[f.Fingerprint]++
		}
	}
	for _, f := range r.rec.More {
		count[f]++
	}
	return count
}

// whole says whether the record names every finding of the run.
func (r *run) whole() bool {
	return len(r.result.Findings)+len(r.rec.More) >= r.result.Truncated.FindingsTotal
}

// certain says whether the findings of the run are certainly all its failures.
func (r *run) certain() bool {
	return r.whole() && !r.rec.Partial && r.result.ParserConfidence == result.Parsed && len(r.prints()) > 0
}

// would says whether the run would have shown every finding of now that it lacks.
func (r *run) would(now *run) bool {
	if !r.whole() {
		return false
	}
	had := r.prints()
	for _, f := range now.result.Findings {
		if had[f.Fingerprint] == 0 && unproven(r.rec, r.result, f) != "" {
			return false
		}
	}
	return len(now.rec.More) == 0 || unproven(r.rec, r.result, result.Finding{Kind: result.TestFailure}) == ""
}

// counted returns a function that selects the findings that make the run fail.
func (r *run) counted() func(result.Finding) bool {
	if slices.ContainsFunc(r.result.Findings, grave) {
		return grave
	}
	return func(f result.Finding) bool { return f.Severity != result.SevInfo }
}

// grave says whether a finding is a failure; an unknown severity counts as one.
func grave(f result.Finding) bool {
	return f.Severity != result.SevWarning && f.Severity != result.SevInfo
}

// past is the earlier runs of a command, newest first.
type past struct {
	runs []*run
	more bool // there may be older ones
	pick picker
}

// pastOf reads the earlier runs of now's command.
func pastOf(ctx context.Context, s *place.Site, now *run, against string) (*past, error) {
	p := &past{}
	var err error
	if p.pick, err = pickerOf(ctx, s, now.rec, against); err != nil {
		return nil, err
	}
	q := manifest.Query{
		Newest: true, Known: true, Contains: [][]byte{manifest.Literal("key", now.rec.Key)},
		MostShards: standingShards, Cut: &p.more,
	}
	if p.pick.given {
		q.MostShards, q.Known = 0, false // the user asked for a base and waits for it
	}
	err = p.read(ctx, s, q, now)
	if err != nil && q.Known { // records of other clones may just have been moved to another folder
		*p = past{pick: p.pick}
		q.Cut = &p.more
		err = p.read(ctx, s, q, now)
	}
	return p, err
}

func (p *past) read(ctx context.Context, s *place.Site, q manifest.Query, now *run) error {
	for rec, err := range s.Manifest.Records(ctx, q) {
		if err != nil {
			return err
		}
		if rec.Type != manifest.TypeCapture || rec.Key != now.rec.Key || rec.ID == now.rec.ID {
			continue
		}
		if r, err := rec.Result(); err == nil && r != nil {
			p.runs = append(p.runs, &run{rec: rec, result: r})
		}
		if len(p.runs) >= standingRuns && !p.pick.waits(p.runs) {
			p.more = true
			break
		}
	}
	return nil
}

// compare fills in b.
func (p *past) compare(ctx context.Context, s *place.Site, now *run, b *result.Baseline) {
	base, where := p.pick.base(ctx, s, p.runs, now)
	if base == nil {
		return
	}
	b.Run, b.Where = base.rec.ID, where
	want := now.counted()
	left := maps.Clone(base.prints())
	judge := func(fingerprint string, counts bool) string {
		word, n := result.BaselineNew, &b.New
		if left[fingerprint] > 0 {
			left[fingerprint]--
			word, n = result.BaselineStill, &b.Still
		}
		if counts {
			*n++
		}
		return word
	}
	for i := range now.result.Findings {
		f := &now.result.Findings[i]
		f.Baseline = judge(f.Fingerprint, want(*f))
	}
	for _, fingerprint := range now.rec.More {
		if !now.shows(fingerprint) { // the result of a run that has just ended is whole
			judge(fingerprint, true)
		}
	}
	b.Fixed = now.fixed(base, want)
	if where == onThisBranch {
		p.streak(now, b)
	}
}

// shows says whether the result itself has the finding.
func (r *run) shows(fingerprint string) bool {
	return slices.ContainsFunc(r.result.Findings, func(f result.Finding) bool { return f.Fingerprint == fingerprint })
}

// fixed counts the findings of base that now proves gone; nil if now cannot prove that.
func (r *run) fixed(base *run, want func(result.Finding) bool) *int {
	if unproven(r.rec, r.result, result.Finding{Kind: result.TestFailure}) != "" {
		return nil
	}
	if gone, _ := outcomes.Fewer(base.rec.Counts, r.rec.Counts); gone > 0 && r.result.Kind == result.Test {
		return nil // a failure may be one of the tests that did not run
	}
	n, has := 0, r.prints()
	for _, f := range base.result.Findings {
		if has[f.Fingerprint] == 0 && unproven(r.rec, r.result, f) != "" {
			return nil
		}
	}
	for fingerprint, count := range base.count(want) {
		n += max(count-has[fingerprint], 0)
	}
	return &n
}

// streak finds the oldest of the findings that are still there: for how many runs in a
// row on this branch it was there, and how often the commit changed meanwhile. A run
// that neither shows a finding nor proves it gone is passed over.
func (p *past) streak(now *run, b *result.Baseline) {
	want := now.counted()
	for _, f := range now.result.Findings {
		if f.Baseline != result.BaselineStill || !want(f) {
			continue
		}
		runs, attempts, open := 0, 0, p.more
		last := now.rec
		for _, r := range p.runs {
			if branchOf(r.rec) != branchOf(now.rec) {
				continue
			}
			if r.prints()[f.Fingerprint] == 0 {
				if r.whole() && unproven(r.rec, r.result, f) == "" {
					open = false
					break
				}
				continue
			}
			runs++
			if moved(r.rec, last) {
				attempts++
			}
			last = r.rec
		}
		if runs > b.SinceRuns || runs == b.SinceRuns && attempts < b.Attempts {
			b.SinceRuns, b.SinceMore, b.Attempts = runs, open, attempts
		}
	}
}

func branchOf(rec *manifest.Record) string {
	if rec.Git == nil {
		return ""
	}
	return rec.Git.Branch
}

// moved says whether two captures ran on different trees, as far as the trees are known
// (lines of version 2 name the tree of a clean commit), else on different commits.
func moved(a, b *manifest.Record) bool {
	if a.Git == nil || b.Git == nil {
		return false
	}
	if x, y := manifest.ShortTree(a.Git.Tree), manifest.ShortTree(b.Git.Tree); x != "" && y != "" {
		return x != y
	}
	return a.Git.Commit != "" && b.Git.Commit != "" && a.Git.Commit != b.Git.Commit
}

// unchanged is the oldest of the runs directly before now, in the same session, that
// showed exactly what now shows; that run was printed in full. It is "" if the run
// before now showed something else.
func (p *past) unchanged(now *run) (since string) {
	if now.rec.By == nil || now.rec.By.Session == "" {
		return ""
	}
	for _, r := range p.runs {
		if r.rec.By == nil || r.rec.By.Session != now.rec.By.Session {
			continue
		}
		if !now.same(r) {
			break
		}
		since = r.rec.ID
	}
	return since
}

// same says whether two runs would look the same to a reader: equal bytes, or equal
// verdicts and equal findings at equal places.
func (r *run) same(other *run) bool {
	a, b := r.result, other.result
	if r.rec.Partial || other.rec.Partial || a.Status != b.Status || verdictOf(r) != verdictOf(other) {
		return false
	}
	if rawOf(r.rec) != "" && rawOf(r.rec) == rawOf(other.rec) {
		return true
	}
	if a.ParserConfidence != result.Parsed || b.ParserConfidence != result.Parsed || !maps.Equal(a.Counts, b.Counts) ||
		len(a.Findings) == 0 || len(a.Findings) != len(b.Findings) || len(b.Findings) < b.Truncated.FindingsTotal {
		return false
	}
	left := map[string]int{}
	for _, f := range b.Findings {
		left[told(f)]++
	}
	for _, f := range a.Findings {
		if left[told(f)]--; left[told(f)] < 0 {
			return false
		}
	}
	return true
}

// verdictOf is a text of how a run ended, to compare.
func verdictOf(r *run) string {
	exit := -1
	if r.rec.Exit != nil {
		exit = *r.rec.Exit
	}
	return fmt.Sprint(exit, r.rec.Signal, r.rec.TimedOut, r.result.Tool, r.result.ParserConfidence)
}

// rawOf is the object of a run's output; "" when it printed nothing.
func rawOf(rec *manifest.Record) string {
	if rec.Raw == nil || rec.Raw.Size == 0 {
		return ""
	}
	return rec.Raw.OID
}

// told is a text of all that is shown of a finding, to compare.
func told(f result.Finding) string {
	return fmt.Sprintf("%q", []string{f.Fingerprint, f.Location, f.Message, f.Expected, f.Actual, string(f.Severity)})
}
