package objects_test

import (
	"bytes"
	"strings"
	"testing"

	"cairn/objects"
)

// commitUnsynced stores b so, and gives the steps that waited for the disk.
func commitUnsynced(t *testing.T, y *faulty, s *objects.Store, b []byte) (info objects.Info, waits []string) {
	t.Helper()
	y.fault = func(op, path string) error {
		if strings.HasPrefix(op, "sync") {
			waits = append(waits, op+" "+path)
		}
		return nil
	}
	in, err := s.Receive("run")
	if err == nil {
		_, err = in.Write(b)
	}
	if err == nil {
		info, err = in.CommitUnsynced()
	}
	y.fault = nil
	if err != nil {
		t.Fatal(err)
	}
	return info, waits
}

// What is committed without a sync is there for every reader, and a store that is in use
// waits for nothing. After Settle it outlasts a power cut, whatever one took before.
func TestCommitUnsynced(t *testing.T) {
	for name, b := range map[string][]byte{
		"small":      []byte("out\n"),
		"compressed": bytes.Repeat([]byte("the same line again\n"), 1000),
	} {
		for _, cut := range []bool{false, true} {
			root, y := t.TempDir(), newFaulty(t)
			t.Cleanup(y.bury)
			s := y.store(root)
			if _, err := s.PutBytes([]byte("something else")); err != nil {
				t.Fatal(err)
			}
			info, waits := commitUnsynced(t, y, s, b)
			if len(waits) > 0 || info.ID != objects.IDOf(b) {
				t.Errorf("%s: %v, waits %q", name, info, waits)
			}
			mustRead(t, quickly(t, root), b)
			if cut {
				y.die()
				y.cutPower()
				y = newFaulty(t)
				t.Cleanup(y.bury)
				if quickly(t, root).Has(info.ID) {
					t.Fatal("the power cut took nothing")
				}
				s = y.store(root)
			}
			if again, err := s.Settle(b); err != nil || again.ID != info.ID {
				t.Fatal(again, err)
			}
			y.die()
			y.cutPower()
			mustRead(t, quickly(t, root), b, []byte("something else"))
		}
	}
}

// Settle makes good what is torn, missing, or lies in a pack file alone.
func TestSettle(t *testing.T) {
	root := t.TempDir()
	s := quickly(t, root)
	for _, b := range [][]byte{nil, []byte("a"), bytes.Repeat([]byte("long "), 100_000)} {
		for range 2 {
			info, err := s.Settle(b)
			if want := objects.InfoOf(b); err != nil || info.ID != want.ID || info.Size != want.Size || info.Lines != want.Lines {
				t.Errorf("%v, want %v: %v", info, want, err)
			}
		}
		mustRead(t, s, b)
	}
}
