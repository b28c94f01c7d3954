package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/place"
	"cairn/manifest"
)

// pairing finds two captures of one command to compare.
type pairing struct {
	q *query
	s *place.Site
}

// side is one of the two captures to compare, as the user named it.
type side struct {
	name  string
	run   *manifest.Record            // set if the name is the id of a run
	suits func(*manifest.Record) bool // set if the name is a branch or a commit; nil: any capture
	bytes []byte                      // a byte string in the lines of all captures that suit
}

// maxLookedAt bounds how many records are read to find the newest command: ten thousand
// take some 100 ms.
const maxLookedAt = 10_000

// pair finds the two captures. If one name is a branch or a commit, they come as they
// were named, else the older capture first.
func (p *pairing) pair(ctx context.Context, before, after string) (a, b *manifest.Record, err error) {
	if before == "" {
		return p.lastTwo(ctx)
	}
	one, err := p.side(ctx, before)
	if err != nil {
		return nil, nil, err
	}
	two := &side{}
	if after != "" {
		if two, err = p.side(ctx, after); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case one.run != nil && two.run != nil:
		a, b = one.run, two.run
	case one.run != nil:
		a = one.run
		b, err = p.newest(ctx, two, a)
	case two.run != nil:
		b = two.run
		a, err = p.newest(ctx, one, b)
	default:
		return p.newestOfBoth(ctx, one, two)
	}
	if err != nil {
		return nil, nil, err
	}
	if one.suits == nil && two.suits == nil && (b.Time.Before(a.Time) || b.Time.Equal(a.Time) && b.ID < a.ID) {
		a, b = b, a // the older capture is "before", however they were named
	}
	return a, b, nil
}

// side finds out whether a name is a run, a branch or a commit, in this order.
func (p *pairing) side(ctx context.Context, name string) (*side, error) {
	out, err := Find(ctx, p.s, name)
	if err == nil {
		if out.Record == nil {
			return nil, fmt.Errorf("%s is an object of no capture", name)
		}
		return &side{name: name, run: out.Record}, nil
	}
	commit, unknown := "", error(nil)
	if p.s.Repo != nil {
		_, no := p.s.Repo.CommitOf(ctx, "refs/heads/"+name)
		if revision := strings.ContainsAny(name, "~^:") || strings.Contains(name, "@{"); revision || no != nil {
			commit, unknown = p.s.Repo.CommitOf(ctx, name)
		}
	}
	switch {
	case commit != "":
		return &side{name: name, bytes: manifest.Literal("commit", commit), suits: func(r *manifest.Record) bool { return r.Git != nil && r.Git.Commit == commit }}, nil
	case unknown != nil && !errors.Is(err, manifest.ErrNotFound):
		return nil, err // several runs have this prefix
	}
	// A branch: of this clone or of another one, and it may be gone.
	return &side{name: name, bytes: manifest.Literal("branch", name), suits: func(r *manifest.Record) bool { return branchOf(r) == name }}, nil
}

// each visits the captures of a side, newest first, until visit returns false.
func (p *pairing) each(ctx context.Context, sd *side, q manifest.Query, visit func(*manifest.Record) bool) error {
	q.Newest = true
	if sd.bytes != nil {
		q.Contains = append(q.Contains, sd.bytes)
	}
	for rec, err := range p.s.Manifest.Records(ctx, q) {
		if err != nil {
			return err
		}
		if rec.Type != manifest.TypeCapture || sd.suits != nil && !sd.suits(rec) {
			continue
		}
		hit, err := p.q.match(p.s, rec)
		if err != nil {
			return err
		}
		if hit != nil && !visit(rec) {
			return nil
		}
	}
	return nil
}

// newest is the newest capture of a side that has the same command as than and is another run.
func (p *pairing) newest(ctx context.Context, sd *side, than *manifest.Record) (found *manifest.Record, err error) {
	q := manifest.Query{Contains: [][]byte{manifest.Literal("key", than.Key)}}
	err = p.each(ctx, sd, q, func(rec *manifest.Record) bool {
		if rec.Key == than.Key && rec.ID != than.ID {
			found = rec
		}
		return found == nil
	})
	switch {
	case err != nil || found != nil:
		return found, err
	case sd.suits != nil:
		return nil, nothingToCompare(fmt.Sprintf("%s has no other capture of %q", sd.name, CommandLine(than)))
	}
	return nil, nothingToCompare(than.ID + " is the only capture of its command: there is none to compare it with")
}

// newestOfBoth are the newest captures of two branches or commits that have a command
// in common: the newest command whose captures can have findings, else the newest of
// all. If two has no name, its capture is any other one.
func (p *pairing) newestOfBoth(ctx context.Context, one, two *side) (a, b *manifest.Record, err error) {
	first := map[string]*manifest.Record{}
	n := 0
	if err := p.each(ctx, one, manifest.Query{}, func(rec *manifest.Record) bool {
		first[rec.Key] = cmp.Or(first[rec.Key], rec)
		n++
		return n < maxLookedAt
	}); err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	n = 0
	err = p.each(ctx, two, manifest.Query{}, func(rec *manifest.Record) bool {
		n++
		was := first[rec.Key]
		if was == nil || was.ID == rec.ID || two.suits == nil && one.suits(rec) || seen[rec.Key] {
			return n < maxLookedAt
		}
		seen[rec.Key] = true
		if a == nil || tells(was) || tells(rec) {
			a, b = was, rec
		}
		return !tells(a) && !tells(b) && n < maxLookedAt
	})
	if err == nil && a == nil {
		other := two.name
		if two.suits == nil {
			other = "the rest of the record"
		}
		if none := len(first) == 0; none || n == 0 && two.suits != nil {
			return nil, nil, nothingToCompare(map[bool]string{true: one.name, false: two.name}[none] + " is neither a run nor a branch or commit with captures that the filters leave (what there is: cairn recall objects)")
		}
		err = nothingToCompare(fmt.Sprintf("%s and %s have no captures of one command (what there is of each: cairn recall objects --branch NAME, or --commit NAME)", one.name, other))
	}
	return a, b, err
}

// lastTwo are the last two captures of the newest command whose captures can have
// findings; most commands of an agent are like "ls" and have nothing to compare. If
// there is no such command, they are those of the newest command.
func (p *pairing) lastTwo(ctx context.Context) (a, b *manifest.Record, err error) {
	last := map[string]*manifest.Record{}
	var newest *manifest.Record
	if err := p.each(ctx, &side{}, manifest.Query{Limit: maxLookedAt}, func(rec *manifest.Record) bool {
		newest = cmp.Or(newest, rec)
		switch then := last[rec.Key]; {
		case then == nil:
			last[rec.Key] = rec
		case tells(rec) || tells(then):
			a, b = rec, then
		}
		return a == nil
	}); err != nil || a != nil {
		return a, b, err
	}
	if newest == nil {
		return nil, nil, nothingToCompare("nothing has been captured here that the filters leave")
	}
	a, err = p.newest(ctx, &side{}, newest)
	return a, newest, err
}

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
