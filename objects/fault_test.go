package objects_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"cairn/internal/racing"
	"cairn/objects"
)

// TestFaults makes the nth call of each kind fail, once or from then on, in each
// scenario. Whatever fails, what was acknowledged must be there, and what was
// there before.
func TestFaults(t *testing.T) {
	faults := map[string]error{"create": syscall.ENOSPC, "open": syscall.EIO, "mkdir": syscall.ENOSPC, "readdir": syscall.EIO,
		"stat": syscall.EIO, "chtimes": syscall.EPERM, "remove": syscall.EIO, "rename": syscall.EIO, "renamenew": syscall.EIO,
		"syncdir": syscall.EIO, "read": syscall.EIO, "write": syscall.ENOSPC, "sync": syscall.EIO, "fstat": syscall.EIO, "lock": syscall.ENOLCK}
	positions, few := 1, 2
	if racing.Enabled {
		few = 8
	}
	if thorough {
		positions = 4
	}
	for name, sc := range scenarios {
		for op, fault := range faults {
			if !thorough && (len(name)+len(op))%few > 0 { // as good as any other part
				continue
			}
			t.Run(name+"/"+op, func(t *testing.T) {
				for nth, more := 0, true; more && !t.Failed() && nth < positions; nth++ {
					more = failAt(t, sc, op, fault, nth, false) && failAt(t, sc, op, fault, nth, true)
				}
			})
		}
	}
}

// failAt reports whether the fault came to pass.
func failAt(t *testing.T, sc scenario, op string, fault error, nth int, forever bool) bool {
	root := filepath.Join(t.TempDir(), "store")
	sc.setup(t, quickly(t, root))
	before := present(t, root)
	y, seen := newFaulty(t), 0
	defer y.bury()
	y.fault = func(o, path string) error {
		if o != op {
			return nil
		}
		seen++
		if seen-1 == nth || forever && seen > nth {
			return fault
		}
		return nil
	}
	var acked [][]byte
	err := sc.run(y.store(root), func(b []byte) { acked = append(acked, b) })
	if err != nil && seen <= nth {
		t.Fatalf("failed without a fault: %v", err)
	}
	y.mu.Lock()
	y.die()
	y.mu.Unlock()
	checkAfterCrash(t, root, nth, acked, before)
	return seen > nth
}

// TestShortWrites has a disk that writes less than it was told and says nothing.
func TestShortWrites(t *testing.T) {
	for name, run := range map[string]func(*objects.Store, func([]byte)) error{
		"put": putAll(log), "put large": putAll(large), "receive": receiveAll(log), "receive large": receiveAll(large)} {
		t.Run(name, func(t *testing.T) {
			y := newFaulty(t)
			defer y.bury()
			y.torn = func(n int) int { return n - 1 }
			if err := run(y.store(t.TempDir()), func([]byte) { t.Error("acknowledged") }); err == nil {
				t.Error("no error")
			}
		})
	}
}

// TestCutReader stores nothing of what a reader could not give to its end.
func TestCutReader(t *testing.T) {
	for _, fault := range []error{io.ErrUnexpectedEOF, syscall.EIO} {
		for _, size := range []int{0, 10, objects.BlockSize, objects.BlockSize + 10} {
			t.Run(fmt.Sprintf("%v after %d bytes", fault, size), func(t *testing.T) {
				s := quickly(t, t.TempDir())
				cut := io.MultiReader(bytes.NewReader(Text(7, size)), iotest.ErrReader(fault))
				if info, err := s.Put(cut); !errors.Is(err, fault) {
					t.Errorf("Put = %+v, %v", info, err)
				}
				for id := range s.IDs() {
					t.Errorf("%s is there", id)
				}
			})
		}
	}
}

// TestFullDisk fills the disk while a run is in flight: what was kept before must
// become an object, for which no more room is needed.
func TestFullDisk(t *testing.T) {
	for i, kept := range []int{0, 1, 5_000, 200_000, 3_000_000, 5_000, 3_000_000} {
		t.Run(fmt.Sprint(kept), func(t *testing.T) {
			y := newFaulty(t)
			y.silent = i > 4
			s := y.store(t.TempDir())
			b := Text(5, 4_000_000)
			in, err := s.Receive("run")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := in.Write(b[:kept]); err != nil {
				t.Fatal(err)
			}
			headers := 0
			y.mu.Lock()
			y.fault = func(op, path string) error {
				if op == "write" && strings.HasSuffix(path, "run") {
					headers++
				}
				if op == "create" && strings.HasSuffix(path, ".tmp") || op == "write" && (headers == 1 || strings.HasSuffix(path, ".tmp")) {
					return syscall.ENOSPC
				}
				return nil
			}
			y.mu.Unlock()
			n, err := in.Write(b[kept : kept+1000])
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("Write = %d, %v", n, err)
			}
			if _, again := in.Write(b[kept+n:]); !errors.Is(again, syscall.ENOSPC) {
				t.Errorf("a later Write = %v", again)
			}
			if kept == 0 {
				in.Abort() // not even the spool could be made
				return
			}
			info, err := in.Commit()
			var part *objects.PartialError
			if !errors.As(err, &part) || part.Kept != int64(kept+n) || info.Size != part.Kept || !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("Commit = %+v, %v; want %d bytes kept", info, err, kept+n)
			}
			y.fault = nil
			CheckObject(t, s, info.ID, b[:kept+n])
			checkSound(t, s, 1)
		})
	}
}

// TestFlippedReads spoils the nth read, once: the bytes that come back are right
// or there are none, and the object, which is good, stays where it is.
func TestFlippedReads(t *testing.T) {
	for name, b := range map[string][]byte{"tiny": tiny, "log": log, "large": large, "noise": noise} {
		t.Run(name, func(t *testing.T) {
			y := newFaulty(t)
			s := y.store(t.TempDir())
			have(b)(t, s)
			for nth, seen := 0, 1; seen > 0; nth++ {
				seen = 0
				y.flip = func(p []byte) {
					if seen == nth && len(p) > 0 {
						p[len(p)/2] ^= 1
					}
					seen++
				}
				got, err := s.ReadAll(objects.IDOf(b))
				if err == nil && !bytes.Equal(got, b) {
					t.Fatalf("read %d spoiled: wrong bytes came back", nth)
				}
				if !s.Has(objects.IDOf(b)) {
					t.Fatalf("read %d spoiled: the good object was moved: %v", nth, err)
				}
				if seen <= nth {
					break
				}
			}
		})
	}
}

// TestRefusedLock: a store whose lock stays taken says so and keeps the bytes.
func TestRefusedLock(t *testing.T) {
	root := t.TempDir()
	y := newFaulty(t)
	y.fault = func(op, path string) error {
		if op == "lock" && filepath.Base(path) == "lock" {
			return objects.ErrLocked
		}
		return nil
	}
	s := objects.OpenOn(root, y, 0)
	in, err := s.Receive("run")
	if err == nil {
		_, err = in.Write(log)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Commit(); !errors.Is(err, objects.ErrBusy) {
		t.Errorf("Commit = %v", err)
	}
	left, err := objects.Open(root).Abandoned()
	if err != nil || len(left) != 1 || left[0].Size != int64(len(log)) {
		t.Errorf("left: %+v, %v", left, err)
	}
}
