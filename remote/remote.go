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

// Remote is an opened remote.
type Remote struct {
	Name    string
	Backend Backend
	// Recipients may read what is pushed; if there are none, bodies are not encrypted.
	Recipients []age.Recipient
	// Readers are the recipients as text. An unfinished body that was encrypted for other recipients is not continued.
	Readers []string
	// Identities returns the secret keys, when something encrypted is read.
	Identities func() ([]age.Identity, error)
	// Dir has unfinished transfers, and indexes of packs that have been read.
	Dir string
	// Parallel is how many bodies are transferred at once; 0 means 16.
	Parallel int
	// Loose says that fetched small objects are not put into pack files of the store.
	Loose bool
	// Again says that Push also sends objects that the remote has, for the current recipients.
	Again bool
	// Commits are the commits for which Push marks the bodies, with their objects.
	Commits []Commit
	// Progress, if set, is called while bytes are transferred, by one goroutine at a time.
	Progress func(Progress)
}

// parallel is the default of Parallel.
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

// about adds the remote's name and the object to an error.
func (r *Remote) about(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("remote %s: %s: %w", r.Name, what, err)
}

// ErrWrongBytes means that the bytes received do not have the object's digest.
var ErrWrongBytes = errors.New("its bytes do not match the digest; nothing of them is kept. Push it again from a clone that has it, or have it collected: cairn remote gc")

// ends returns the possible endings of a key, the more likely one first.
func (r *Remote) ends() [2]string {
	if len(r.Recipients) > 0 {
		return [2]string{sealedEnd, plainEnd}
	}
	return [2]string{plainEnd, sealedEnd}
}

// open returns the zstd stream of a body by its key without an ending.
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

// keep stores an object from a zstd stream, if its digest is id. most bounds its size in bytes, unless it is negative.
func keep(ctx context.Context, store *objects.Store, id objects.ID, from io.Reader, most int64) error {
	_, err := store.PutStream(from, id, most, movedOf(ctx))
	return orWrong(err)
}

// keepSmall stores an object from bytes in memory, if their digest is id.
func keepSmall(store *objects.Store, id objects.ID, text []byte) error {
	if objects.IDOf(text) != id {
		return ErrWrongBytes
	}
	_, err := store.PutBytes(text)
	return err
}

// orWrong replaces the store's error about wrong bytes by one that says what to do.
func orWrong(err error) error {
	if errors.Is(err, objects.ErrOther) {
		return ErrWrongBytes
	}
	return err
}
