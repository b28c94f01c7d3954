package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// Body is the content that a Backend stores. It may be read more than once, for a retry.
type Body interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// Entry is a body that a Backend lists.
type Entry struct {
	Key  string
	Size int64     // bytes of the body; -1 if the backend does not say
	Time time.Time // when it was written; zero if the backend does not say
}

// Backend stores bodies by key. Keys have letters, digits, ".", "-" and "/". Every method may be called by several
// goroutines at once.
type Backend interface {
	// Put writes a body completely or not at all. A body that already exists may be kept or replaced.
	Put(ctx context.Context, key string, body Body, size int64) error
	// Get opens a body at the offset from, in bytes. It returns ErrMissing if the body does not exist.
	Get(ctx context.Context, key string, from int64) (io.ReadCloser, error)
	// List returns the bodies whose keys have a prefix, in any order.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
	// Delete removes a body. It is no error if the body does not exist.
	Delete(ctx context.Context, key string) error
}

// Resumer is a Backend that can continue an interrupted write of a large body.
type Resumer interface {
	// PutAgain is Put of a body that an earlier call, maybe of another process, may have begun. begun is the text that
	// the earlier call passed to note, or ""; note stores a text for the next call. If the part written so far has
	// other bytes, writing starts over.
	PutAgain(ctx context.Context, key string, body Body, size int64, begun string, note func(string) error) error
	// Abandoned returns unfinished writes that began before a time, and removes them unless dryRun is set.
	Abandoned(ctx context.Context, before time.Time, dryRun bool) ([]Entry, error)
}

// Writer is a Backend that can store a body while it is produced, without a temporary file: Write stores all bytes that
// write writes, or nothing if write fails.
type Writer interface {
	Write(ctx context.Context, key string, write func(io.Writer) error) error
}

// Finisher is a Backend that needs long until a new body can be listed, and so waits for many bodies at once.
type Finisher interface {
	// PutLater is Put, except that the body is sure to be listed only after Finish has succeeded. No body is listed
	// before a body that was put earlier.
	PutLater(ctx context.Context, key string, body Body, size int64) error
	Finish(ctx context.Context) error
}

// Namer is a Backend that removes only the names of bodies, many at once. The server decides what happens to the
// bodies.
type Namer interface {
	DeleteNames(ctx context.Context, keys []string) error
	// Left returns a message for the user that says that the server decides.
	Left() string
}

// Referrer is a Backend that can mark bodies as belonging to a commit. Listing all of its keys is one request.
type Referrer interface {
	// Refer marks bodies that the remote already has as holding output of the commit's runs.
	Refer(ctx context.Context, commit string, keys []string) error
	// Forget removes marks of bodies that are gone, unless dryRun is set. If all is true, the commit has no body left,
	// and its CommitKey is removed, too.
	Forget(ctx context.Context, commit string, gone func(key string) bool, dryRun bool) (all bool, err error)
}

// CommitKey returns the key under which a Referrer lists a commit.
func CommitKey(commit string) string { return commitPrefix + commit }

// ErrMissing means that there is no body with this key.
var ErrMissing = errors.New("not in the remote")

// Opener makes a Backend from an address, without connecting to it.
type Opener func(u *url.URL) (Backend, error)

// OpenBackend opens an address with the opener of its scheme.
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

// Forms lists the forms of addresses, for messages.
const Forms = "oci://HOST/REPOSITORY, s3://BUCKET/PREFIX, file:///DIRECTORY or git+lfs:"

// objectKey returns an object's key without the ending, which end returns.
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

// hexOf returns the digest in an object's key, in hex; ok is false for any other key.
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

// draft is a body to be sent. It is a file, since its length is known only once it is complete, and it may have to be
// sent again.
type draft struct {
	*os.File
	size int64
}

// newDraft makes a body of the zstd stream that write writes, encrypted if there are recipients.
func newDraft(dir string, to []age.Recipient, write func(io.Writer) error) (d *draft, err error) {
	f, err := os.CreateTemp(dir, "push-*")
	if err != nil {
		return nil, err
	}
	d = &draft{File: f}
	defer func() {
		if err != nil {
			d.discard()
		}
	}()
	buffered := bufio.NewWriterSize(f, 256<<10)
	if err := sealInto(buffered, to, write); err != nil {
		return nil, err
	}
	if err := buffered.Flush(); err != nil {
		return nil, err
	}
	if d.size, err = f.Seek(0, io.SeekCurrent); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return d, err
}

func sealInto(w io.Writer, to []age.Recipient, write func(io.Writer) error) error {
	var sealed io.WriteCloser
	if len(to) > 0 {
		var err error
		if sealed, err = age.Encrypt(w, to...); err != nil {
			return err
		}
		w = sealed
	}
	if err := write(w); err != nil || sealed == nil {
		return err
	}
	return sealed.Close()
}

// compressed writes the output of write as a zstd stream.
func compressed(w io.Writer, write func(io.Writer) error) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return err
	}
	return errors.Join(write(z), z.Close())
}

// end returns the ending of a body's key.
func end(to []age.Recipient) string {
	if len(to) > 0 {
		return sealedEnd
	}
	return plainEnd
}

func (d *draft) discard() {
	d.Close()
	os.Remove(d.Name())
}

// unseal returns the zstd stream of a body, decrypted if sealed is set.
func unseal(r io.Reader, sealed bool, identities func() ([]age.Identity, error)) (io.Reader, error) {
	if !sealed {
		return r, nil
	}
	keys, err := identities()
	if err != nil {
		return nil, err
	}
	if r, err = age.Decrypt(r, keys...); err != nil {
		return nil, fmt.Errorf("decrypting it: %w; the remote's recipients are those of the clone that pushed: ask its owner to add your public key (a line of .cairn/recipients) and to run cairn objects push --again", err)
	}
	return r, nil
}

// maxWindow bounds the memory that decompressing a pack may need, in bytes.
const maxWindow = 8 << 20

// uncompressed decompresses a zstd stream.
func uncompressed(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}
