package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"
	"time"
)

// Body is what a Backend writes: it may be read more than once, as for another try.
type Body interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Entry is a body that a Backend lists.
type Entry struct {
	Key  string
	Size int64     // bytes of the body; -1 where the backend does not say
	Time time.Time // when it was written; zero where the backend does not say
}

// Backend keeps bodies by key. Keys have letters, digits, ".", "-" and "/". Every method
// may be called by several goroutines.
type Backend interface {
	// Put writes a body whole or not at all. A body that is there already may be kept
	// or replaced.
	Put(ctx context.Context, key string, body Body, size int64) error
	// Get opens a body behind its first bytes, so many of them; ErrMissing says that there is not one.
	Get(ctx context.Context, key string, from int64) (io.ReadCloser, error)
	// List gives the bodies whose keys begin so, in any order.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
	// Delete removes a body. It is no error if there is not one.
	Delete(ctx context.Context, key string) error
}

// Resumer is a Backend that goes on with the writing of a large body where it ended.
type Resumer interface {
	// PutAgain is Put of a body that an earlier call, or process, may have begun. begun is what that one gave to note, "" where there
	// was none; note keeps such a word for the next one. What is begun and has other bytes is written anew.
	PutAgain(ctx context.Context, key string, body Body, size int64, begun string, note func(string) error) error
	// Abandoned are the writings that began before a time and were not ended; they are removed, but for a dry run.
	Abandoned(ctx context.Context, before time.Time, dryRun bool) ([]Entry, error)
}

// Writer is a Backend that needs no file of a body to send: Write is Put of what write writes, nothing where that fails.
type Writer interface {
	Write(ctx context.Context, key string, write func(io.Writer) error) error
}

// Finisher is a Backend that has to wait for each body that is to be listed, and waits for many at once.
type Finisher interface {
	// PutLater is Put of a body that can be listed only when Finish has ended well; one that was put before it can be listed no later.
	PutLater(ctx context.Context, key string, body Body, size int64) error
	Finish(ctx context.Context) error
}

// Namer is a Backend that takes away names of bodies alone, many at once. What becomes of the bodies is the affair of the place.
type Namer interface {
	DeleteNames(ctx context.Context, keys []string) error
	// Left says that to who removes something.
	Left() string
}

// Referrer is a Backend that can say which bodies hold what runs of a commit printed. It lists all of its keys at once.
type Referrer interface {
	// Refer says it of bodies that are there.
	Refer(ctx context.Context, commit string, keys []string) error
	// Forget takes bodies that are gone out of what Refer said, but for a dry run. all says that no body of the commit is left, so that
	// CommitKey goes, too.
	Forget(ctx context.Context, commit string, gone func(key string) bool, dryRun bool) (all bool, err error)
}

// CommitKey is the key under which a Referrer lists a commit.
func CommitKey(commit string) string { return commitPrefix + commit }

// ErrMissing: there is no body of this key.
var ErrMissing = errors.New("not in the remote")

// Opener makes a Backend from an address; it asks the place nothing yet.
type Opener func(u *url.URL) (Backend, error)

// OpenBackend opens the place of an address with the opener of its scheme.
func OpenBackend(address string, openers map[string]Opener) (Backend, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of a remote: %w", err)
	}
	open := openers[u.Scheme]
	if open == nil {
		return nil, fmt.Errorf("%q is no address that cairn knows: give %s", address, Forms)
	}
	if u.User != nil {
		return nil, errors.New("an address holds no credentials: they come from the environment or from where the host's own client keeps them")
	}
	return open(u)
}

// Forms are the addresses that there are, for messages.
const Forms = "oci://HOST/REPOSITORY, s3://BUCKET/PREFIX, file:///DIRECTORY or git+lfs:"

// objectKey is where an object lies, without what its body ends in.
func objectKey(hex string) string { return objectPrefix + hex[:2] + "/" + hex[2:] }

const (
	objectPrefix    = "objects/"
	packPrefix      = "packs/"
	tombstonePrefix = "tombstones/"
	commitPrefix    = "commit-"
	indexEnd        = ".idx"
	packEnd         = ".tar"
	plainEnd        = ".zst"
	sealedEnd       = ".zst.age"
)

// hexOf is the digest in the key of an object.
func hexOf(key string) (hex string, ok bool) {
	rest, ok := strings.CutPrefix(key, objectPrefix)
	if !ok {
		return "", false
	}
	name, ok := strings.CutSuffix(strings.TrimSuffix(rest, ".age"), plainEnd)
	if hex = strings.Replace(name, "/", "", 1); !ok || len(hex) != 64 {
		return "", false
	}
	return hex, true
}
