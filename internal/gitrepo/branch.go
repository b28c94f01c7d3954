package gitrepo

import (
	"context"
	"errors"
	"sort"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Branch is a branch used as a store of files; it is never checked out. It is
// safe for concurrent use. Close it when done.
type Branch struct {
	repo *Repo
	name string
	ref  string

	mu     sync.Mutex // one commit at a time; guards mover
	mover  *mover     // waiting for its transaction, or nil
	ending sync.WaitGroup
}

// OpenBranch is the branch refs/heads/<name>. It need not exist. A name git
// would not take is an ErrBadBranch at the first use.
func (r *Repo) OpenBranch(name string) *Branch {
	return &Branch{repo: r, name: name, ref: "refs/heads/" + name}
}

func (b *Branch) valid() error {
	if validBranch(b.name) {
		return nil
	}
	return &Error{Op: "use the branch " + quote(b.name), Kind: ErrBadBranch}
}

// validBranch is what git check-ref-format --branch allows, without "@", which
// means HEAD.
func validBranch(name string) bool {
	if name == "" || name == "HEAD" || name == "@" || name[0] == '-' || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	return true
}

// Prepare starts what the next Commit needs beside whatever the caller does
// meanwhile: the process that moves the branch, and the reading of git's configuration. It
// returns at once, unless a Commit is under way. Optional; its troubles show in
// Commit. ctx ends the process.
func (b *Branch) Prepare(ctx context.Context) {
	if b.valid() != nil {
		return
	}
	b.mu.Lock()
	go func() {
		defer b.mu.Unlock()
		b.warm(ctx)
	}()
}

func (b *Branch) warm(ctx context.Context) {
	_ = b.startMover(ctx)
	_, _ = b.repo.settings(ctx)
}

func (b *Branch) startMover(ctx context.Context) (err error) {
	if b.mover == nil {
		b.mover, err = startMover(ctx, b.repo.storeGit())
	}
	return err
}

// Close waits for the end of the processes that Prepare and Commit have started.
func (b *Branch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mover != nil {
		_ = b.mover.close() // it has nothing to do; how it ends does not matter
		b.mover = nil
	}
	b.ending.Wait()
	return nil
}

// Tip is the commit of the branch, "" when there is no branch yet.
func (b *Branch) Tip(ctx context.Context) (string, error) {
	if err := b.valid(); err != nil {
		return "", err
	}
	return b.repo.readRef(ctx, b.ref)
}

// RemoteTip is the branch of the same name as it was last fetched from a remote.
type RemoteTip struct {
	Ref    string // "refs/remotes/origin/cairn"
	Commit string
}

// Remotes lists refs/remotes/*/<name>, sorted by Ref.
func (b *Branch) Remotes(ctx context.Context) ([]RemoteTip, error) {
	if err := b.valid(); err != nil {
		return nil, err
	}
	refs, err := b.repo.remoteRefs(ctx, b.name)
	if err != nil {
		return nil, err
	}
	var tips []RemoteTip
	for ref, oid := range refs {
		tips = append(tips, RemoteTip{ref, oid})
	}
	sort.Slice(tips, func(i, j int) bool { return tips[i].Ref < tips[j].Ref })
	return tips, nil
}

// CheckedOut reports whether a working tree of the repository has the branch
// checked out, or is rebasing it. Moving it then would show there as changes
// nobody made.
func (b *Branch) CheckedOut(ctx context.Context) (bool, error) {
	if err := b.valid(); err != nil {
		return false, err
	}
	at, err := b.repo.checkedOutAt(ctx, b.ref)
	return at != "", err
}

func (b *Branch) checkNotOut(ctx context.Context) error {
	at, err := b.repo.checkedOutAt(ctx, b.ref)
	if err != nil || at == "" {
		return err
	}
	return &Error{Op: "move " + b.ref, Kind: ErrCheckedOut, Err: errors.New("checked out at " + at)}
}

// treeOf is the tree of a commit, "" for no commit and for an empty tree.
func (r *Repo) treeOf(ctx context.Context, db objectStore, oid string) (string, error) {
	if oid == "" {
		return "", nil
	}
	data, err := readKind(ctx, db, plumbing.CommitObject, oid)
	if err != nil {
		return "", err
	}
	tree, err := commitTree(data)
	if err != nil {
		return "", &Error{Op: "read commit " + oid, Err: err}
	}
	if tree == r.emptyTree() {
		return "", nil
	}
	return tree, nil
}
