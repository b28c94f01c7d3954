package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// objectStore reads and writes whole git objects. There are two: looseStore
// (go-git's codec, in process, sha1) and gitStore (the git program, anything
// git can do). Both pass the same tests. One operation uses one store and
// closes it.
type objectStore interface {
	// read returns an object; errors.Is(err, ErrMissing) when there is none.
	read(ctx context.Context, oid string) (plumbing.ObjectType, []byte, error)
	// write stores an object, complete before it returns, and names it. It is
	// not flushed to disk: the branch can be made again from the shards.
	write(ctx context.Context, kind plumbing.ObjectType, data []byte) (string, error)
	// settle is called when a ref names what was written since the last
	// settle: it restores what a concurrent `git gc --prune=now` took away.
	settle(ctx context.Context) error
	close() error
}

// objects opens the fastest store that is right for this repository.
func (r *Repo) objects(ctx context.Context) (objectStore, error) {
	if r.ObjectFormat != "sha1" {
		return newGitStore(r), nil
	}
	share, err := r.sharing(ctx)
	if err != nil {
		return nil, err
	}
	return newLooseStore(r, share), nil
}

// readKind reads an object that must be of one kind.
func readKind(ctx context.Context, db objectStore, kind plumbing.ObjectType, oid string) ([]byte, error) {
	got, data, err := db.read(ctx, oid)
	if err != nil {
		return nil, err
	}
	if got != kind {
		return nil, &Error{Op: "read object " + oid, Err: fmt.Errorf("it is a %s, not a %s", got, kind)}
	}
	return data, nil
}

// gitStore does everything through the git program: one process to read them
// all, one for each object written.
type gitStore struct {
	git git
	cat *catFile
}

func newGitStore(r *Repo) *gitStore {
	return &gitStore{git: r.storeGit(), cat: newCatFile(r)}
}

func (s *gitStore) read(ctx context.Context, oid string) (plumbing.ObjectType, []byte, error) {
	return s.cat.read(ctx, oid)
}

func (s *gitStore) write(ctx context.Context, kind plumbing.ObjectType, data []byte) (string, error) {
	if data == nil {
		data = []byte{}
	}
	out, err := s.git.run(ctx, "write a "+kind.String(), data, "hash-object", "-w", "-t", kind.String(), "--stdin")
	if err != nil {
		return "", refused(err)
	}
	return strings.TrimSpace(string(out)), nil
}

// settle does nothing: git's own writers live with the same window.
func (s *gitStore) settle(context.Context) error { return nil }

func (s *gitStore) close() error { return s.cat.close() }

// refused marks an error that has no kind yet as git's refusal.
func refused(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		e.Kind = ErrRefused
	}
	return err
}
