package manifest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// spoil does to a file what a crash, a full disk or a person may do.
func spoil(f *fixture, r *rand.Rand, path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return "nothing"
	}
	switch r.IntN(7) {
	case 0:
		os.WriteFile(path, b[:r.IntN(len(b)+1)], 0o600)
		return "cut " + path
	case 1:
		os.WriteFile(path, make([]byte, len(b)), 0o600)
		return "zeros " + path
	case 2:
		os.WriteFile(path, append(b, "\x00\x00 garbage"...), 0o600)
		return "garbage behind " + path
	case 3:
		os.WriteFile(path, append(b, "{\"v\":9,\"id\":\"x\"}\nno record\n\n"...), 0o600)
		return "other lines behind " + path
	case 4:
		os.Remove(path)
		return "removed " + path
	case 5:
		os.WriteFile(path, append(b, b...), 0o600)
		return "twice " + path
	default:
		f.add(r.IntN(2))
		return "a record"
	}
}

// TestFoldEnds: whatever has become of the shards and of what is remembered of them, a
// fold and a helper come to an end, and a record that is appended then is folded.
func TestFoldEnds(t *testing.T) {
	for seed := range uint64(80) {
		f := newFixture(t)
		r := rand.New(rand.NewPCG(seed, 1))
		f.add(0)
		var did []string
		for range 1 + r.IntN(6) {
			var files []string
			filepath.WalkDir(f.dir, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					files = append(files, path)
				}
				return nil
			})
			if len(files) == 0 {
				break
			}
			did = append(did, spoil(f, r, files[r.IntN(len(files))]))
			if r.IntN(3) == 0 {
				did = append(did, "folded")
				if !ends(f) {
					t.Fatalf("seed %d: no end after %q", seed, did)
				}
			}
		}
		next := f.add(1)
		if !ends(f) {
			t.Fatalf("seed %d: no end after %q and a record", seed, did)
		}
		found := false
		for _, line := range f.fake.lines() {
			rec, err := Decode([]byte(line))
			found = found || err == nil && rec.ID == next.ID
		}
		if !found {
			t.Fatalf("seed %d: a record is not on the branch after %q", seed, did)
		}
	}
}

// ends folds and follows, and says whether that came to an end.
func ends(f *fixture) bool {
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	f.Fold(limited, FoldOptions{Wait: true})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if lock, err := f.lockFollow(); err == nil && lock != nil {
			f.Follow(limited, lock, settled{})
		}
	}()
	select {
	case <-done:
		return limited.Err() == nil
	case <-limited.Done():
		return false
	}
}
