package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Branch is a branch used as a store of files; it is never checked out. It is
// safe for concurrent use.
type Branch struct {
	repo *Repo
	find func() (name string, err error)
	once sync.Once
	name string // set once, as are the next two
	ref  string
	err  error // why the name is not known

	mu sync.Mutex // one commit at a time
}

// OpenBranch is the branch refs/heads/<name>, which need not exist. For a name that git
// would refuse, its first use returns an ErrBadBranch.
func (r *Repo) OpenBranch(name string) *Branch {
	return &Branch{repo: r, find: func() (string, error) { return name, nil }}
}

// OpenConfigured is the branch whose name the configuration has under key, or else the
// branch called name. The configuration is read at the first use.
func (r *Repo) OpenConfigured(ctx context.Context, key, name string) *Branch {
	return &Branch{repo: r, name: name, find: func() (string, error) {
		configured, err := r.Config(ctx, key)
		if err != nil {
			return name, fmt.Errorf("reading git config %s: %w", key, err)
		}
		return cmp.Or(configured, name), nil
	}}
}

// learnName finds the name, once.
func (b *Branch) learnName() {
	b.once.Do(func() {
		b.name, b.err = b.find()
		b.ref = "refs/heads/" + b.name
	})
}

// Name is the short name. If the configuration cannot be read, it is the default name,
// and every other method fails with the reason.
func (b *Branch) Name() string {
	b.learnName()
	return b.name
}

func (b *Branch) valid() error {
	b.learnName()
	if b.err != nil || validBranch(b.name) {
		return b.err
	}
	return &Error{Op: "use the branch " + quote(b.name), Kind: ErrBadBranch}
}

// Files is Repo.Files.
func (b *Branch) Files(ctx context.Context, commit string) ([]File, error) {
	return b.repo.Files(ctx, commit)
}

// FilesChanged is Repo.FilesChanged.
func (b *Branch) FilesChanged(ctx context.Context, from, to string) ([]File, error) {
	return b.repo.FilesChanged(ctx, from, to)
}

// ReadBlobs is Repo.ReadBlobs.
func (b *Branch) ReadBlobs(ctx context.Context, oids []string, yield func(oid string, data []byte) error) error {
	return b.repo.ReadBlobs(ctx, oids, yield)
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

// Tip is the commit of the branch, "" if there is no branch yet.
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

// checkNotOut refuses a branch that a working tree of the repository has checked out,
// or is rebasing: a move would show there as changes that no user made.
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

// Drop removes the branch if it is still at tip, so that it can be made again if it
// names objects that are gone. It refuses in a partial clone, where missing objects are
// merely elsewhere, and while the branch is checked out.
func (b *Branch) Drop(ctx context.Context, tip string) error {
	op := "remove " + b.ref
	if err := errors.Join(b.valid(), b.repo.checkOID(op, tip)); err != nil {
		return err
	}
	if partial, err := b.repo.partial(ctx); partial || err != nil {
		return &Error{Op: op, Kind: ErrRefused, Err: errors.Join(err, errors.New("in a partial clone objects may be missing on purpose"))}
	}
	if err := b.checkNotOut(ctx); err != nil {
		return err
	}
	_, err := b.repo.storeGit().run(ctx, op, nil, "update-ref", "-d", "-m", "cairn: make the branch anew", b.ref, tip)
	return refused(err)
}
