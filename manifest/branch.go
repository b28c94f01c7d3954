package manifest

import (
	"context"
	"time"
)

// Branch is what the manifest needs of the git branch that carries the
// shards. All paths are slash paths below the root of the branch's tree;
// commits and blobs are named by full hex hashes.
type Branch interface {
	// Name is the short name of the branch, for messages.
	Name() string
	// Tip is the commit at the head of the branch; "" while there is none.
	Tip(ctx context.Context) (string, error)
	// Remotes lists refs/remotes/*/<branch>.
	Remotes(ctx context.Context) ([]RemoteTip, error)
	// Commit rewrites the files of changes on top of the tip, whatever it is
	// by then, in one commit. It may call a Merge more than once.
	Commit(ctx context.Context, changes []Change, subject, body string, when time.Time) (commit string, err error)
	// MergeTips makes one commit whose parents are the tip and tips, and
	// whose files are the union of theirs; merge decides on a path whose
	// versions differ. Nothing to merge gives the tip.
	MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (commit string, err error)
	// Files lists the whole tree of a commit.
	Files(ctx context.Context, commit string) ([]File, error)
	// FilesChanged lists what differs between two commits, as it is in to; a
	// file that to does not have has an empty OID.
	FilesChanged(ctx context.Context, from, to string) ([]File, error)
	// ReadBlobs yields the content of each blob; content is valid during the
	// call only.
	ReadBlobs(ctx context.Context, oids []string, yield func(oid string, content []byte) error) error
}

// RemoteTip is a branch of a remote as it was fetched last.
type RemoteTip struct{ Ref, Commit string }

// Change rewrites one file of the branch; old is nil while it does not exist.
type Change struct {
	Path  string
	Merge func(old []byte) []byte
}

// File is a file in the tree of a commit.
type File struct {
	Path string
	OID  string
	Size int64
}
