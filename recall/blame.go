package recall

import (
	"context"
	"fmt"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall/index"
	"cairn/result"
)

// Blamed is where a finding came from, on one branch and for one command: the last run
// that proves the finding was not there, and the first run after it that shows the
// finding.
type Blamed struct {
	Passed, Failed Sighting
	Command        string
	// Commits lie between the two, newest first: hash and subject. More says that
	// there are more than are listed.
	Commits []string
	More    bool
	// Why says what the commits cannot explain; "" when they are all there is.
	Why string
}

const maxBlamed = 50

// Blame finds, for a fingerprint, the newest pair of runs between which the finding came.
func Blame(ctx context.Context, s *place.Site, fingerprint string) (*Blamed, error) {
	id, err := checkFingerprint(fingerprint)
	if err != nil {
		return nil, err
	}
	x, err := openIndex(ctx, s, index.Findings, index.Keys, index.Commands, index.Wheres, index.Flags)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if len(id) < shownHex {
		if id, err = x.completed(id, func(f findingRow) string { return f.Fingerprint }, "fingerprint"); err != nil {
			return nil, err
		}
	}
	passed, failed, err := x.step(id)
	if err != nil {
		return nil, err
	}
	b := &Blamed{Command: failed.s.Text(failed.s.Command(failed.i))}
	if b.Failed, _, err = x.sighting(failed); err == nil {
		b.Passed, _, err = x.sighting(passed)
	}
	if err != nil {
		return nil, err
	}
	b.explain(ctx, s, passed.is(rowClean), failed.is(rowClean))
	return b, nil
}

// step finds the newest pair of runs, of one command on one branch, between which
// a finding came.
func (x *rows) step(id string) (passed, failed row, err error) {
	test, seen := false, false
	sets := x.choose(func(f findingRow) bool {
		test = test || f.Fingerprint == id && (f.Kind == string(result.TestFailure) || f.Kind == "")
		return f.Fingerprint == id
	})
	last := map[string]row{} // the last run that proves it was not there
	shown := map[string]bool{}
	err = x.Each(false, func(s *index.Segment, i int) bool {
		r := row{s, i}
		shows := s.HasAny(i, sets[s])
		if !shows && !r.proves(test) {
			return true
		}
		branch, _, _ := r.where()
		at := r.key() + part + branch
		if shows {
			seen = true
			if before, ok := last[at]; ok && !shown[at] {
				passed, failed = before, r
			}
		} else {
			last[at] = r
		}
		shown[at] = shows
		return true
	})
	switch {
	case err != nil:
	case !seen:
		err = fmt.Errorf("no capture has finding %s: %w", id, manifest.ErrNotFound)
	case failed.s == nil:
		err = fmt.Errorf("no run of the commands that show %s proves that it was not there before: %w", id, manifest.ErrNotFound)
	}
	return passed, failed, err
}

// explain lists the commits between the two runs.
func (b *Blamed) explain(ctx context.Context, s *place.Site, passedClean, failedClean bool) {
	from, to := b.Passed.Commit, b.Failed.Commit
	switch {
	case from == "" || to == "" || s.Repo == nil:
		b.Why = "the runs name no commits"
		return
	case from == to && passedClean && failedClean:
		b.Why = "both ran on the same commit without changes: it is flaky, or comes from outside the repository"
		return
	case from == to:
		b.Why = "both ran on the same commit, with changes that were not committed"
		return
	}
	commits, err := s.Repo.Between(ctx, from, to, maxBlamed+1)
	switch {
	case err != nil:
		b.Why = "git cannot list the commits between them: " + err.Error()
	case len(commits) == 0:
		b.Why = "the run that failed was on an older commit than the one that passed"
	case !passedClean || !failedClean:
		b.Why = "there may have been changes on top that were not committed"
	}
	b.More = len(commits) > maxBlamed
	b.Commits = commits[:min(len(commits), maxBlamed)]
}
