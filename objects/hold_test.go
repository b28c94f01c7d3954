package objects

import (
	"os"
	"testing"
	"time"
)

// TestHold: what is put under a hold outlives a gc without grace, and nothing
// that was there long before is kept by it.
func TestHold(t *testing.T) {
	s := Open(t.TempDir())
	old, err := s.PutBytes([]byte("old"))
	if err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.objectPath(old.ID), past, past); err != nil {
		t.Fatal(err)
	}
	release, err := s.Hold()
	if err != nil {
		t.Fatal(err)
	}
	held, err := s.PutBytes([]byte("held"))
	if err != nil {
		t.Fatal(err)
	}
	none := GCOptions{Live: func() (map[ID]Ref, error) { return nil, nil }}
	if r, err := s.GC(t.Context(), none); err != nil || len(r.Deleted) != 1 || r.Deleted[0].ID != old.ID {
		t.Errorf("under a hold: %+v, %v", r, err)
	}
	release()
	if r, err := s.GC(t.Context(), none); err != nil || len(r.Deleted) != 1 || r.Deleted[0].ID != held.ID {
		t.Errorf("after it: %+v, %v", r, err)
	}
}
