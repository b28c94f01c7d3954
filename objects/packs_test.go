package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/objects"
)

// small are n outputs of two commands, in order, as many of them as are worth a pack file.
func small(n int) (all [][]byte) {
	for i := range n {
		all = append(all, fmt.Appendf(Text(uint64(i%2), 200+1500*(i%7)), "run %d\n", i))
	}
	return all
}

var dozen = small(12)

// havePackFiles is a setup with these objects in pack files.
func havePackFiles(all ...[]byte) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) {
		t.Helper()
		have(all...)(t, s)
		if r, err := s.Pack(context.Background(), objects.PackOptions{Series: [][]objects.ID{idsOf(all)}}); err != nil || r.InFiles != len(all) || r.Files != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

func both(a, b func(testing.TB, *objects.Store)) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) { a(t, s); b(t, s) }
}

func fsckAll(s *objects.Store, _ func([]byte)) error {
	_, err := s.Fsck(context.Background(), nil)
	return err
}

// haveDamagedPack is a setup with pack files of which one lost a group.
func haveDamagedPack(t testing.TB, s *objects.Store) {
	havePackFiles(many...)(t, s)
	hurtGroup(t, packFiles(t, s)[0])
}

var many = small(60) // of several groups

func init() {
	scenarios["pack files"] = scenario{have(dozen...), pack(dozen...)}
	scenarios["pack files of what is packed against another"] = scenario{both(havePacked(series[:3]...), have(dozen...)), pack(append(series[:3:3], dozen...)...)}
	scenarios["pack files into one"] = scenario{both(havePackFiles(dozen...), have(many...)), pack(many...)}
	scenarios["unpack files"] = scenario{havePackFiles(dozen...), unpack}
	scenarios["put what is in pack files"] = scenario{havePackFiles(dozen...), putAll(dozen[:3]...)}
	scenarios["gc of some in pack files"] = scenario{havePackFiles(dozen...), gcAll(dozen[3:]...)}
	scenarios["gc of all in pack files"] = scenario{havePackFiles(dozen...), gcAll()}
	scenarios["fsck of a damaged pack file"] = scenario{haveDamagedPack, fsckAll}
}

func packFiles(t testing.TB, s *objects.Store) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.Root(), "packs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hurtGroup spoils the first group of a pack file.
func hurtGroup(t testing.TB, path string) {
	t.Helper()
	change(t, path, func(b []byte) []byte { b[1000] ^= 8; return b })
}

func change(t testing.TB, path string, how func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, how(b), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPackFiles: small objects lie in one file, are found by every way in, and come out
// again.
func TestPackFiles(t *testing.T) {
	s := quickly(t, t.TempDir())
	have(dozen...)(t, s)
	o := objects.PackOptions{Series: [][]objects.ID{idsOf(dozen)}, DryRun: true}
	dry, err := s.Pack(t.Context(), o)
	if err != nil || dry.InFiles != 12 || len(packFiles(t, s)) != 0 {
		t.Fatalf("%+v, %v", dry, err)
	}
	before := map[objects.ID]objects.Info{}
	for info, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		before[info.ID] = info
	}
	o.DryRun = false
	r, err := s.Pack(t.Context(), o)
	if dry.DryRun = false; err != nil || r != dry || r.Files != 1 || len(packFiles(t, s)) != 1 {
		t.Fatalf("%+v, %v, after a dry run %+v", r, err, dry)
	}
	if loose, err := filepath.Glob(filepath.Join(s.Root(), "objects", "*", "*")); err != nil || len(loose) > 0 {
		t.Errorf("still files of their own: %v, %v", loose, err)
	}
	mustRead(t, s, dozen...)
	checkSound(t, s, 12)
	n := 0
	for info, err := range objects.Open(s.Root()).All() {
		n++
		was := before[info.ID]
		if err != nil || info.Codec != "pack file" || info.Size != was.Size || info.Lines != was.Lines || !info.ModTime.Equal(was.ModTime) {
			t.Errorf("%+v became %+v, %v", was, info, err)
		}
		id, err := s.Resolve(info.ID.Hex()[:16])
		if err != nil || id != info.ID || !s.Has(id) {
			t.Errorf("%v, %v", id, err)
		}
	}
	if st, err := s.Stats(); n != 12 || err != nil || st.Objects != 12 || st.InPacks != 12 || st.PackFiles != 1 || st.Stored <= 0 || st.Stored > r.After {
		t.Errorf("%d, %+v, %v", n, st, err)
	}
	if again, err := s.Pack(t.Context(), o); err != nil || again.Packed != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	back, err := s.Unpack(t.Context(), 0)
	if err != nil || back.InFiles != 12 || len(packFiles(t, s)) != 0 {
		t.Errorf("unpack: %+v, %v", back, err)
	}
	mustRead(t, s, dozen...)
	checkSound(t, s, 12)
	for info, err := range s.All() {
		if was := before[info.ID]; err != nil || info != was {
			t.Errorf("%+v became %+v, %v", was, info, err)
		}
	}
}

// TestPackFilesElsewhere: they are read as the objects of another store.
func TestPackFilesElsewhere(t *testing.T) {
	other := quickly(t, t.TempDir())
	havePackFiles(dozen...)(t, other)
	s := objects.Open(t.TempDir(), other.Root())
	mustRead(t, s, dozen...)
	if _, err := s.Stat(objects.IDOf(dozen[0])); err != nil {
		t.Error(err)
	}
}

// TestPackFilesAppear: what moves while a process runs is found by it, both ways.
func TestPackFilesAppear(t *testing.T) {
	root := t.TempDir()
	s, reader := quickly(t, root), objects.Open(root)
	if reader.Has(objects.IDOf(dozen[0])) {
		t.Fatal("what was never put is there")
	}
	havePackFiles(dozen...)(t, s)
	mustRead(t, reader, dozen...)
	if err := unpack(s, nil); err != nil {
		t.Fatal(err)
	}
	mustRead(t, reader, dozen...)
	more := small(20)
	havePackFiles(more...)(t, s) // all twenty: the twelve have files of their own again
	mustRead(t, reader, more...)
}

// TestPackFilesJoin: many turns leave few files.
func TestPackFilesJoin(t *testing.T) {
	s := quickly(t, t.TempDir())
	all := small(160)
	for from := 0; from < len(all); from += 10 {
		part := all[from : from+10]
		have(part...)(t, s)
		if err := pack(part...)(s, nil); err != nil {
			t.Fatal(err)
		}
		if n := len(packFiles(t, s)); n > 5 {
			t.Fatalf("%d pack files", n)
		}
	}
	mustRead(t, s, all...)
	checkSound(t, s, len(all))
}

// TestPackFilesLeave: what is young, was put again, is large or is one of few.
func TestPackFilesLeave(t *testing.T) {
	s := quickly(t, t.TempDir())
	have(dozen...)(t, s)
	have(noise)(t, s)
	for name, o := range map[string]objects.PackOptions{
		"young":     {Before: time.Now().Add(-time.Hour)},
		"in flight": {InFlight: func() (time.Time, error) { return time.Now().Add(-time.Hour), nil }},
	} {
		if r, err := s.Pack(t.Context(), o); err != nil || r.Packed != 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	few := quickly(t, t.TempDir())
	have(dozen[:7]...)(t, few)
	if r, err := few.Pack(t.Context(), objects.PackOptions{}); err != nil || r.Packed != 0 || len(packFiles(t, few)) != 0 {
		t.Errorf("few: %+v, %v", r, err)
	}
	if r, err := s.Pack(t.Context(), objects.PackOptions{}); err != nil || r.InFiles != 12 {
		t.Errorf("%+v, %v", r, err)
	}
	if info, err := s.Stat(objects.IDOf(noise)); err != nil || info.Codec != "none" {
		t.Errorf("%+v, %v", info, err)
	}
}

// TestPackFilesGC: what nothing names goes, and says when; the rest of its file stays.
func TestPackFilesGC(t *testing.T) {
	for _, kept := range []int{0, 1, 11, 12} {
		t.Run(fmt.Sprint(kept), func(t *testing.T) {
			s := quickly(t, t.TempDir())
			havePackFiles(dozen...)(t, s)
			have(dozen[0])(t, s) // it is there twice
			if err := gcAll(dozen[:kept]...)(s, nil); err != nil {
				t.Fatal(err)
			}
			mustRead(t, s, dozen[:kept]...)
			checkSound(t, s, kept)
			for _, b := range dozen[kept:] {
				var gone *objects.GoneError
				if _, err := s.ReadAll(objects.IDOf(b)); !errors.As(err, &gone) {
					t.Errorf("%v", err)
				}
			}
			if n := len(packFiles(t, s)); n != min(kept, 1) {
				t.Errorf("%d pack files", n)
			}
			for _, path := range packFiles(t, s) {
				if b, err := os.ReadFile(path); err != nil || kept < 12 && bytes.Contains(b, idsOf(dozen)[11][:]) {
					t.Errorf("the index still names what went (%v)", err)
				}
			}
			have(dozen...)(t, s) // put again they are back
			mustRead(t, s, dozen...)
		})
	}
}

// TestPackFilesGrace: what was put again counts as young, packed or not.
func TestPackFilesGrace(t *testing.T) {
	s := quickly(t, t.TempDir())
	havePackFiles(dozen...)(t, s)
	o := objects.GCOptions{Grace: time.Hour, Live: func() (map[objects.ID]objects.Ref, error) { return nil, nil }}
	if r, err := s.GC(t.Context(), o); err != nil || r.Kept != 12 || len(r.Deleted) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	mustRead(t, s, dozen...)
}

// TestPackFilesModel: whatever is put, packed, unpacked, checked and collected in
// whatever order, by one process or another, what is live is read and nothing else is.
func TestPackFilesModel(t *testing.T) {
	outer := t
	all := small(24)
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "objects-packs-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		y := newFaulty(outer)
		defer y.bury()
		stores, here := []*objects.Store{y.store(root), y.store(root)}, map[int]bool{}
		store := func(t *rapid.T) *objects.Store { return rapid.SampledFrom(stores).Draw(t, "process") }
		some := rapid.SliceOfDistinct(rapid.IntRange(0, len(all)-1), rapid.ID[int])
		must := func(_ any, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				s := store(t)
				for _, i := range some.Draw(t, "put") {
					must(s.PutBytes(all[i]))
					here[i] = true
				}
			},
			"pack": func(t *rapid.T) {
				var ids []objects.ID
				for _, i := range some.Draw(t, "series") {
					ids = append(ids, objects.IDOf(all[i]))
				}
				must(store(t).Pack(context.Background(), objects.PackOptions{Series: [][]objects.ID{ids}}))
			},
			"unpack": func(t *rapid.T) { must(store(t).Unpack(context.Background(), 0)) },
			"gc": func(t *rapid.T) {
				live, keep := map[objects.ID]objects.Ref{}, map[int]bool{}
				for _, i := range some.Draw(t, "live") {
					live[objects.IDOf(all[i])] = objects.Ref{Newest: time.Now()}
					keep[i] = here[i]
				}
				must(store(t).GC(context.Background(), objects.GCOptions{Grace: -time.Hour, Live: func() (map[objects.ID]objects.Ref, error) { return live, nil }}))
				here = keep
			},
			"fsck": func(t *rapid.T) {
				if r, err := store(t).Fsck(context.Background(), nil); err != nil || !r.OK() {
					t.Fatalf("%+v, %v", r, err)
				}
			},
			"": func(t *rapid.T) {
				s, n := store(t), 0
				for i, b := range all {
					id := objects.IDOf(b)
					if !here[i] {
						if s.Has(id) {
							t.Fatalf("object %d is there", i)
						}
						continue
					}
					n++
					if got, err := s.ReadAll(id); err != nil || !bytes.Equal(got, b) {
						t.Fatalf("object %d: %d bytes, %v", i, len(got), err)
					}
				}
				if st, err := s.Stats(); err != nil || st.Objects != n {
					t.Fatalf("%d objects: %+v, %v", n, st, err)
				}
			},
		})
	})
}

// TestPackFilesRace: no one misses an object while others move it about.
func TestPackFilesRace(t *testing.T) {
	root := t.TempDir()
	have(dozen...)(t, quickly(t, root))
	live := map[objects.ID]objects.Ref{}
	for _, id := range idsOf(dozen) {
		live[id] = objects.Ref{Newest: time.Now()}
	}
	done := make(chan struct{})
	var movers, users sync.WaitGroup
	mover := func(times int, do func(s *objects.Store) error) {
		s := quickly(t, root)
		movers.Go(func() {
			for range times {
				if err := do(s); err != nil && !errors.Is(err, objects.ErrBusy) {
					t.Error(err)
				}
			}
		})
	}
	for range 2 {
		mover(20, func(s *objects.Store) error { return pack(dozen...)(s, nil) })
		mover(20, func(s *objects.Store) error { return unpack(s, nil) })
	}
	mover(10, func(s *objects.Store) error {
		_, err := s.GC(context.Background(), objects.GCOptions{Grace: -time.Hour, Live: func() (map[objects.ID]objects.Ref, error) { return live, nil }})
		return err
	})
	mover(10, func(s *objects.Store) error {
		r, err := s.Fsck(context.Background(), nil)
		if err == nil && !r.OK() {
			err = fmt.Errorf("%+v", r)
		}
		return err
	})
	use := func(do func(s *objects.Store, b []byte) error) {
		s := quickly(t, root)
		users.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := do(s, dozen[rand.N(len(dozen))]); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 2 {
		use(func(s *objects.Store, b []byte) error {
			got, err := s.ReadAll(objects.IDOf(b))
			if err == nil && (!bytes.Equal(got, b) || !s.Has(objects.IDOf(b))) {
				err = errors.New("other bytes, or none")
			}
			return err
		})
	}
	use(func(s *objects.Store, b []byte) error { _, err := s.PutBytes(b); return err })
	use(func(s *objects.Store, b []byte) error {
		n := 0
		for _, err := range s.IDs() {
			if n++; err != nil {
				return err
			}
		}
		if n != len(dozen) {
			return fmt.Errorf("%d objects are listed", n)
		}
		return nil
	})
	movers.Wait()
	close(done)
	users.Wait()
	s := quickly(t, root)
	mustRead(t, s, dozen...)
	checkSound(t, s, 12)
}
