package objects

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// plain stores a text as one that came faster than it could be compressed.
func plain(t *testing.T, s *Store, text []byte) Info {
	t.Helper()
	d := newDigest()
	d.add(text)
	info, err := s.putFrame(d.id(), d.plain(), text)
	if err != nil {
		t.Fatal(err)
	}
	s.note(info.ID)
	return info
}

func idle() bool { return false }

func noted(t *testing.T, s *Store) int {
	t.Helper()
	names, err := filepath.Glob(s.later("*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestCompressNoted: what was stored plain for want of time is compressed when there
// is time, and reads back as the same bytes.
func TestCompressNoted(t *testing.T) {
	s := Open(t.TempDir())
	if all, err := s.CompressNoted(t.Context(), idle); err != nil || all != nil {
		t.Fatalf("a store that was never written to: %v, %v", all, err)
	}
	text := someLog(maxLagAtEnd * 2)
	info := plain(t, s, text)
	if noted(t, s) != 1 {
		t.Fatal("it is not noted")
	}
	all, err := s.CompressNoted(t.Context(), idle)
	if err != nil || len(all) != 1 || all[0].ID != info.ID || all[0].After >= all[0].Before/2 {
		t.Fatalf("%+v, %v", all, err)
	}
	if b, err := s.ReadAll(info.ID); err != nil || !bytes.Equal(b, text) {
		t.Errorf("reads back as %d bytes of %d, %v", len(b), len(text), err)
	}
	if st, err := os.Stat(s.objectPath(info.ID)); err != nil || st.Size() != all[0].After {
		t.Errorf("%v, %v: want %d bytes", st, err, all[0].After)
	}
	if noted(t, s) != 0 {
		t.Error("it is still noted")
	}
	if left, _ := filepath.Glob(s.incoming("*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestCompressNotedGivesWay: a capture that begins ends the work at once, a later
// call does it, and nothing is lost in between.
func TestCompressNotedGivesWay(t *testing.T) {
	s := Open(t.TempDir())
	text := someLog(maxLagAtEnd * 2)
	info := plain(t, s, text)
	asked := 0
	all, err := s.CompressNoted(t.Context(), func() bool { asked++; return asked > 3 })
	if err != nil || all != nil || noted(t, s) != 1 {
		t.Fatalf("%v, %v, %d noted", all, err, noted(t, s))
	}
	if left, _ := filepath.Glob(s.incoming("*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.CompressNoted(ctx, idle); err == nil || noted(t, s) != 1 {
		t.Errorf("ended: %v, %d noted", err, noted(t, s))
	}
	if all, err = s.CompressNoted(t.Context(), idle); err != nil || len(all) != 1 || all[0].ID != info.ID {
		t.Errorf("%v, %v", all, err)
	}
}

// TestNotedIsAHint: what is noted and gone, and what is no ID, is taken off the list.
func TestNotedIsAHint(t *testing.T) {
	s := Open(t.TempDir())
	small, err := s.PutBytes([]byte("small"))
	if err != nil {
		t.Fatal(err)
	}
	s.note(small.ID)
	s.note(IDOf([]byte("never put")))
	if err := os.WriteFile(s.later("no id"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := s.CompressNoted(t.Context(), idle); err != nil || all != nil || noted(t, s) != 0 {
		t.Errorf("%v, %v, %d noted", all, err, noted(t, s))
	}
}
