package gitrepo

import (
	"context"
	"errors"
	"time"
)

var errNotBuilt = errors.New("gitrepo: being built")

// Repo is one repository as seen from one directory.
type Repo struct {
	TopLevel     string // root of the working tree, absolute; empty in a bare repository or inside .git
	Prefix       string // the directory relative to TopLevel, slash-separated, "" at the root, no trailing slash
	GitDir       string // absolute; in a linked worktree <common>/worktrees/<name>
	CommonDir    string // absolute; shared by all worktrees
	ObjectFormat string // "sha1" or "sha256"
	Bare         bool
	Commit       string // of HEAD; empty when unborn
	Tree         string // of HEAD; empty when unborn
	Branch       string // short name of HEAD's branch, also when unborn; empty when detached
}

// Discover asks git which repository dir belongs to.
func Discover(ctx context.Context, dir string) (*Repo, error) { return nil, errNotBuilt }

// InitBare opens the bare repository at dir, made if it is not there.
func InitBare(ctx context.Context, dir string) (*Repo, error) { return nil, errNotBuilt }

// Dirty reports tracked changes against Commit.
func (r *Repo) Dirty(ctx context.Context) (bool, error) { return false, errNotBuilt }

// ChangedSince returns those of paths (relative to TopLevel, slash-separated)
// whose tracked content differs now from commit.
func (r *Repo) ChangedSince(ctx context.Context, commit string, paths []string) ([]string, error) {
	return nil, errNotBuilt
}

// Config returns the value git has for key, "" when unset.
func (r *Repo) Config(ctx context.Context, key string) (string, error) { return "", errNotBuilt }

// File is a file of a commit's tree.
type File struct {
	Path string
	OID  string // "" in FilesChanged when the file is gone
	Size int64  // bytes; -1 when git was not asked (FilesChanged, partial clone)
}

// Files lists all files of a commit.
func (r *Repo) Files(ctx context.Context, commit string) ([]File, error) { return nil, errNotBuilt }

// FilesChanged lists what differs from commit from ("" is the empty tree) to commit to.
func (r *Repo) FilesChanged(ctx context.Context, from, to string) ([]File, error) {
	return nil, errNotBuilt
}

// ReadBlobs calls yield with every blob, in the order asked. data is valid
// until yield returns. Missing blobs are skipped and named by an ErrMissing
// after all others were yielded.
func (r *Repo) ReadBlobs(ctx context.Context, oids []string, yield func(oid string, data []byte) error) error {
	return errNotBuilt
}

// Branch is a branch used as a store of files. Close it when done.
type Branch struct{}

// OpenBranch is refs/heads/<name>. A bad name is an ErrBadBranch of every call.
func (r *Repo) OpenBranch(name string) *Branch { return &Branch{} }

// Prepare starts, beside whatever else is going on, the processes that the next
// Commit needs. Optional, cheap, idempotent.
func (b *Branch) Prepare(ctx context.Context) {}

// Close ends what Prepare started and was not used.
func (b *Branch) Close() error { return nil }

// Tip is the commit of the branch, "" when absent.
func (b *Branch) Tip(ctx context.Context) (string, error) { return "", errNotBuilt }

// RemoteTip is the branch of the same name as last fetched from a remote.
type RemoteTip struct {
	Ref    string // refs/remotes/origin/cairn
	Commit string
}

// Remotes lists refs/remotes/*/<name>, sorted by Ref.
func (b *Branch) Remotes(ctx context.Context) ([]RemoteTip, error) { return nil, errNotBuilt }

// CheckedOut reports whether any working tree has the branch checked out.
func (b *Branch) CheckedOut(ctx context.Context) (bool, error) { return false, errNotBuilt }

// Change is a change of one file. Merge gets the file as it is at the tip
// (nil when absent) and returns what it shall be (nil: absent). It may be
// called again on a newer tip when the branch moved meanwhile, so it must be
// a pure function.
type Change struct {
	Path  string
	Merge func(old []byte) []byte
}

// Commit applies changes to the tip and moves the branch; returns the new
// commit, or the tip when nothing changed.
func (b *Branch) Commit(ctx context.Context, changes []Change, subject, body string, when time.Time) (string, error) {
	return "", errNotBuilt
}

// MergeTips merges tips into the branch by union.
func (b *Branch) MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (string, error) {
	return "", errNotBuilt
}
