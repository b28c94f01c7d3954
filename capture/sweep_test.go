//go:build unix

package capture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
)

// away makes captures of a repository wait elsewhere from now on. back is where they
// belong, opened before.
func away(t *testing.T) (dir string, back *place.Site) {
	t.Helper()
	dir = repository(t)
	back = site(t, dir)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	return dir, back
}

// waitingFor is the place where captures wait, opened as by one who writes there.
func waitingFor(t *testing.T, dir string) *place.Site {
	t.Helper()
	s := site(t, dir)
	if s.Repo != nil || !strings.Contains(s.Dir, "waiting") {
		t.Fatalf("%s is not where captures wait", s.Dir)
	}
	return s
}

// leftBehind are directories that were taken over in part.
func leftBehind(t *testing.T, s *place.Site) []string {
	t.Helper()
	left, err := filepath.Glob(s.Waiting(place.FromEnviron(os.Environ()))[0] + "*")
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// Captures come while those before them are taken back: none is lost.
func TestSweepBesideCaptures(t *testing.T) {
	const writers, runs = 4, 15
	dir, back := away(t)
	env := place.FromEnviron(os.Environ())
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range runs {
				out := Run(t.Context(), shell(dir, fmt.Sprintf("echo %d %d", w, i)))
				if out.CatchUp(t.Context()); out.Trouble != nil {
					t.Errorf("not recorded: %v", out.Trouble)
				}
			}
		})
	}
	over := make(chan struct{})
	go func() { wg.Wait(); close(over) }()
	for done := false; !done; {
		select {
		case <-over:
			done = true
		default:
		}
		if _, err := Sweep(t.Context(), back, env); err != nil {
			t.Error(err)
		}
	}
	all := records(t, back)
	for _, rec := range all {
		id, err := objects.ParseID(rec.Raw.OID)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := back.Objects.ReadAll(id); err != nil || int64(len(b)) != rec.Raw.Size {
			t.Errorf("%s: %d bytes of %d: %v", rec.ID, len(b), rec.Raw.Size, err)
		}
	}
	if len(all) != writers*runs {
		t.Errorf("%d captures are left of %d", len(all), writers*runs)
	}
	if left := leftBehind(t, back); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// While somebody has the place open to write nothing is taken; afterwards all is.
func TestSweepWaitsForWriters(t *testing.T) {
	dir, back := away(t)
	env := place.FromEnviron(os.Environ())
	w := waitingFor(t, dir)
	info, err := w.Objects.PutBytes([]byte("kept by a process that goes on"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := Sweep(t.Context(), back, env); n != 0 || err != nil || back.Objects.Has(info.ID) {
		t.Errorf("taken from a writer: %d, %v", n, err)
	}
	if err := w.Manifest.Append(t.Context(), &manifest.Record{Raw: &manifest.Raw{OID: info.ID.String(), Size: info.Size, Lines: 1}}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if n, err := Sweep(t.Context(), back, env); n != 1 || err != nil || !back.Objects.Has(info.ID) {
		t.Errorf("taken: %d, %v", n, err)
	}
}

// A line that only a newer cairn can read is taken as it is, with what it names, and so
// is an object that no line names.
func TestSweepTakesWhatIsNotRead(t *testing.T) {
	dir, back := away(t)
	env := place.FromEnviron(os.Environ())
	w := waitingFor(t, dir)
	named, err := w.Objects.PutBytes([]byte("what a newer cairn kept"))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := w.Objects.PutBytes([]byte("what an agent kept without a record"))
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(`{"v":99,"id":"01BX5ZZKBKACTAV9WEVGEMMVRZ","time":"2026-01-02T03:04:05.000000Z","outcome":"unheard of","kept":"` + named.ID.String() + `"}`)
	if err := w.Manifest.AppendLine(t.Context(), line); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if n, err := Sweep(t.Context(), back, env); n != 1 || err != nil {
		t.Errorf("taken: %d, %v", n, err)
	}
	if !back.Objects.Has(named.ID) || !back.Objects.Has(alone.ID) {
		t.Errorf("objects: %v %v", back.Objects.Has(named.ID), back.Objects.Has(alone.ID))
	}
	var found [][]byte
	for _, err := range back.Manifest.Records(t.Context(), manifest.Query{Passed: func(l []byte) { found = append(found, bytes.Clone(l)) }}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) != 1 || !bytes.Equal(found[0], line) {
		t.Errorf("lines: %q", found)
	}
	if left := leftBehind(t, back); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A damaged object, a line that is not one and what was set aside hinder nothing else, and
// are not removed. It is said once.
func TestSweepLeavesWhatItCannotTake(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, w *place.Site, sound objects.ID){
		"damaged object": func(t *testing.T, w *place.Site, _ objects.ID) {
			bad, err := w.Objects.PutBytes(bytes.Repeat([]byte("soon damaged\n"), 1000))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(w.Dir, "objects", bad.ID.Hex()[:2], bad.ID.Hex()[2:])
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b[len(b)-9] ^= 1
			os.Chmod(path, 0o600)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"set aside": func(t *testing.T, w *place.Site, _ objects.ID) {
			if err := os.MkdirAll(filepath.Join(w.Dir, "set-aside"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(w.Dir, "set-aside", "01BX5ZZKBKACTAV9WEVGEMMVRZ"), []byte("for a person"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"no record": func(t *testing.T, w *place.Site, _ objects.ID) {
			shards, err := filepath.Glob(filepath.Join(w.Dir, "manifest", "*", "*", "*", "*.jsonl"))
			if err != nil || len(shards) != 1 {
				t.Fatal(shards, err)
			}
			f, err := os.OpenFile(shards[0], os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString("what was that?\n"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			dir, back := away(t)
			env := place.FromEnviron(os.Environ())
			w := waitingFor(t, dir)
			info, err := w.Objects.PutBytes([]byte("sound"))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Manifest.Append(t.Context(), &manifest.Record{Raw: &manifest.Raw{OID: info.ID.String(), Size: info.Size}}); err != nil {
				t.Fatal(err)
			}
			spoil(t, w, info.ID)
			w.Close()
			n, err := Sweep(t.Context(), back, env)
			if n != 1 || err == nil || !strings.Contains(err.Error(), "not all could be taken over") || !back.Objects.Has(info.ID) {
				t.Errorf("taken: %d, %v", n, err)
			}
			notes := SweepAndTell(t.Context(), back, env)
			if left := leftBehind(t, back); len(left) != 1 || len(notes) != 1 || !strings.Contains(notes[0], "lies in "+left[0]) {
				t.Errorf("left behind: %v; said: %q", left, notes)
			}
			if notes := SweepAndTell(t.Context(), back, env); len(notes) > 0 || len(records(t, back)) != 1 {
				t.Errorf("once more: %q", notes)
			}
		})
	}
}
