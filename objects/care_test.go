package objects_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"cairn/objects"
)

// The tests in this file check the maintenance of a store: damage, fsck, gc.

func nothingLive() (map[objects.ID]objects.Ref, error) { return nil, nil }

// flip changes one bit of a file.
func flip(t testing.TB, path string, bit int64) {
	t.Helper()
	b := must(os.ReadFile(path))
	b[bit/8] ^= 1 << (bit % 8)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func testDamage(t *testing.T, open Open) {
	for name, b := range map[string][]byte{"plain": []byte("one\ntwo\n"), "zstd": Text(1, 50_000), "blocks": Text(2, 2_500_000)} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			id := receive(t, s, b).ID
			st := must(os.Stat(objectFile(s, id)))
			flip(t, objectFile(s, id), st.Size()*8-77)
			var bad *objects.CorruptError
			if _, err := s.OpenObject(id); !errors.As(err, &bad) || bad.ID != id || bad.Why == "" {
				t.Fatalf("open: %v", err)
			}
			if _, err := os.Stat(bad.MovedTo); err != nil {
				t.Errorf("moved to %q: %v", bad.MovedTo, err)
			}
			if s.Has(id) {
				t.Error("the damaged file is still in its place")
			}
			if _, err := s.Stat(id); !errors.As(err, &bad) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

func testCure(t *testing.T, open Open) {
	for way, put := range ways {
		t.Run(way, func(t *testing.T) {
			s := open(t, t.TempDir())
			for _, b := range [][]byte{[]byte("one\ntwo\n"), Text(1, 50_000), Text(2, 2_500_000)} {
				id := put(t, s, b).ID
				flip(t, objectFile(s, id), 8*100/2)
				if info := put(t, s, b); info.Deduped {
					t.Error("good bytes were dropped for a damaged copy")
				}
				CheckObject(t, s, id, b)
			}
		})
	}
}

func testFsck(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	good, flipped, short, header := Text(1, 5000), Text(2, 500_000), Text(3, 2_000_000), Text(4, 100)
	live := map[objects.ID][]string{}
	for name, b := range map[string][]byte{"good": good, "flipped": flipped, "short": short, "header": header} {
		live[receive(t, s, b).ID] = []string{name}
	}
	missing := objects.IDOf([]byte("lost"))
	live[missing] = []string{"missing", "also"}
	orphan := receive(t, s, []byte("nobody wants me")).ID
	flip(t, objectFile(s, objects.IDOf(flipped)), 8*5000)
	flip(t, objectFile(s, objects.IDOf(header)), 8*20)
	if err := os.Truncate(objectFile(s, objects.IDOf(short)), 10_000); err != nil {
		t.Fatal(err)
	}
	stray := filepath.Join(filepath.Dir(objectFile(s, orphan)), "note.txt")
	temp := filepath.Join(s.Root(), "incoming", "x.tmp")
	for _, name := range []string{stray, temp} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, round := range []string{"first", "second"} { // the second fsck must still report it
		t.Run(round, func(t *testing.T) {
			r := must(s.Fsck(context.Background(), live))
			hit := map[string]bool{}
			for _, f := range r.Corrupt {
				hit[f.Captures[0]] = f.MovedTo != ""
			}
			if want := map[string]bool{"flipped": true, "short": true, "header": true}; !reflect.DeepEqual(hit, want) {
				t.Errorf("corrupt: %+v", r.Corrupt)
			}
			if len(r.Missing) != 1 || r.Missing[0].ID != missing || len(r.Missing[0].Captures) != 2 {
				t.Errorf("missing: %+v", r.Missing)
			}
			if !reflect.DeepEqual(r.Orphans, []objects.ID{orphan}) || !reflect.DeepEqual(r.Strays, []string{stray}) ||
				!reflect.DeepEqual(r.Temps, []string{temp}) || r.Checked != 2 || r.OK() {
				t.Errorf("report: %+v", r)
			}
		})
	}
}

func testGC(t *testing.T, open Open) {
	const day = 24 * time.Hour
	now := time.Now().Add(100 * day)
	ref := func(days int) objects.Ref { return objects.Ref{Newest: now.Add(-time.Duration(days) * day)} }
	pinned, evidence := ref(90), ref(90)
	pinned.Pinned, evidence.Evidence = true, true
	refs := []objects.Ref{ref(1), ref(10), ref(50), pinned, evidence} // the sixth object is an orphan
	tests := map[string]struct {
		o    objects.GCOptions
		gone []int // indices of the objects
	}{
		"orphans":          {objects.GCOptions{Grace: day}, []int{5}},
		"grace":            {objects.GCOptions{Grace: 200 * day, MaxAge: day, MaxBytes: 1}, nil},
		"age":              {objects.GCOptions{Grace: day, MaxAge: 30 * day}, []int{5, 2}},
		"budget of all":    {objects.GCOptions{Grace: day, MaxBytes: 5 * 1048}, []int{5}},
		"budget of four":   {objects.GCOptions{Grace: day, MaxBytes: 4 * 1048}, []int{5, 2}},
		"budget of three":  {objects.GCOptions{Grace: day, MaxBytes: 4*1048 - 1}, []int{5, 2, 1}},
		"budget too small": {objects.GCOptions{Grace: day, MaxBytes: 1}, []int{5, 2, 1, 0}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			var ids []objects.ID
			live := map[objects.ID]objects.Ref{}
			for i := range 6 {
				ids = append(ids, receive(t, s, Text(uint64(i), 1000)).ID)
				if i < len(refs) {
					live[ids[i]] = refs[i]
				}
			}
			test.o.Now = func() time.Time { return now }
			test.o.Live = func() (map[objects.ID]objects.Ref, error) { return live, nil }
			checkGC(t, s, ids, test.o, test.gone)
		})
	}
	t.Run("unknown liveness deletes nothing", func(t *testing.T) {
		s := open(t, t.TempDir())
		id := receive(t, s, []byte("x")).ID
		broken := func() (map[objects.ID]objects.Ref, error) { return nil, errors.New("cannot read the manifest") }
		for _, o := range []objects.GCOptions{{}, {Live: broken}} {
			o.Now = func() time.Time { return now }
			if _, err := s.GC(context.Background(), o); err == nil || !s.Has(id) {
				t.Errorf("gc: %v; object kept: %v", err, s.Has(id))
			}
		}
	})
}

func checkGC(t *testing.T, s *objects.Store, ids []objects.ID, o objects.GCOptions, gone []int) {
	t.Helper()
	o.DryRun = true
	dry := must(s.GC(context.Background(), o))
	for _, id := range ids {
		if !s.Has(id) {
			t.Fatal("the dry run deleted something")
		}
	}
	o.DryRun = false
	r := must(s.GC(context.Background(), o))
	if dry.DryRun = false; !reflect.DeepEqual(dry, r) {
		t.Errorf("the dry run said\n%+v, the real one\n%+v", dry, r)
	}
	want := map[objects.ID]bool{}
	for _, i := range gone {
		want[ids[i]] = true
	}
	for _, d := range r.Deleted {
		if !want[d.ID] || d.Why == "" {
			t.Errorf("deleted %+v", d)
		}
	}
	var bad *objects.GoneError
	for i, id := range ids {
		_, err := s.OpenObject(id)
		isGone := errors.As(err, &bad) && bad.Why != "" && !bad.When.IsZero()
		if want[id] && !isGone || !want[id] && err != nil {
			t.Errorf("object %d, gone %v: %v", i, want[id], err)
		}
	}
	if r.Kept != len(ids)-len(gone) || r.FreedBytes != int64(1048*len(gone)) {
		t.Errorf("report %+v", r)
	}
	if len(gone) > 0 { // a collected object may be put again
		if id, err := s.Resolve(ids[gone[0]].Hex()[:16]); err != nil || id != ids[gone[0]] {
			t.Errorf("resolve a collected object: %v, %v", id, err)
		}
		CheckObject(t, s, receive(t, s, Text(uint64(gone[0]), 1000)).ID, Text(uint64(gone[0]), 1000))
	}
}

// testRecompress makes an object that compresses but was stored plain, as a fast
// command leaves it: it rewrites the header of a spool.
func testRecompress(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	b := Text(1, 40<<20)
	in := must(s.Receive("r"))
	if _, err := in.Write(b); err != nil { // in one write, so that compression is 40 MB behind at once
		t.Fatal(err)
	}
	info := must(in.Commit())
	if info.Codec != "none" {
		t.Fatalf("compressed all the same: %+v", info)
	}
	noise := receive(t, s, Random(1, 1_000_000)).ID
	mixed := append(Random(2, 6<<20), Text(2, 20<<20)...) // the noise made it give up compression
	late := receive(t, s, mixed)
	if late.Codec != "none" {
		t.Fatalf("the noise was compressed: %+v", late)
	}
	o := objects.GCOptions{Grace: time.Hour, Live: nothingLive, DryRun: true}
	dry := must(s.GC(context.Background(), o))
	o.DryRun = false
	r := must(s.GC(context.Background(), o))
	after := map[objects.ID]int64{}
	for _, c := range r.Recompressed {
		after[c.ID] = c.After
	}
	if len(dry.Recompressed) != 2 || len(after) != 2 || after[info.ID] == 0 || after[info.ID]*2 > info.Stored || after[late.ID] == 0 || after[late.ID]*2 > late.Stored {
		t.Fatalf("recompressed %+v, dry run %+v", r.Recompressed, dry.Recompressed)
	}
	CheckObject(t, s, info.ID, b)
	CheckObject(t, s, late.ID, mixed)
	if st := must(s.Stat(info.ID)); st.Codec != "zstd" || st.Lines != info.Lines || st.Stored != after[info.ID] {
		t.Errorf("afterwards %+v", st)
	}
	if st := must(s.Stat(noise)); st.Codec != "none" {
		t.Errorf("noise: %+v", st)
	}
	checkIncomingEmpty(t, s)
}
