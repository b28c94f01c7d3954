package remote

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"cairn/objects"
)

// Remote is one place for objects, opened.
type Remote struct {
	Name    string
	Backend Backend
	// Recipients may read what is pushed; without one bodies are clear.
	Recipients []age.Recipient
	// Identities are asked for when something encrypted is read.
	Identities func() ([]age.Identity, error)
	// Dir holds what is on its way, and indexes of packs that were read already.
	Dir string
	// Parallel is how many bodies travel at once; 16 if 0.
	Parallel int
	// Progress, if set, is called as bodies arrive, by one goroutine at a time.
	Progress func(done, all int, bytes int64)
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

// open opens an object's or a pack's body by its key without an end.
func (r *Remote) open(ctx context.Context, key string) (io.ReadCloser, error) {
	first, second := sealedEnd, plainEnd
	if len(r.Recipients) == 0 {
		first, second = second, first
	}
	body, err := r.Backend.Get(ctx, key+first)
	if errors.Is(err, ErrMissing) {
		first = second
		body, err = r.Backend.Get(ctx, key+second)
	}
	if err != nil {
		return nil, err
	}
	plain, err := unseal(body, strings.HasSuffix(first, ".age"), r.Identities)
	if err != nil {
		body.Close()
		return nil, err
	}
	return both{plain, body}, nil
}

// both closes a stream and what it comes from.
type both struct {
	io.ReadCloser
	under io.Closer
}

func (b both) Close() error { return errors.Join(b.ReadCloser.Close(), b.under.Close()) }

// keep makes an object of the store of what comes, if it is the one that is meant: what
// comes is a file of its own until its digest is known. most is the size that it may
// have; below zero it is not known.
func (r *Remote) keep(store *objects.Store, id objects.ID, from io.Reader, most int64) error {
	dir, err := r.dir("tmp")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "fetch-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if most >= 0 {
		from = io.LimitReader(from, most+1)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), from)
	switch {
	case err != nil:
		return err
	case objects.ID(sum.Sum(nil)) != id, most >= 0 && n > most:
		return ErrWrongBytes
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = store.Put(f)
	return err
}
