package gitrepo

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxRaces bounds how often a commit is made again because somebody else
	// moved the branch first. One of the racers always wins, so this many losses
	// in a row mean that something else is wrong.
	maxRaces = 500
	// maxLocked bounds how often a lock that somebody holds is tried; git itself
	// waits 100 ms for it each time.
	maxLocked = 3
	// maxPause is the longest pause between two races.
	maxPause = 20 * time.Millisecond
)

// Commit makes changes to the files at the tip, commits them and moves the
// branch by compare-and-swap. When somebody else moved it first, everything is done
// again on the new tip, so nothing anybody committed is lost. Returns the
// new commit; or the tip, when nothing changed ("" without a branch). when is
// the date of author and committer; the rest of their identity is the user's.
//
// Errors: ErrCheckedOut; ErrRefused when git, a hook, a lock or a permission
// is in the way; ErrBadPath; ErrMissing when the tip is damaged; that of ctx. After an error
// the branch may have moved only if git was ended in the middle (ctx).
func (b *Branch) Commit(ctx context.Context, changes []Change, subject, body string, when time.Time) (string, error) {
	list, err := edits(changes)
	if err != nil {
		return "", err
	}
	return b.advance(ctx, func(db objectStore, tip string) (string, error) {
		old, err := b.repo.treeOf(ctx, db, tip)
		if err != nil || len(list) == 0 {
			return tip, err
		}
		ed := &editor{db, b.repo.hexLen() / 2}
		tree, err := ed.apply(ctx, old, list)
		if err != nil || tree == old {
			return tip, err
		}
		return b.writeCommit(ctx, db, commit{tree: tree, parents: parents(tip), subject: subject, body: body, when: when})
	})
}

func parents(tip string) []string {
	if tip == "" {
		return nil
	}
	return []string{tip}
}

// MergeTips merges commits into the branch: the result has every file of the
// tip and of tips, a file that differs is joined by merge (a pure function of
// its versions, the branch's own first; nil drops the file). Its
// parents are the tip and those of tips that are not its ancestors. When
// one of all those commits contains the others, the branch just moves
// there, or stays. Errors as Commit.
func (b *Branch) MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (string, error) {
	if err := b.valid(); err != nil {
		return "", err
	}
	for _, oid := range tips {
		if err := b.repo.checkOID("merge into "+b.ref, oid); err != nil {
			return "", err
		}
	}
	return b.advance(ctx, func(db objectStore, tip string) (string, error) {
		heads, err := b.repo.independent(ctx, distinct(append(parents(tip), tips...)))
		if err != nil || len(heads) == 0 {
			return tip, err
		}
		if len(heads) == 1 {
			return heads[0], nil
		}
		var trees []string
		for _, oid := range heads {
			tree, err := b.repo.treeOf(ctx, db, oid)
			if err != nil {
				return "", err
			}
			trees = append(trees, tree)
		}
		ed := &editor{db, b.repo.hexLen() / 2}
		tree, err := ed.union(ctx, "", trees, merge)
		if err != nil {
			return "", err
		}
		return b.writeCommit(ctx, db, commit{tree: tree, parents: heads, subject: subject, when: when})
	})
}

// independent leaves out the commits that others of the list contain.
func (r *Repo) independent(ctx context.Context, oids []string) ([]string, error) {
	if len(oids) < 2 {
		return oids, nil
	}
	out, err := r.storeGit().run(ctx, "compare the tips", nil, append([]string{"merge-base", "--independent"}, oids...)...)
	if err != nil {
		return nil, err
	}
	var heads []string
	for _, oid := range oids { // in the order given, the branch's own first
		if strings.Contains(string(out), oid) {
			heads = append(heads, oid)
		}
	}
	return heads, nil
}

func (b *Branch) writeCommit(ctx context.Context, db objectStore, c commit) (string, error) {
	var err error
	if c.author, c.committer, err = b.repo.people(ctx); err != nil {
		return "", err
	}
	if c.tree == "" {
		if c.tree, err = db.write(ctx, plumbing.TreeObject, nil); err != nil {
			return "", err
		}
	}
	return db.write(ctx, plumbing.CommitObject, c.encode())
}

// advance moves the branch to the commit that build makes for a tip, building
// again for as long as others are faster.
func (b *Branch) advance(ctx context.Context, build func(db objectStore, tip string) (string, error)) (string, error) {
	if err := b.valid(); err != nil {
		return "", err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	db, err := b.repo.objects(ctx)
	if err != nil {
		return "", err
	}
	defer db.close()
	for races, locked := 0, 0; ; {
		if err := b.checkNotOut(ctx); err != nil {
			return "", err
		}
		tip, err := b.Tip(ctx)
		if err != nil {
			return "", err
		}
		next, err := build(db, tip)
		if err != nil || next == tip {
			return next, err
		}
		err = b.move(ctx, next, tip)
		if err == nil {
			return next, db.restore(ctx)
		}
		switch now, terr := b.Tip(ctx); {
		case ctx.Err() != nil:
			return "", &Error{Op: "move " + b.ref, Err: context.Cause(ctx)}
		case terr == nil && now == next: // done, though git was ended before it could say so
			return next, db.restore(ctx)
		case (terr != nil || now != tip || isRace(err)) && races < maxRaces:
			races++ // a tip that could not be read shows again above
		case isLocked(err) && locked < maxLocked-1:
			locked++
		default:
			return "", refused(err)
		}
		pause(ctx, races)
	}
}

// move sets the branch from tip to next: in its files where that is certain,
// else by git, which also explains what is in the way.
func (b *Branch) move(ctx context.Context, next, tip string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.repo.movesByFiles(ctx, b.ref) {
		err := b.repo.moveFile(ctx, b.ref, next, tip)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, errAskGit):
			return &Error{Op: "move " + b.ref, Err: err}
		}
	}
	if tip == "" {
		tip = b.repo.zeroOID()
	}
	m, err := startMover(context.WithoutCancel(ctx), b.repo.storeGit())
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { terminate(m.cmd.Process) })
	defer stop()
	if err = m.move(b.ref, next, tip); err == nil {
		return m.close()
	}
	return err
}

// isRace says that the ref is not where it was expected; git says so in words.
func isRace(err error) bool {
	var e *Error
	return errors.Is(err, errLost) || errors.As(err, &e) && (strings.Contains(e.Stderr, "but expected") || strings.Contains(e.Stderr, "reference already exists"))
}

// isLocked says that somebody holds a lock file.
func isLocked(err error) bool {
	var e *Error
	return errors.Is(err, errLocked) || errors.As(err, &e) && strings.Contains(e.Stderr, ".lock': File exists")
}

// pause lets racers get out of step: longer, and more at random, the more
// races were lost.
func pause(ctx context.Context, races int) {
	if races == 0 {
		return
	}
	most := min(time.Duration(races)*time.Millisecond, maxPause)
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(most)):
	}
}
