package manifest

import (
	"context"
	"time"

	"cairn/internal/gitrepo"
)

// Branch is what the manifest needs of the git branch that carries the
// shards: the part of gitrepo that it uses, described there. Tests have one
// without git.
//
// The real one is *gitrepo.Branch.
type Branch interface {
	// Name is the short name of the branch.
	Name() string
	// Tip is the commit at the head of the branch, "" while there is none.
	Tip(ctx context.Context) (string, error)
	// Remotes lists the branch of that name of every remote, as last fetched.
	Remotes(ctx context.Context) ([]gitrepo.RemoteTip, error)
	// Commit rewrites files on top of the tip, whatever that is by then.
	Commit(ctx context.Context, changes []gitrepo.Change, subject, body string, when time.Time) (string, error)
	// MergeTips makes the union of the branch and tips, in one commit.
	MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (string, error)
	// Files lists a commit's tree.
	Files(ctx context.Context, commit string) ([]gitrepo.File, error)
	// FilesChanged lists what differs; a file that is gone has no OID.
	FilesChanged(ctx context.Context, from, to string) ([]gitrepo.File, error)
	// BlobSizes measures blobs without reading them.
	BlobSizes(ctx context.Context, oids []string) (map[string]int64, error)
	// Drop removes the branch if it is still at tip.
	Drop(ctx context.Context, tip string) error
	// ReadBlobs yields contents in the order asked, valid until yield returns.
	ReadBlobs(ctx context.Context, oids []string, yield func(oid string, data []byte) error) error
}
