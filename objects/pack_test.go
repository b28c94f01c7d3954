package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/objects"
)

// alike is the nth run of a command whose output has n bytes or so: most lines are
// those of every run.
func alike(run, size int) []byte {
	b := Text(77, size)
	for at := 100 * (run + 1); at < len(b); at += 10_000 {
		b[at] = byte('A' + run%20)
	}
	return append(b, fmt.Sprintf("took %d ms\n", run*37)...)
}

// series are three runs of one command, and one of several blocks.
var series = [][]byte{alike(0, 60_000), alike(1, 60_000), alike(2, 60_000), alike(3, 2_300_000)}

func idsOf(all [][]byte) (ids []objects.ID) {
	for _, b := range all {
		ids = append(ids, objects.IDOf(b))
	}
	return ids
}

func pack(all ...[]byte) func(*objects.Store, func([]byte)) error {
	return func(s *objects.Store, _ func([]byte)) error {
		_, err := s.Pack(context.Background(), objects.PackOptions{Series: [][]objects.ID{idsOf(all)}})
		return err
	}
}

func unpack(s *objects.Store, _ func([]byte)) error {
	_, err := s.Unpack(context.Background(), 0)
	return err
}

// havePacked is a setup with these objects, packed.
func havePacked(all ...[]byte) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) {
		have(all...)(t, s)
		if err := pack(all...)(s, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func init() {
	few := series[:2]
	scenarios["pack"] = scenario{have(few...), pack(few...)}
	scenarios["unpack"] = scenario{havePacked(few...), unpack}
	scenarios["put what is packed"] = scenario{havePacked(few...), putAll(few...)}
	scenarios["gc of what is packed"] = scenario{havePacked(few...), gcAll(few[1])}
	scenarios["gc of what it is packed against"] = scenario{havePacked(few...), gcAll(few[0])}
}

func codecs(t *testing.T, s *objects.Store, all [][]byte) (of []string) {
	t.Helper()
	for _, b := range all {
		info, err := s.Stat(objects.IDOf(b))
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, info.Codec)
	}
	return of
}

func mustRead(t testing.TB, s *objects.Store, all ...[]byte) {
	t.Helper()
	for i, b := range all {
		if got, err := s.ReadAll(objects.IDOf(b)); err != nil || !bytes.Equal(got, b) {
			t.Errorf("object %d: %d of %d bytes, %v", i, len(got), len(b), err)
		}
	}
}

func TestPack(t *testing.T) {
	s := quickly(t, t.TempDir())
	have(series...)(t, s)
	o := objects.PackOptions{Series: [][]objects.ID{idsOf(series), idsOf(series[:2])}, DryRun: true}
	dry, err := s.Pack(t.Context(), o)
	if err != nil || dry.Packed != 2 && dry.Packed != 3 {
		t.Fatalf("%+v, %v", dry, err)
	}
	if got := fmt.Sprint(codecs(t, s, series)); got != "[zstd zstd zstd zstd]" {
		t.Fatalf("a dry run made %s", got)
	}
	o.DryRun = false
	r, err := s.Pack(t.Context(), o)
	if err != nil || r.Packed != dry.Packed || r.After != dry.After || r.After*5 > r.Before {
		t.Fatalf("%+v, %v, after a dry run %+v", r, err, dry)
	}
	if got := fmt.Sprint(codecs(t, s, series[:3])); got != "[zstd packed packed]" {
		t.Fatalf("they are %s", got)
	}
	mustRead(t, s, series...)
	checkSound(t, s, len(series))
	if info, err := s.PutBytes(series[1]); err != nil || !info.Deduped {
		t.Errorf("putting what is packed: %+v, %v", info, err)
	}
	if again, err := s.Pack(t.Context(), o); err != nil || again.Packed != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	back, err := s.Unpack(t.Context(), 0)
	if err != nil || back.Packed != r.Packed {
		t.Errorf("unpack: %+v, %v", back, err)
	}
	if got := fmt.Sprint(codecs(t, s, series)); got != "[zstd zstd zstd zstd]" {
		t.Errorf("unpacked they are %s", got)
	}
	mustRead(t, s, series...)
	checkSound(t, s, len(series))
}

// TestPackLeaves: what is young, small, unlike or of another store.
func TestPackLeaves(t *testing.T) {
	s := quickly(t, t.TempDir())
	have(series[:2]...)(t, s)
	have(tiny, noise)(t, s)
	all := [][]byte{series[0], tiny, noise, []byte("never stored"), nil}
	for name, o := range map[string]objects.PackOptions{
		"unlike":    {Series: [][]objects.ID{idsOf(all)}},
		"young":     {Series: [][]objects.ID{idsOf(series)}, Before: time.Now().Add(-time.Hour)},
		"in flight": {Series: [][]objects.ID{idsOf(series)}, InFlight: func() (time.Time, error) { return time.Now().Add(-time.Hour), nil }},
	} {
		if r, err := s.Pack(t.Context(), o); err != nil || r.Packed != 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	release, err := s.Hold()
	if err != nil {
		t.Fatal(err)
	}
	have(series[2])(t, s)
	if r, err := s.Pack(t.Context(), objects.PackOptions{Series: [][]objects.ID{idsOf(series)}}); err != nil || r.Packed > 1 {
		t.Errorf("held: %+v, %v", r, err)
	}
	release()
	mustRead(t, s, series[:3]...)
}

// TestPackGC: what others are packed against stays as long as they do, and no
// longer.
func TestPackGC(t *testing.T) {
	live := func(all ...[]byte) func() (map[objects.ID]objects.Ref, error) {
		m := map[objects.ID]objects.Ref{}
		for i, b := range all {
			m[objects.IDOf(b)] = objects.Ref{Newest: time.Now().Add(time.Duration(i-len(all)) * 24 * time.Hour)}
		}
		return func() (map[objects.ID]objects.Ref, error) { return m, nil }
	}
	for name, test := range map[string]struct {
		o    objects.GCOptions
		left [][]byte
	}{
		"all named":           {objects.GCOptions{Live: live(series[:3]...)}, series[:3]},
		"only a packed one":   {objects.GCOptions{Live: live(series[2])}, [][]byte{series[0], series[2]}},
		"only what they need": {objects.GCOptions{Live: live(series[0])}, series[:1]},
		"none":                {objects.GCOptions{Live: live()}, nil},
		"by age":              {objects.GCOptions{Live: live(series[:3]...), MaxAge: 36 * time.Hour}, [][]byte{series[0], series[2]}},
		"by size":             {objects.GCOptions{Live: live(series[:3]...), MaxBytes: 1}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := quickly(t, t.TempDir())
			havePacked(series[:3]...)(t, s)
			test.o.Grace = -time.Hour
			dry := test.o
			dry.DryRun = true
			would, err := s.GC(t.Context(), dry)
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.GC(t.Context(), test.o)
			if err != nil || len(r.Deleted) != 3-len(test.left) || len(would.Deleted) != len(r.Deleted) {
				t.Fatalf("%+v, %v; a dry run said %+v", r, err, would)
			}
			mustRead(t, s, test.left...)
			checkSound(t, s, len(test.left))
		})
	}
}

// TestPackedAgainstDamage: without the bytes that it is packed against an object
// cannot be read; it says why, stays where it is, and is read again when those are
// back, or when its own are put again.
func TestPackedAgainstDamage(t *testing.T) {
	for name, cure := range map[string][]byte{"the other again": series[0], "itself again": series[1]} {
		t.Run(name, func(t *testing.T) {
			s := quickly(t, t.TempDir())
			havePacked(series[:2]...)(t, s)
			damage(t, s.ObjectPath(objects.IDOf(series[0])))
			var bad *objects.CorruptError
			for range 2 {
				if _, err := s.ReadAll(objects.IDOf(series[1])); !errors.As(err, &bad) || bad.MovedTo != "" || bad.ID != objects.IDOf(series[1]) {
					t.Fatalf("%v", err)
				}
			}
			if !s.Has(objects.IDOf(series[1])) || s.Has(objects.IDOf(series[0])) {
				t.Fatal("it was moved, or the damaged one was not")
			}
			r, err := s.Fsck(t.Context(), nil)
			if err != nil || len(r.Corrupt) != 1 {
				t.Errorf("fsck: %+v, %v", r, err)
			}
			if info, err := s.PutBytes(cure); err != nil || info.Deduped {
				t.Fatalf("%+v, %v", info, err)
			}
			mustRead(t, s, series[1])
		})
	}
}

// TestPackedBitFlips: a bit that is wrong anywhere in a packed file is found.
func TestPackedBitFlips(t *testing.T) {
	s := quickly(t, t.TempDir())
	havePacked(series[:2]...)(t, s)
	id := objects.IDOf(series[1])
	path := s.ObjectPath(id)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 17
	if thorough {
		step = 1
	}
	for bit := 0; bit < len(good)*8; bit += step {
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		var corrupt *objects.CorruptError
		if _, err := s.ReadAll(id); !errors.As(err, &corrupt) {
			t.Fatalf("byte %d, bit %d: %v", bit/8, bit%8, err)
		}
	}
	if _, err := s.ReadAll(objects.IDOf(series[0])); err != nil {
		t.Errorf("what it is packed against: %v", err)
	}
}

// TestPackedStockTools: a packed object unpacks with stock tools and the bytes of
// the other.
func TestPackedStockTools(t *testing.T) {
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd here")
	}
	s := objects.Open(t.TempDir())
	havePacked(series[:2]...)(t, s)
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, series[0], 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("sh", "-c", `tail -c +81 "$0" | zstd -dc -D "$1"`, s.ObjectPath(objects.IDOf(series[1])), other).Output()
	if err != nil || !bytes.Equal(got, series[1]) {
		t.Errorf("%d bytes of %d, %v", len(got), len(series[1]), err)
	}
}

// TestPackModel: whatever is put, packed, unpacked and collected in whatever order,
// what is live is read.
func TestPackModel(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "objects-pack-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		y := newFaulty(outer)
		defer y.bury()
		s, here := y.store(root), map[int]bool{}
		run := rapid.IntRange(0, 7)
		runs := rapid.SliceOfNDistinct(run, 0, 8, rapid.ID[int])
		some := func(label string) (ids []objects.ID) {
			for _, i := range runs.Draw(t, label) {
				ids = append(ids, objects.IDOf(alike(i, 20_000)))
			}
			return ids
		}
		must := func(_ any, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				i := run.Draw(t, "run")
				must(s.PutBytes(alike(i, 20_000)))
				here[i] = true
			},
			"pack": func(t *rapid.T) {
				must(s.Pack(context.Background(), objects.PackOptions{Series: [][]objects.ID{some("one"), some("other")}}))
			},
			"unpack": func(t *rapid.T) { must(s.Unpack(context.Background(), 0)) },
			"gc": func(t *rapid.T) {
				live, keep := map[objects.ID]objects.Ref{}, map[int]bool{}
				for _, i := range runs.Draw(t, "live") {
					live[objects.IDOf(alike(i, 20_000))] = objects.Ref{Newest: time.Now()}
					keep[i] = here[i]
				}
				must(s.GC(context.Background(), objects.GCOptions{Grace: -time.Hour, Live: func() (map[objects.ID]objects.Ref, error) { return live, nil }}))
				here = keep
			},
			"": func(t *rapid.T) {
				for i, is := range here {
					got, err := s.ReadAll(objects.IDOf(alike(i, 20_000)))
					if is && (err != nil || !bytes.Equal(got, alike(i, 20_000))) {
						t.Fatalf("run %d: %d bytes, %v", i, len(got), err)
					}
				}
			},
		})
		if r, err := s.Fsck(context.Background(), nil); err != nil || !r.OK() {
			t.Fatalf("fsck: %+v, %v", r, err)
		}
	})
}

// TestPackRaces: captures put, and gc runs, while packing goes on.
func TestPackRaces(t *testing.T) {
	s := objects.Open(t.TempDir())
	have(series[:3]...)(t, s)
	live := map[objects.ID]objects.Ref{}
	for _, id := range idsOf(series[:3]) {
		live[id] = objects.Ref{Newest: time.Now()}
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 10 {
				if err := pack(series[:3]...)(s, nil); err != nil && !errors.Is(err, objects.ErrBusy) {
					t.Error(err)
				}
				if err := unpack(s, nil); err != nil && !errors.Is(err, objects.ErrBusy) {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 10 {
				if err := putAll(series[:3]...)(s, func([]byte) {}); err != nil {
					t.Error(err)
				}
				mustRead(t, s, series[:3]...)
			}
		})
	}
	all.Go(func() {
		for range 5 {
			if _, err := s.GC(context.Background(), objects.GCOptions{Grace: -time.Hour, Live: func() (map[objects.ID]objects.Ref, error) { return live, nil }}); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	mustRead(t, s, series[:3]...)
	checkSound(t, s, 3)
}
