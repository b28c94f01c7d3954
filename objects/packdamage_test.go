package objects_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/objects"
)

// readable counts the objects that come back, and fails for any that is neither right nor
// reported as damaged.
func readable(t *testing.T, s *objects.Store, all [][]byte) (n int) {
	t.Helper()
	for i, b := range all {
		got, err := s.ReadAll(objects.IDOf(b))
		var bad *objects.CorruptError
		switch {
		case err == nil && bytes.Equal(got, b):
			n++
		case !errors.As(err, &bad):
			t.Errorf("object %d: %d bytes, %v", i, len(got), err)
		case bad.In == "" && bad.MovedTo == "":
			t.Errorf("object %d: it does not say where it is: %v", i, err)
		}
	}
	return n
}

// TestPackFileDamage: whatever happens to a pack file, what is sound in it is read, fsck
// names what is not, writes the rest anew and keeps the damaged file; putting cures.
func TestPackFileDamage(t *testing.T) {
	for name, test := range map[string]struct {
		how  func([]byte) []byte
		lost bool // objects, or only the index
	}{
		"a group":     {func(b []byte) []byte { b[1000] ^= 8; return b }, true},
		"the index":   {func(b []byte) []byte { b[len(b)-100] ^= 8; return b }, false},
		"the end":     {func(b []byte) []byte { b[len(b)-1] ^= 8; return b }, false},
		"the head":    {func(b []byte) []byte { b[9] ^= 8; return b }, false},
		"half of it":  {func(b []byte) []byte { return b[:len(b)/2] }, true},
		"all of it":   {func(b []byte) []byte { return nil }, true},
		"bytes after": {func(b []byte) []byte { return append(b, "more"...) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := quickly(t, t.TempDir())
			havePackFiles(many[20:]...)(t, s)
			hurt := packFiles(t, s)[0]
			havePackFiles(dozen...)(t, s)
			if n := len(packFiles(t, s)); n != 2 {
				t.Fatalf("%d pack files", n)
			}
			change(t, hurt, test.how)
			both := append(dozen[:12:12], many[20:]...)
			fresh := quickly(t, s.Root())
			before := readable(t, fresh, both)
			if (before < len(both)) != test.lost || before < 8 {
				t.Fatalf("%d of %d are read", before, len(both))
			}
			live := map[objects.ID][]string{}
			for _, id := range idsOf(both) {
				live[id] = []string{"run"}
			}
			r, err := fresh.Fsck(t.Context(), live)
			if err != nil || r.OK() || len(r.Packs) != 1 || r.Checked != before || len(r.Missing)+len(r.Failed)+len(r.Strays) > 0 && name != "all of it" && name != "half of it" {
				t.Fatalf("fsck: %+v, %v", r, err)
			}
			if kept := r.Packs[0].MovedTo; filepath.Dir(kept) != filepath.Join(s.Root(), "quarantine") {
				t.Errorf("the damaged file: %+v", r.Packs[0])
			} else if _, err := os.Stat(kept); err != nil {
				t.Error(err)
			}
			again, err := fresh.Fsck(t.Context(), live)
			if err != nil || len(again.Packs) > 0 || again.Checked != before || len(again.Corrupt)+len(again.Missing) != len(both)-before {
				t.Errorf("fsck again: %+v, %v", again, err)
			}
			for _, b := range both {
				if _, err := fresh.PutBytes(b); err != nil {
					t.Fatal(err)
				}
			}
			mustRead(t, quickly(t, s.Root()), both...)
			checkSound(t, fresh, len(both))
		})
	}
}

// TestPackFileHidesNoDamage: of two copies the sound one is read, and fsck reports the other.
func TestPackFileHidesNoDamage(t *testing.T) {
	s := quickly(t, t.TempDir())
	havePackFiles(dozen...)(t, s)
	have(dozen[0])(t, s)
	damage(t, s.ObjectPath(objects.IDOf(dozen[0])))
	mustRead(t, s, dozen...)
	have(dozen[1])(t, s)
	damage(t, s.ObjectPath(objects.IDOf(dozen[1])))
	r, err := s.Fsck(t.Context(), nil)
	if err != nil || len(r.Corrupt) != 1 || r.Corrupt[0].ID != objects.IDOf(dozen[1]) || r.Corrupt[0].MovedTo == "" || r.Checked != 12 {
		t.Errorf("%+v, %v", r, err)
	}
	mustRead(t, s, dozen...)
}

// TestPackFilesFaults: whatever step of packing fails, nothing is lost and nothing is left
// that fsck would tell of; the next turn does the work.
func TestPackFilesFaults(t *testing.T) {
	for _, op := range []string{"create", "write", "sync", "read", "readdir", "renamenew", "syncdir", "mkdir", "remove", "stat", "open"} {
		for _, do := range []struct {
			name string
			prep func(testing.TB, *objects.Store)
			run  func(*objects.Store, func([]byte)) error
		}{{"pack", have(dozen...), pack(dozen...)}, {"unpack", havePackFiles(dozen...), unpack}, {"gc", havePackFiles(dozen...), gcAll(dozen...)}} {
			t.Run(op+"/"+do.name, func(t *testing.T) {
				step := 5
				if thorough {
					step = 1
				}
				for nth := 0; nth < 12; nth += step {
					root := t.TempDir()
					do.prep(t, quickly(t, root))
					y := newFaulty(t)
					defer y.bury()
					calls := 0
					y.fault = func(is, path string) error {
						if is == op {
							if calls++; calls == nth*3+1 {
								return errors.New("the disk says no")
							}
						}
						return nil
					}
					failed := do.run(y.store(root), nil)
					s := quickly(t, root)
					mustRead(t, s, dozen...)
					if r, err := s.Fsck(t.Context(), nil); err != nil || !r.OK() || len(r.Strays) > 0 {
						t.Fatalf("call %d (%v): %+v, %v", nth, failed, r, err)
					}
					if err := do.run(s, nil); err != nil {
						t.Fatalf("call %d: then %v", nth, err)
					}
					mustRead(t, s, dozen...)
				}
			})
		}
	}
}

// TestPackFilesLyingDisk: what the disk did not keep as it was written is found before
// anything is removed.
func TestPackFilesLyingDisk(t *testing.T) {
	root := t.TempDir()
	have(dozen...)(t, quickly(t, root))
	y := newFaulty(t)
	defer y.bury()
	s := y.store(root)
	y.fault = func(op, path string) error {
		if op == "sync" && strings.HasSuffix(path, ".tmp") {
			hurtGroup(t, path)
		}
		return nil
	}
	if r, err := s.Pack(t.Context(), objects.PackOptions{}); err == nil || !strings.Contains(err.Error(), "does not read back") {
		t.Errorf("%+v, %v", r, err)
	}
	if len(packFiles(t, s)) > 0 {
		t.Error("it was published")
	}
	y.fault = nil
	mustRead(t, s, dozen...)
	checkSound(t, s, 12)
}

// TestNewerFormat: a store that a newer cairn wrote to is put into and read, and nothing in
// it is judged, moved or removed.
func TestNewerFormat(t *testing.T) {
	s := quickly(t, t.TempDir())
	havePackFiles(dozen...)(t, s)
	format := filepath.Join(s.Root(), "format")
	if b, err := os.ReadFile(format); err != nil || string(b) != "2\n" {
		t.Fatalf("%q, %v", b, err)
	}
	for _, text := range []string{"3\n", "4 and so on"} {
		if err := os.WriteFile(format, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		have(tiny)(t, s)
		mustRead(t, s, append(dozen, tiny)...)
		for name, err := range map[string]error{"gc": gcAll()(s, nil), "pack": pack(dozen...)(s, nil), "unpack": unpack(s, nil), "fsck": fsckAll(s, nil)} {
			if !errors.Is(err, objects.ErrNewer) || !strings.Contains(err.Error(), format) {
				t.Errorf("%s: %v", name, err)
			}
		}
		path := s.ObjectPath(objects.IDOf(tiny))
		change(t, path, func(b []byte) []byte { b[13] = 9; return b }) // a version of the frame to come
		if _, err := s.ReadAll(objects.IDOf(tiny)); err == nil {
			t.Error("a frame of another version was read")
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("it was moved: %v", err)
		}
		if _, err := s.ReadAll(objects.IDOf(noise)); !errors.Is(err, objects.ErrNotFound) || !errors.Is(err, objects.ErrNewer) {
			t.Errorf("missing: %v", err)
		}
		os.Remove(path)
	}
	if err := os.WriteFile(format, nil, 0o600); err != nil { // its maker died at once
		t.Fatal(err)
	}
	have(tiny)(t, s)
	if _, err := s.GC(context.Background(), objects.GCOptions{Grace: time.Hour, Live: func() (map[objects.ID]objects.Ref, error) { return nil, nil }}); err != nil {
		t.Error(err)
	}
	mustRead(t, s, dozen...)
}
