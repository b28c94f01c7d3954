package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"

	"cairn/objects"
)

// Listed is an object that a remote has.
type Listed struct {
	ID   objects.ID
	Pack string // "" if the object has a body of its own
	Size int64  // the object's size in bytes; -1 if only the body's size is known
}

// All lists the objects of a remote, in order of ID.
func (r *Remote) All(ctx context.Context) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		have, err := r.contents(ctx)
		if err != nil {
			yield(Listed{}, err)
			return
		}
		all := make([]Listed, 0, len(have.objects))
		for id, h := range have.objects {
			all = append(all, Listed{id, h.pack, h.size})
		}
		slices.SortFunc(all, func(a, b Listed) int { return bytes.Compare(a.ID[:], b.ID[:]) })
		for _, l := range all {
			if !yield(l, nil) {
				return
			}
		}
	}
}

// Removal is a body that a collection removes, or would remove in a dry run.
type Removal struct {
	Key     string       `json:"key"`
	Size    int64        `json:"size"` // the body's size in bytes
	Time    time.Time    `json:"time"` // when it was written
	Objects []objects.ID `json:"objects,omitempty"`
}

// Collect removes bodies, packs without an index and unfinished writes that are older than grace, but keeps bodies with
// a live object. A pack with one live object stays whole.
func (r *Remote) Collect(ctx context.Context, live func(objects.ID) bool, now time.Time, grace time.Duration, dryRun bool) ([]Removal, error) {
	have, err := r.contents(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := r.old(ctx, have.dead(live), now.Add(-grace))
	if err != nil {
		return nil, err
	}
	var begun []Entry
	if b, can := r.Backend.(Resumer); can {
		if begun, err = b.Abandoned(ctx, now.Add(-grace), dryRun); err != nil {
			return nil, r.about("bodies that were begun and not ended", err)
		}
	}
	commits, err := r.forget(ctx, have, plan, dryRun)
	if err != nil {
		return nil, err
	}
	if !dryRun && len(plan) > 0 {
		plan, err = r.removeAll(ctx, plan, now)
	}
	plan = append(plan, commits...)
	for _, e := range begun {
		plan = append(plan, Removal{Key: e.Key + " (begun, not ended)", Size: e.Size, Time: e.Time})
	}
	return plan, err
}

// removeAll writes the planned removals into a tombstone, makes them, and returns those that it made.
func (r *Remote) removeAll(ctx context.Context, plan []Removal, now time.Time) ([]Removal, error) {
	var note bytes.Buffer
	for _, p := range plan {
		line, err := json.Marshal(struct {
			Removal
			Removed time.Time `json:"removed"`
		}{p, now.UTC()})
		if err != nil {
			return nil, err
		}
		note.Write(append(line, '\n'))
	}
	err := r.Backend.Put(ctx, tombstonePrefix+nameOf(note.Bytes())+".jsonl", bytes.NewReader(note.Bytes()), int64(note.Len()))
	if err != nil {
		return nil, r.about("writing down what is removed", err)
	}
	if b, can := r.Backend.(Namer); can {
		var keys []string
		for _, p := range plan {
			keys = append(keys, p.Key)
		}
		if err := b.DeleteNames(ctx, keys); err != nil {
			return nil, r.about("removing what no record names", err)
		}
		return plan, nil
	}
	for i, p := range plan {
		if err := r.Backend.Delete(ctx, p.Key); err != nil {
			return plan[:i], r.about("removing "+p.Key, err)
		}
	}
	return plan, nil
}

// Dater is a Backend whose List does not say when bodies were written: Written returns the time of one body.
type Dater interface {
	Written(ctx context.Context, key string) (at time.Time, size int64, err error)
}

// old drops bodies that were written after a time, or whose time is not known.
func (r *Remote) old(ctx context.Context, all []Removal, before time.Time) (plan []Removal, err error) {
	dater, _ := r.Backend.(Dater)
	for _, p := range all {
		if p.Time.IsZero() && dater != nil {
			if p.Time, p.Size, err = dater.Written(ctx, p.Key); err != nil {
				return nil, r.about("when "+p.Key+" was written", err)
			}
		}
		if !p.Time.IsZero() && !p.Time.After(before) {
			plan = append(plan, p)
		}
	}
	return plan, nil
}

// dead returns the bodies without a live object, indexes before their packs.
func (c *contents) dead(live func(objects.ID) bool) (plan []Removal) {
	packed := map[string][]objects.ID{}
	for id, h := range c.objects {
		if h.pack != "" {
			packed[h.pack] = append(packed[h.pack], id)
		}
	}
	for key, e := range c.bodies {
		removal := Removal{Key: key, Size: e.Size, Time: e.Time}
		if hex, ok := hexOf(key); ok {
			id, err := objects.ParseID(hex)
			if err != nil || live(id) {
				continue
			}
			removal.Objects = []objects.ID{id}
		} else {
			name := packName(key)
			removal.Objects = packed[name]
			if name == "" || slices.ContainsFunc(packed[name], live) {
				continue
			}
		}
		slices.SortFunc(removal.Objects, func(a, b objects.ID) int { return bytes.Compare(a[:], b[:]) })
		plan = append(plan, removal)
	}
	slices.SortFunc(plan, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(rank(a.Key), rank(b.Key)), cmp.Compare(a.Key, b.Key))
	})
	return plan
}

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
