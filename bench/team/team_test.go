package team

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/manifest"
)

// TestWrite: cairn's own reader finds every record, and no shard is too large.
func TestWrite(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	const count = 3000
	if err := (Team{Writers: 2, Days: 3, Last: now}).Write(dir, count); err != nil {
		t.Fatal(err)
	}
	m := manifest.Open(dir, manifest.Options{Now: func() time.Time { return now.AddDate(0, 0, 1) }, Warn: func(w manifest.Warning) { t.Errorf("warning: %v", w) }})
	wanted, err := Fingerprint(dir)
	if err != nil {
		t.Fatal(err)
	}
	found, needles := 0, 0
	for r, err := range m.Records(t.Context(), manifest.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		tr, err := r.Result()
		if err != nil {
			t.Fatal(err)
		}
		found++
		for _, f := range tr.Findings {
			if f.Fingerprint == wanted {
				needles++
			}
		}
	}
	if found != count || needles == 0 {
		t.Errorf("%d records of %d, %d with the fingerprint", found, count, needles)
	}
	shards, err := filepath.Glob(filepath.Join(dir, "manifest", "*", "*", "*", "*.jsonl"))
	if err != nil || len(shards) < 6 {
		t.Errorf("%d shards, %v", len(shards), err)
	}
	for _, s := range shards {
		if info, err := os.Stat(s); err != nil || info.Size() > manifest.MaxShard {
			t.Errorf("%s: %v, %v", s, info.Size(), err)
		}
	}
}
