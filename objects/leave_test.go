package objects

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What is left is found as the output of a process that died, in the same process too.
func TestLeave(t *testing.T) {
	s := Open(t.TempDir())
	in, err := s.Receive("left")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("so far")); err != nil {
		t.Fatal(err)
	}
	in.Leave()
	in.Leave()
	if _, err := in.Commit(); !errors.Is(err, ErrDone) {
		t.Errorf("committed all the same: %v", err)
	}
	left, err := s.Abandoned()
	if err != nil || len(left) != 1 {
		t.Fatal(left, err)
	}
	if info, err := left[0].Recover(); err != nil || info.ID != IDOf([]byte("so far")) {
		t.Errorf("%v, %v", info, err)
	}
}

// A store whose directory may not be made is not made, by whatever writes first.
func TestAsk(t *testing.T) {
	forbidden := errors.New("forbidden")
	root := filepath.Join(t.TempDir(), "gone", "store")
	s := Open(root)
	s.Ask(func() error { return forbidden })
	if _, err := s.PutBytes([]byte("x")); !errors.Is(err, forbidden) {
		t.Errorf("put: %v", err)
	}
	in, err := s.Receive("name")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("x")); !errors.Is(err, forbidden) {
		t.Errorf("write: %v", err)
	}
	if _, err := s.Hold(); !errors.Is(err, forbidden) {
		t.Errorf("hold: %v", err)
	}
	if _, err := os.Stat(filepath.Dir(root)); !os.IsNotExist(err) {
		t.Errorf("made: %v", err)
	}
}
