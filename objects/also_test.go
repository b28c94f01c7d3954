package objects

import (
	"errors"
	"strings"
	"testing"
)

// TestAlso: an object of another store is read, checked and found by the beginning
// of its id; it is not put there, and not listed as here.
func TestAlso(t *testing.T) {
	other := Open(t.TempDir())
	info, err := other.Put(strings.NewReader("kept elsewhere"))
	if err != nil {
		t.Fatal(err)
	}
	s := Open(t.TempDir(), other.Root())
	if b, err := s.ReadAll(info.ID); err != nil || string(b) != "kept elsewhere" {
		t.Errorf("read %q, %v", b, err)
	}
	if st, err := s.Stat(info.ID); err != nil || st.Size != info.Size || !s.Has(info.ID) {
		t.Errorf("stat %+v, %v", st, err)
	}
	if id, err := s.Resolve(info.ID.Hex()[:8]); err != nil || id != info.ID {
		t.Errorf("resolved to %s, %v", id, err)
	}
	mine, err := s.Put(strings.NewReader("here"))
	if err != nil || other.Has(mine.ID) {
		t.Errorf("put elsewhere, or %v", err)
	}
	for id := range s.IDs() {
		if id != mine.ID {
			t.Errorf("%s is listed", id)
		}
	}
	if _, err := s.Stat(IDOf([]byte("nowhere"))); !errors.Is(err, ErrNotFound) {
		t.Errorf("what is nowhere: %v", err)
	}
}
