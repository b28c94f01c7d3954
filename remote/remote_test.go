package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"

	"cairn/objects"
	"cairn/remote"
	"cairn/remote/file"
)

// clone is a store and the remote as it sees it.
type clone struct {
	store *objects.Store
	r     *remote.Remote
}

func backend(t *testing.T, address string) remote.Backend {
	t.Helper()
	b, err := remote.OpenBackend(address, map[string]remote.Opener{"file": file.Open})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newClone(t *testing.T, b remote.Backend, key *age.X25519Identity) clone {
	r := &remote.Remote{Name: "there", Backend: b, Dir: t.TempDir(), Identities: func() ([]age.Identity, error) { return nil, errors.New("no key") }}
	if key != nil {
		r.Recipients = []age.Recipient{key.Recipient()}
		r.Identities = func() ([]age.Identity, error) { return []age.Identity{key}, nil }
	}
	return clone{objects.Open(t.TempDir()), r}
}

func newKey(t *testing.T) *age.X25519Identity {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// fill puts objects of many sizes, and gives their ids.
func (c clone) fill(t *testing.T) (ids []objects.ID) {
	t.Helper()
	random := rand.New(rand.NewSource(1))
	for i := range 60 {
		b := make([]byte, []int{0, 1, 300, 5_000, remote.SmallObject, remote.SmallObject + 1, 200_000}[i%7])
		random.Read(b)
		if len(b) > 0 {
			b[0] = byte(i)
		}
		info, err := c.store.PutBytes(b)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, info.ID)
	}
	return ids
}

func wanted(ids []objects.ID) (all []remote.Wanted) {
	for _, id := range ids {
		all = append(all, remote.Wanted{ID: id, Size: -1})
	}
	return all
}

// TestTravel: what one clone pushes another one fetches, byte for byte, encrypted and
// clear; what is there already is not sent again.
func TestTravel(t *testing.T) {
	for name, key := range map[string]*age.X25519Identity{"clear": nil, "encrypted": newKey(t)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a, b := newClone(t, backend(t, "file://"+dir), key), newClone(t, backend(t, "file://"+dir), key)
			ids := a.fill(t)
			p, err := a.r.Push(context.Background(), a.store, ids)
			if err != nil || p.Objects == 0 || p.Already > len(ids)-p.Objects {
				t.Fatalf("%+v, %v", p, err)
			}
			if p, err = a.r.Push(context.Background(), a.store, ids); err != nil || p.Objects != 0 || p.Already != len(ids) {
				t.Fatalf("pushed again: %+v, %v", p, err)
			}
			for _, id := range ids[:9] {
				if err := b.r.Fetch(context.Background(), b.store, remote.Wanted{ID: id, Size: -1}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := b.r.Pull(context.Background(), b.store, wanted(ids)); err != nil {
				t.Fatal(err)
			}
			same(t, a, b, ids)
			leftovers(t, a, b)
			isSealed(t, dir, key != nil)
		})
	}
}

func same(t *testing.T, a, b clone, ids []objects.ID) {
	t.Helper()
	for _, id := range ids {
		want, err := a.store.ReadAll(id)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.store.ReadAll(id); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s: %d bytes came, of %d: %v", id, len(got), len(want), err)
		}
	}
}

// leftovers: nothing stays of what was on its way.
func leftovers(t *testing.T, all ...clone) {
	t.Helper()
	for _, c := range all {
		if list, _ := os.ReadDir(filepath.Join(c.r.Dir, "tmp")); len(list) > 0 {
			t.Errorf("left behind: %v", list)
		}
	}
}

// isSealed: no body is readable without the key, or each is.
func isSealed(t *testing.T, dir string, sealed bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(name, ".idx") {
			return err
		}
		text, err := os.ReadFile(name)
		if got := bytes.HasPrefix(text, []byte("age-encryption.org/v1\n")); got != sealed {
			t.Errorf("%s is sealed: %v", name, got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOtherKey: who is not among the recipients gets an error that says so, and no bytes.
func TestOtherKey(t *testing.T) {
	b := backend(t, "file://"+t.TempDir())
	a, other := newClone(t, b, newKey(t)), newClone(t, b, newKey(t))
	ids := a.fill(t)
	if _, err := a.r.Push(context.Background(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[1:7] {
		err := other.r.Fetch(context.Background(), other.store, remote.Wanted{ID: id, Size: -1})
		if err == nil || !strings.Contains(err.Error(), "decrypting") || other.store.Has(id) {
			t.Fatalf("%v", err)
		}
	}
}

// faulty spoils what passes through it.
type faulty struct {
	remote.Backend
	puts, most atomic.Int64 // writes so far, and how many succeed
	spoil      func([]byte) []byte
}

var errCut = errors.New("connection reset by peer")

func (f *faulty) Put(ctx context.Context, key string, body remote.Body, size int64) error {
	if f.puts.Add(1) > f.most.Load() {
		return errCut
	}
	return f.Backend.Put(ctx, key, body, size)
}

func (f *faulty) Get(ctx context.Context, key string, from int64) (io.ReadCloser, error) {
	r, err := f.Backend.Get(ctx, key, from)
	if err != nil || f.spoil == nil || strings.HasSuffix(key, ".idx") {
		return r, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return io.NopCloser(bytes.NewReader(f.spoil(text))), err
}

func (f *faulty) List(ctx context.Context, prefix string) iter.Seq2[remote.Entry, error] {
	return f.Backend.List(ctx, prefix)
}

// TestAgain: who becomes a recipient later reads what was there before once it is pushed again, in packs and out of them, and it takes no
// second place there.
func TestAgain(t *testing.T) {
	dir, first, second := t.TempDir(), newKey(t), newKey(t)
	a, b := newClone(t, backend(t, "file://"+dir), first), newClone(t, backend(t, "file://"+dir), second)
	ids := a.fill(t)
	if _, err := a.r.Push(t.Context(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	if _, err := b.r.Pull(t.Context(), b.store, wanted(ids)); err == nil || !strings.Contains(err.Error(), "cairn objects push --again") {
		t.Fatalf("pulled by one who is no recipient: %v", err)
	}
	before := bodies(t, dir)
	a.r.Recipients = append(a.r.Recipients, second.Recipient())
	a.r.Again = true
	p, err := a.r.Push(t.Context(), a.store, ids)
	if err != nil || p.Objects == 0 || p.Already > 0 {
		t.Fatalf("pushed again: %+v, %v", p, err)
	}
	if after := bodies(t, dir); after != before {
		t.Errorf("%d bodies, of %d before", after, before)
	}
	if _, err := b.r.Pull(t.Context(), b.store, wanted(ids)); err != nil {
		t.Fatal(err)
	}
	same(t, a, b, ids)
	third := newClone(t, backend(t, "file://"+dir), newKey(t)) // has a part of a pack
	part := third.fill(t)[:20]
	third.r.Again = true
	if _, err := third.r.Push(t.Context(), third.store, part); err != nil {
		t.Fatal(err)
	}
	fourth := newClone(t, backend(t, "file://"+dir), nil)
	fourth.r.Identities = third.r.Identities
	if _, err := fourth.r.Pull(t.Context(), fourth.store, wanted(part)); err != nil {
		t.Fatal(err)
	}
	same(t, a, fourth, part)
}

func bodies(t *testing.T, dir string) (n int) {
	t.Helper()
	for e, err := range backend(t, "file://"+dir).List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		if e.Size >= 0 {
			n++
		}
	}
	return n
}

// TestInterrupted: a push that is cut off at any body loses nothing, and the next one ends it.
func TestInterrupted(t *testing.T) {
	for most := range int64(30) {
		f := &faulty{Backend: backend(t, "file://"+t.TempDir())}
		f.most.Store(most)
		a, b := newClone(t, f, nil), newClone(t, f, nil)
		ids := a.fill(t)
		_, err := a.r.Push(context.Background(), a.store, ids)
		if done := err == nil; !done && (!errors.Is(err, errCut) || !strings.Contains(err.Error(), "remote there")) {
			t.Fatalf("after %d: %v", most, err)
		}
		if _, err := b.r.Pull(context.Background(), b.store, wanted(ids)); err != nil {
			t.Fatalf("half a push cannot be pulled: %v", err)
		}
		f.most.Store(1 << 40)
		if _, err := a.r.Push(context.Background(), a.store, ids); err != nil {
			t.Fatal(err)
		}
		if _, err := b.r.Pull(context.Background(), b.store, wanted(ids)); err != nil {
			t.Fatal(err)
		}
		same(t, a, b, ids)
		leftovers(t, a, b)
	}
}

// TestWrongBytes: what comes damaged is refused by name and not kept.
func TestWrongBytes(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"cut short":     func(b []byte) []byte { return b[:len(b)/2] },
		"nothing":       func([]byte) []byte { return nil },
		"one bit":       func(b []byte) []byte { b = bytes.Clone(b); b[len(b)/2] ^= 4; return b },
		"another thing": func([]byte) []byte { return []byte("<html>Please log in</html>") },
		"more behind":   func(b []byte) []byte { return append(bytes.Clone(b), b...) },
	} {
		for _, key := range []*age.X25519Identity{nil, newKey(t)} {
			t.Run(fmt.Sprint(name, key != nil), func(t *testing.T) {
				f := &faulty{Backend: backend(t, "file://"+t.TempDir())}
				f.most.Store(1 << 40)
				a, b := newClone(t, f, key), newClone(t, f, key)
				ids := a.fill(t)
				if _, err := a.r.Push(context.Background(), a.store, ids); err != nil {
					t.Fatal(err)
				}
				f.spoil = spoil
				for _, id := range ids[1:7] {
					err := b.r.Fetch(context.Background(), b.store, remote.Wanted{ID: id, Size: -1})
					if b.store.Has(id) {
						if got, readErr := b.store.ReadAll(id); readErr != nil || objects.IDOf(got) != id {
							t.Fatalf("wrong bytes were kept: %v", err)
						}
						continue // what is behind a pack's end is not read
					}
					if err == nil || !strings.Contains(err.Error(), "remote there") {
						t.Fatalf("%s: %v", id, err)
					}
				}
				leftovers(t, b)
			})
		}
	}
}

// TestTooMany: a remote that sends more than the record says fills no disk.
func TestTooMany(t *testing.T) {
	b := backend(t, "file://"+t.TempDir())
	a, c := newClone(t, b, nil), newClone(t, b, nil)
	info, err := a.store.PutBytes(bytes.Repeat([]byte("a"), 300_000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.r.Push(context.Background(), a.store, []objects.ID{info.ID}); err != nil {
		t.Fatal(err)
	}
	if err := c.r.Fetch(context.Background(), c.store, remote.Wanted{ID: info.ID, Size: 1000}); !errors.Is(err, remote.ErrWrongBytes) || c.store.Has(info.ID) {
		t.Fatal(err)
	}
}

// TestCollect: what is live, young or in a pack with something live stays; a dry run says
// exactly what goes.
func TestCollect(t *testing.T) {
	b := backend(t, "file://"+t.TempDir())
	a := newClone(t, b, nil)
	ids := a.fill(t)
	if _, err := a.r.Push(context.Background(), a.store, ids); err != nil {
		t.Fatal(err)
	}
	none := func(objects.ID) bool { return false }
	if plan, err := a.r.Collect(context.Background(), none, time.Now(), time.Hour, false); err != nil || len(plan) != 0 {
		t.Fatalf("young bodies went: %v %v", plan, err)
	}
	later := time.Now().Add(2 * time.Hour)
	large := ids[5]
	keep := func(id objects.ID) bool { return id == large || id == ids[2] }
	plan, err := a.r.Collect(context.Background(), keep, later, time.Hour, true)
	if err != nil || len(plan) == 0 {
		t.Fatalf("%v %v", plan, err)
	}
	done, err := a.r.Collect(context.Background(), keep, later, time.Hour, false)
	if err != nil || fmt.Sprint(done) != fmt.Sprint(plan) {
		t.Fatalf("planned %v\nremoved %v\n%v", plan, done, err)
	}
	c := newClone(t, b, nil)
	if p, err := c.r.Pull(context.Background(), c.store, wanted([]objects.ID{large, ids[2]})); err != nil || p.Objects != 2 {
		t.Fatalf("%+v %v", p, err)
	}
	if _, err = a.r.Collect(context.Background(), none, later, time.Hour, false); err != nil {
		t.Fatal(err)
	}
	for l, err := range c.r.All(context.Background()) {
		t.Errorf("%v is left, %v", l, err)
	}
	for e, err := range b.List(context.Background(), "tombstones/") {
		if err != nil || e.Size == 0 {
			t.Errorf("%v %v", e, err)
		}
	}
}

// TestAddresses: what is no address is refused, and credentials in one too.
func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "x", "ftp://a/b", "file://host/dir", "file:relative", "file://user:pw@/x"} {
		if b, err := remote.OpenBackend(address, map[string]remote.Opener{"file": file.Open}); err == nil {
			t.Errorf("%q opens %v", address, b)
		}
	}
}

// TestDamagedHere: an object that is damaged in this clone is an error, and not called absent; the others travel.
func TestDamagedHere(t *testing.T) {
	b := backend(t, "file://"+t.TempDir())
	root := t.TempDir()
	a, c := newClone(t, b, nil), newClone(t, b, nil)
	a.store = objects.Open(root)
	ids := a.fill(t)
	name := filepath.Join(root, "objects", ids[3].Hex()[:2], ids[3].Hex()[2:])
	if err := os.WriteFile(name, []byte("not an object"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := a.r.Push(context.Background(), a.store, ids)
	if err == nil || !strings.Contains(err.Error(), ids[3].String()) || p.Absent != 0 || p.Objects == 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	if err := c.r.Fetch(context.Background(), c.store, remote.Wanted{ID: ids[5], Size: -1}); err != nil {
		t.Error(err)
	}
}
