package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
)

// Values of --against besides the id of a run or the name of a commit: what to compare a run with.
const (
	AgainstBranch = "branch" // the last run on this branch, else at an ancestor of its commit
	AgainstLast   = "last"   // the last run anywhere
	AgainstMain   = "main"   // the last run on the default branch
	AgainstOn     = "on:"    // followed by the name of a branch: the last run there
)

// maxAncestors is how many commits back a run at an ancestor is looked for.
const maxAncestors = 500

// picker chooses the earlier run to compare with.
type picker struct {
	given  bool // the user asked for this base by a flag
	suits  func(*manifest.Record) bool
	or     func(ctx context.Context, s *place.Site) (func(*manifest.Record) int, error) // if no run suits: a rank by commit, below 0 for none
	atWhat bool                                                                         // the text on the base names its commit
}

// pickerOf makes a picker from the value of --against.
func pickerOf(ctx context.Context, s *place.Site, rec *manifest.Record, against string) (picker, error) {
	switch against {
	case "", AgainstBranch:
		branch := branchOf(rec)
		return picker{
			given: against != "",
			suits: func(r *manifest.Record) bool { return branch != "" && branchOf(r) == branch },
			or:    ancestors(rec),
		}, nil
	case AgainstLast:
		return picker{given: true, suits: func(*manifest.Record) bool { return true }}, nil
	case AgainstMain:
		name, err := defaultBranch(ctx, s)
		return onBranch(name), err
	}
	if name, ok := strings.CutPrefix(against, AgainstOn); ok {
		return onBranch(name), nil
	}
	out, err := Find(ctx, s, against)
	switch {
	case err == nil && out.Record == nil:
		return picker{}, fmt.Errorf("%s is an object of no capture", against)
	case err == nil && out.Record.Key != rec.Key:
		return picker{}, fmt.Errorf("run %s ran %q, another command", out.Record.ID, Command(out.Record))
	case err == nil:
		return picker{given: true, suits: func(r *manifest.Record) bool { return r.ID == out.Record.ID }}, nil
	case !errors.Is(err, manifest.ErrNotFound) || s.Repo == nil:
		return picker{}, err
	}
	commit, err := s.Repo.CommitOf(ctx, against)
	if err != nil {
		return picker{}, fmt.Errorf("%q is no run, and no commit or tag either: %w", against, err)
	}
	return picker{given: true, atWhat: true, suits: func(r *manifest.Record) bool { return r.Git != nil && r.Git.Commit == commit }}, nil
}

// onBranch makes a picker of the last run on a branch.
func onBranch(name string) picker {
	return picker{given: true, suits: func(r *manifest.Record) bool { return branchOf(r) == name }}
}

// waits says whether more runs must be read: the base that the user asked for is not among runs yet.
func (p picker) waits(runs []*run) bool {
	return p.given && p.or == nil && !slices.ContainsFunc(runs, func(r *run) bool { return p.suits(r.rec) })
}

// base is the run to compare with: the newest suitable run that would have shown every
// finding that now shows. The text says where that run was made.
func (p picker) base(ctx context.Context, s *place.Site, runs []*run, now *run) (*run, string) {
	for _, r := range runs {
		if p.suits(r.rec) && r.would(now) {
			return r, p.where(now.rec, r.rec)
		}
	}
	if p.or == nil || len(runs) == 0 {
		return nil, ""
	}
	rank, err := p.or(ctx, s)
	if err != nil {
		return nil, "" // git failed, so no run is certainly an ancestor
	}
	var best *run
	for _, r := range runs {
		if n := rank(r.rec); n >= 0 && r.would(now) && (best == nil || n < rank(best.rec)) {
			best = r
		}
	}
	if best == nil {
		return nil, ""
	}
	p.atWhat = true
	return best, p.where(now.rec, best.rec)
}

func (p picker) where(now, base *manifest.Record) string {
	where := onThisBranch
	if b := branchOf(base); b != branchOf(now) || b == "" {
		if where = "on " + b; b == "" {
			where = "on no branch"
		}
	}
	if p.atWhat && base.Git != nil && base.Git.Commit != "" {
		where += " at " + base.Git.Commit[:min(len(base.Git.Commit), 12)]
	}
	return where
}

// ancestors ranks runs by the number of commits between their commit and that of now. A
// run on a changed tree says nothing about its commit and has no rank.
func ancestors(now *manifest.Record) func(ctx context.Context, s *place.Site) (func(*manifest.Record) int, error) {
	return func(ctx context.Context, s *place.Site) (func(*manifest.Record) int, error) {
		if s.Repo == nil || now.Git == nil || now.Git.Commit == "" {
			return nil, errors.New("there is no commit to begin with")
		}
		list, err := s.Repo.Ancestors(ctx, now.Git.Commit, maxAncestors)
		return func(rec *manifest.Record) int {
			if rec.Git == nil || rec.Git.Commit == "" || wasDirty(rec) {
				return -1
			}
			return slices.Index(list, rec.Git.Commit)
		}, err
	}
}

// defaultBranch is the repository's main branch, as git names it.
func defaultBranch(ctx context.Context, s *place.Site) (string, error) {
	if s.Repo == nil {
		return "", errors.New("there is no git repository here, so there is no main branch")
	}
	return s.Repo.DefaultBranch(ctx)
}
