package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"filippo.io/age"

	"cairn/objects"
)

// Remote is one place for objects, opened.
type Remote struct {
	Name    string
	Backend Backend
	// Recipients may read what is pushed; without one bodies are clear.
	Recipients []age.Recipient
	// Readers are the recipients as they were written. A body that was made for others is not sent in the place of one for these.
	Readers []string
	// Identities are asked for when something encrypted is read.
	Identities func() ([]age.Identity, error)
	// Dir holds what is on its way, and indexes of packs that were read already.
	Dir string
	// Parallel is how many bodies travel at once; 16 if 0.
	Parallel int
	// Loose is that small objects that come are not put into pack files of the store.
	Loose bool
	// Again is that Push also sends what is there, for the recipients that there are now.
	Again bool
	// Commits are those whose objects are pushed, as far as Push is to say which bodies belong to them.
	Commits []Commit
	// Progress, if set, is called as bytes travel, by one goroutine at a time.
	Progress func(Progress)
}

// parallel is how many bodies travel at once by themselves.
const parallel = 16

func (r *Remote) parallel() int {
	if r.Parallel > 0 {
		return r.Parallel
	}
	return parallel
}

// dir makes a directory below Dir.
func (r *Remote) dir(name string) (string, error) {
	dir := filepath.Join(r.Dir, name)
	return dir, os.MkdirAll(dir, 0o700)
}

// about names the remote and the object in an error, which says itself what is wrong.
func (r *Remote) about(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("remote %s: %s: %w", r.Name, what, err)
}

// ErrWrongBytes: what came is not what the digest names.
var ErrWrongBytes = errors.New("its bytes do not match the digest; nothing of them is kept. Push it again from a clone that has it, or have it collected: cairn remote gc")

// ends are what a key may end in, the likelier one first.
func (r *Remote) ends() [2]string {
	if len(r.Recipients) > 0 {
		return [2]string{sealedEnd, plainEnd}
	}
	return [2]string{plainEnd, sealedEnd}
}

// open opens the zstd stream of an object's or a pack's body by its key without an end.
func (r *Remote) open(ctx context.Context, key string) (io.ReadCloser, error) {
	ends := r.ends()
	end := ends[0]
	body, err := r.resumed(ctx, key+end, 0)
	if errors.Is(err, ErrMissing) {
		end = ends[1]
		body, err = r.resumed(ctx, key+end, 0)
	}
	if err != nil {
		return nil, err
	}
	stream, err := unseal(body, end == sealedEnd, r.Identities)
	if err != nil {
		body.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{stream, body}, nil
}

// keep makes an object of the store of the zstd stream that comes, if it is the one that is meant. most is the size that it may have; below
// zero it is not known.
func keep(ctx context.Context, store *objects.Store, id objects.ID, from io.Reader, most int64) error {
	_, err := store.PutStream(from, id, most, movedOf(ctx))
	return orWrong(err)
}

// keepSmall is keep of bytes in memory.
func keepSmall(store *objects.Store, id objects.ID, text []byte) error {
	if objects.IDOf(text) != id {
		return ErrWrongBytes
	}
	_, err := store.PutBytes(text)
	return err
}

// orWrong says what can be done about bytes that are not those of the object.
func orWrong(err error) error {
	if errors.Is(err, objects.ErrOther) {
		return ErrWrongBytes
	}
	return err
}
