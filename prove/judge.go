package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/result"
)

// Options select the tree to ask about.
type Options struct {
	Rev  string // a commit or a range A..B; "" is the working tree
	Base string // the commit to compare with; "" chooses one
	// Staged asks about the tree that a commit would have now, as hooks of git commit do.
	Staged bool
	Now    time.Time
}

// Ask returns the state of every check of a tree.
func Ask(ctx context.Context, s *place.Site, o Options) (*Answer, error) {
	j := &judge{now: o.Now, commands: map[[2]string]command{}}
	record := make(chan error, 1)
	go func() { // concurrently with git
		var err error
		j.record, err = recall.OpenRuns(ctx, s)
		record <- err
	}()
	t, checks, was, err := asked(ctx, s, o)
	if failed := <-record; failed != nil {
		return nil, failed
	}
	defer j.record.Close()
	if err != nil {
		return nil, err
	}
	j.target = t
	if err := j.open(slices.Concat(checks, was)); err != nil {
		return nil, err
	}
	a := &Answer{Tree: t.tree, Commit: t.commit, Base: t.base, Here: t.here, Proven: true}
	for _, c := range checks {
		claim, err := j.claim(ctx, c)
		if err != nil {
			return nil, err
		}
		declared(claim, c, was, t.baseTree != nil)
		a.Checks = append(a.Checks, *claim)
	}
	for _, c := range was { // a check that is no longer declared still counts
		if !slices.ContainsFunc(checks, func(now Check) bool { return now.Name == c.Name }) {
			claim, err := j.claim(ctx, c)
			if err != nil {
				return nil, err
			}
			claim.weaken(Reason{Why: WhyChecks, Text: "the base declares this check, and this tree does not"})
			a.Checks = append(a.Checks, *claim)
		}
	}
	if len(a.Checks) == 0 {
		return nil, ErrNoChecks
	}
	a.Proven = a.Count(Proven) == len(a.Checks)
	return a, nil
}

// asked returns the tree, its checks, and the checks of the base.
func asked(ctx context.Context, s *place.Site, o Options) (t *target, checks, was []Check, err error) {
	if t, err = findTarget(ctx, s, o); err == nil {
		checks, was, err = t.checks(ctx)
	}
	return t, checks, was, err
}

// checks returns the checks of the tree and those of the base.
func (t *target) checks(ctx context.Context) (checks, was []Check, err error) {
	text, err := t.text(ctx, ChecksFile)
	if err != nil {
		return nil, nil, err
	}
	if checks, err = ReadChecks(text); err != nil || !slices.Contains(t.changed, ChecksFile) {
		return checks, nil, err
	}
	if text, err = t.baseText(ctx, ChecksFile); err != nil {
		return nil, nil, err
	}
	was, _ = ReadChecks(text) // an invalid file declared nothing
	return checks, was, nil
}

// declared weakens a claim whose declaration differs from the base's.
func declared(claim *Claim, c Check, was []Check, compared bool) {
	i := slices.IndexFunc(was, func(o Check) bool { return o.Name == c.Name })
	if !compared || i < 0 {
		return // a new check has nothing to weaken
	}
	o := was[i]
	var keys []string
	for key, same := range map[string]bool{
		"command": o.Command == c.Command, "dir": o.Dir == c.Dir, "paths": slices.Equal(o.Paths, c.Paths),
		"config": slices.Equal(o.Config, c.Config), "fresh": o.Fresh == c.Fresh,
		"exit_is_enough": o.ExitIsEnough == c.ExitIsEnough,
	} {
		if !same {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		slices.Sort(keys)
		claim.weaken(Reason{Why: WhyChecks, Text: "its declaration was changed against the base: " + strings.Join(keys, ", ")})
	}
}

// judge determines the states of checks for one tree.
type judge struct {
	*target
	now      time.Time
	record   *recall.Runs
	on       []*manifest.Record            // records of this tree and of the base, newest first
	keys     []string                      // keys of all checks' commands
	past     map[string][]*manifest.Record // the newest records of each key, on any tree; nil until needed
	commands map[[2]string]command         // by directory and text
}

// Limits of the captures that are examined: of the tree and the base; of a check on other trees; of longer lines.
const (
	mostOn    = 2000
	mostElse  = 12
	mostLines = 20
)

// open reads the captures of this tree, of its commit and of the base.
func (j *judge) open(checks []Check) (err error) {
	for _, c := range checks {
		j.keys = append(j.keys, j.command(c).keys...)
	}
	hashes := []string{j.tree}
	for _, commit := range []string{j.base, j.commit} {
		if commit != "" && !slices.Contains(hashes, commit) {
			hashes = append(hashes, commit)
		}
	}
	j.on, err = j.record.On(hashes, mostOn)
	return err
}

// command recognizes a check's command in records; it is made once.
func (j *judge) command(c Check) command {
	at := [2]string{c.Dir, c.Command}
	of, found := j.commands[at]
	if !found {
		of = commandOf(j.site.Workspace, c)
		j.commands[at] = of
	}
	return of
}

// runs are the captures related to a check.
type runs struct {
	here    []*use // of the exact command, on this tree
	related []*use // of another command of the tool, on this tree
	before  []*use // of the exact command, on another tree
}

func (j *judge) runs(c Check) (all runs, err error) {
	of := j.command(c)
	j.sort(of, j.on, &all)
	if len(all.here) > 0 || len(all.related) > 0 && len(c.Paths) == 0 {
		return all, nil
	}
	if j.past == nil {
		if j.past, err = j.record.Of(j.keys, mostElse); err != nil {
			return all, err
		}
	}
	var further []*manifest.Record
	for _, key := range of.keys {
		further = append(further, j.past[key]...)
	}
	if len(further) == 0 { // as a part of a longer line
		further, err = j.record.Saying(c.Command, mostLines)
	}
	j.sort(of, slices.DeleteFunc(further, func(rec *manifest.Record) bool {
		return slices.ContainsFunc(j.on, func(o *manifest.Record) bool { return o.ID == rec.ID })
	}), &all)
	return all, err
}

// sort classifies captures for a check.
func (j *judge) sort(of command, records []*manifest.Record, all *runs) {
	for _, rec := range records {
		if rec.Exit == nil && rec.Signal == "" && !rec.TimedOut || rec.Env == "" {
			continue // still running, or output that was passed in
		}
		u := of.use(rec)
		on := worktreeOf(rec) == j.tree
		switch {
		case u == nil:
		case on && u.very():
			all.here = append(all.here, u)
		case on:
			all.related = append(all.related, u)
		case len(u.weak) == 0:
			all.before = append(all.before, u)
		}
	}
	slices.SortStableFunc(all.before, func(a, b *use) int { return b.whole.Time.Compare(a.whole.Time) })
}

// claim determines the state of one check.
func (j *judge) claim(ctx context.Context, c Check) (*Claim, error) {
	claim := &Claim{Check: c}
	all, err := j.runs(c)
	if err != nil {
		return nil, err
	}
	paths, err := filter.Paths(c.Paths)
	if err != nil {
		return nil, err
	}
	if len(c.Paths) > 0 {
		j.unchanged(ctx, &all, paths)
	}
	switch {
	case len(all.here) > 0:
		return claim, j.ran(ctx, claim, all)
	case len(all.related) > 0:
		u := all.related[0]
		claim.take(u)
		claim.State = Weakened
		if !well(u.rec) && !undecided(u.rec) {
			claim.State = Failed
			claim.Reasons = []Reason{{Why: WhyFailed, Text: howEnded(u.rec)}}
		}
		claim.Reasons = append(claim.Reasons, u.weak...)
	default:
		j.elsewhere(ctx, claim, all.before, paths)
	}
	return claim, nil
}

// mostTrees bounds the earlier trees that are compared.
const mostTrees = 8

// unchanged treats runs on trees in which the check's files are the same as runs on this tree. If there are runs on
// this tree itself, only failed ones are added.
func (j *judge) unchanged(ctx context.Context, all *runs, paths filter.Patterns) {
	same, failures := map[string]bool{}, len(all.here) > 0
	var left []*use
	for _, u := range all.before {
		tree := worktreeOf(u.whole)
		if failures && well(u.rec) {
			left = append(left, u)
			continue
		}
		if _, asked := same[tree]; !asked && len(same) < mostTrees {
			files, known := j.since(ctx, tree)
			same[tree] = known && !slices.ContainsFunc(files, paths.Path)
		}
		if same[tree] {
			all.here = append(all.here, u)
		} else {
			left = append(left, u)
		}
	}
	all.before = left
}

func worktreeOf(rec *manifest.Record) string {
	if rec.Git == nil {
		return ""
	}
	return rec.Git.Worktree
}

// elsewhere determines the state of a check that did not run on this tree.
func (j *judge) elsewhere(ctx context.Context, claim *Claim, before []*use, paths filter.Patterns) {
	claim.State = Missing
	if len(before) == 0 {
		claim.Reasons = []Reason{{Why: WhyNotRun, Text: "there is no run of it"}}
		return
	}
	last := before[0]
	claim.take(last)
	ended := "it passed"
	if claim.State = Stale; !well(last.rec) {
		claim.State, ended = Missing, howEnded(last.rec)
	}
	files, known := j.since(ctx, worktreeOf(last.whole))
	if !known && j.reader != nil {
		files = j.reader.WrittenSince(last.whole.Time)
	}
	files = slices.DeleteFunc(files, func(path string) bool { return !paths.Path(path) })
	why := Reason{Why: WhyChanged, Text: ended + " on another tree"}
	switch {
	case worktreeOf(last.whole) == "":
		why.Text = ended + ", and what the tree was is not known"
	case len(files) > 0:
		why.Text = ended + ", then changed"
		if !known {
			why.Text = ended + ", on a tree that is not known any more; written since"
		}
	}
	claim.Reasons = []Reason{why.about(files)}
}

// ran determines the state of a check whose command ran on this tree.
func (j *judge) ran(ctx context.Context, claim *Claim, all runs) error {
	u := all.here[0]
	claim.take(u)
	if !well(u.rec) {
		claim.State, claim.Reasons = Failed, []Reason{{Why: WhyFailed, Text: howEnded(u.rec)}}
		return nil
	}
	if claim.Fresh == FreshCommit && (u.whole.Git == nil || u.whole.Git.Commit != j.commit) {
		claim.State, claim.Reasons = Stale, []Reason{{Why: WhyCommit, Text: "it passed on an equal tree, and not on this commit"}}
		return nil
	}
	r, err := u.rec.Result()
	if err != nil {
		return err
	}
	claim.State = Proven
	for _, why := range slices.Concat(u.weak, j.early(u, r), j.retried(u, all), j.kept(u)) {
		claim.weaken(why)
	}
	if err := j.against(ctx, claim, u, r, all); err != nil {
		return err
	}
	if r == nil || r.ParserConfidence != result.Parsed || r.Kind == result.Generic && len(r.Parts) == 0 {
		why := Reason{Why: WhyExitOnly, Text: "it exited with 0, and what it printed could not be read"}
		if u.silent() {
			why.Text = "it exited with 0 and printed nothing, and no parser knows what that means"
		}
		switch {
		case u.silent() && j.command(claim.Check).silenceIsGood(claim.Check):
			return nil
		case claim.ExitIsEnough:
			why.Text += ", which is enough by its declaration (exit_is_enough)"
		case claim.State == Proven:
			claim.State = Unread
		}
		claim.Reasons = append(claim.Reasons, why)
	}
	return nil
}

// take sets the run of the claim.
func (c *Claim) take(u *use) {
	at := u.whole.Time
	c.Run, c.Stage, c.Time, c.Status, c.Exit, c.Counts = u.whole.ID, u.stage, &at, u.rec.Status, u.rec.Exit, u.rec.Counts
	if raw := u.rec.Raw; raw != nil {
		c.RawOID = raw.OID
	} else if u.whole.Raw != nil {
		c.RawOID = u.whole.Raw.OID
	}
	if line := recall.CommandLine(u.whole); line != c.Command {
		c.Ran = short(line)
	}
}

// weaken adds a reason to a claim, and the state Weakened if it was better.
func (c *Claim) weaken(r Reason) {
	c.Reasons = append(c.Reasons, r)
	if c.State == Proven || c.State == Unread {
		c.State = Weakened
	}
}

// well says whether a run succeeded.
func well(rec *manifest.Record) bool {
	return rec.Exit != nil && *rec.Exit == 0 && rec.Signal == "" && !rec.TimedOut && (rec.Status == result.Passed || rec.Status == result.OK || rec.Status == "")
}

// howEnded says how a failed run ended.
func howEnded(rec *manifest.Record) string {
	switch {
	case rec.TimedOut:
		return "it timed out"
	case rec.Signal != "":
		return "it was ended by " + rec.Signal
	case rec.Exit != nil && *rec.Exit != 0 && len(rec.Counts) == 0:
		return fmt.Sprintf("it failed with exit status %d", *rec.Exit)
	}
	if r, err := rec.Result(); err == nil && r != nil {
		return "it failed: " + result.Summarise(r)
	}
	return "it failed"
}
