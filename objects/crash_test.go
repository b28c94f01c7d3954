package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cairn/internal/racing"
	"cairn/objects"
)

// A scenario does something to a store in which setup was done, and says through
// ack what was acknowledged to it.
type scenario struct {
	setup func(t testing.TB, s *objects.Store)
	run   func(s *objects.Store, ack func(b []byte)) error
}

var (
	tiny  = []byte("1 failed\n")
	log   = Text(1, 50_000)
	large = Text(2, 1_300_000)
	noise = Random(3, 1_300_000)
)

func putAll(all ...[]byte) func(*objects.Store, func([]byte)) error {
	return func(s *objects.Store, ack func([]byte)) error {
		for _, b := range all {
			if _, err := s.Put(bytes.NewReader(b)); err != nil {
				return err
			}
			ack(b)
		}
		return nil
	}
}

func receiveAll(all ...[]byte) func(*objects.Store, func([]byte)) error {
	return func(s *objects.Store, ack func([]byte)) error {
		for i, b := range all {
			in, err := s.Receive(fmt.Sprint("run-", i))
			if err != nil {
				return err
			}
			defer in.Abort()
			for len(b) > int(in.Size()) {
				if _, err := in.Write(b[in.Size():min(len(b), int(in.Size())+700_000)]); err != nil {
					return err
				}
			}
			if _, err := in.Commit(); err != nil {
				return err
			}
			ack(b)
		}
		return nil
	}
}

// have is a setup with these objects, all older than the grace of gcAll.
func have(all ...[]byte) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) {
		for _, b := range all {
			if err := receiveAll(b)(s, func([]byte) {}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// haveDamaged is a setup with a damaged object.
func haveDamaged(b []byte) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) {
		have(b)(t, s)
		damage(t, s.ObjectPath(objects.IDOf(b)))
	}
}

func damage(t testing.TB, path string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)-1] ^= 4
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// haveSpool is a setup with the spool of a dead process.
func haveSpool(b []byte) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) {
		y := newFaulty(t)
		in, err := y.store(s.Root()).Receive("dead")
		if err == nil {
			_, err = in.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
		y.mu.Lock()
		y.die()
		y.mu.Unlock()
		in.Abort()
	}
}

// havePlain is a setup with an object stored plain that compresses: its spool was
// promoted because there was no room for a twin.
func havePlain(b []byte) func(testing.TB, *objects.Store) {
	return func(t testing.TB, s *objects.Store) {
		y := newFaulty(t)
		y.fault = func(op, path string) error {
			if op == "create" && filepath.Ext(path) == ".tmp" {
				return errors.New("no room")
			}
			return nil
		}
		have(b)(t, y.store(s.Root()))
	}
}

func gcAll(live ...[]byte) func(*objects.Store, func([]byte)) error {
	return func(s *objects.Store, ack func([]byte)) error {
		_, err := s.GC(context.Background(), objects.GCOptions{
			Now:   func() time.Time { return time.Now().Add(48 * time.Hour) },
			Grace: time.Hour,
			Live: func() (map[objects.ID]objects.Ref, error) {
				m := map[objects.ID]objects.Ref{}
				for _, b := range live {
					m[objects.IDOf(b)] = objects.Ref{Newest: time.Now()}
				}
				return m, nil
			},
		})
		return err
	}
}

func recoverAll(s *objects.Store, ack func([]byte)) error {
	left, err := s.Abandoned()
	for _, l := range left {
		var info objects.Info
		if info, err = l.Recover(); err != nil {
			return err
		}
		b, err := s.ReadAll(info.ID)
		if err != nil {
			return err
		}
		ack(b)
	}
	return err
}

func nothing(testing.TB, *objects.Store) {}

var scenarios = map[string]scenario{
	"put in an empty store": {nothing, putAll(tiny, log)},
	"put large":             {nothing, putAll(large, noise)},
	"put twice":             {have(log), putAll(log, log, tiny, tiny)},
	"put over damage":       {haveDamaged(log), putAll(log)},
	"receive":               {nothing, receiveAll(tiny, log, nil)},
	"receive large":         {have(tiny), receiveAll(large)},
	"receive noise":         {have(tiny), receiveAll(noise)},
	"receive twice":         {have(tiny, log, large), receiveAll(tiny, log, large)},
	"receive over damage":   {haveDamaged(large), receiveAll(large)},
	"recover":               {haveSpool(large), recoverAll},
	"recover known bytes": {func(t testing.TB, s *objects.Store) { have(log)(t, s); haveSpool(log)(t, s) },
		recoverAll},
	"gc":            {have(tiny, log, large), gcAll(log)},
	"gc recompress": {havePlain(large), gcAll(large)},
}

// TestCrash lets the process die before each step of each scenario, and then
// again the power go at that moment.
func TestCrash(t *testing.T) {
	stride := 8
	switch {
	case thorough:
		stride = 1
	case racing.Enabled:
		stride = 32
	}
	for name, sc := range scenarios {
		for _, power := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/power cut %v", name, power), func(t *testing.T) {
				for step := 0; crashAt(t, sc, step, power); step += stride {
					if t.Failed() || step > 500 {
						t.Fatalf("at step %d", step)
					}
				}
			})
		}
	}
}

// crashAt reports whether the scenario got as far as the step.
func crashAt(t *testing.T, sc scenario, step int, power bool) bool {
	root := filepath.Join(t.TempDir(), "store")
	sc.setup(t, quickly(t, root))
	before := present(t, root)
	y := newFaulty(t)
	defer y.bury()
	y.dieAt = step
	var acked [][]byte
	err := sc.run(y.store(root), func(b []byte) { acked = append(acked, b) })
	if y.dead && err == nil {
		// The last steps of a scenario may fail without harm, as removing a file
		// that gc will find.
		t.Logf("step %d: died, but all was acknowledged", step)
	}
	if !y.dead && err != nil {
		t.Fatalf("step %d: %v", step, err)
	}
	y.mu.Lock()
	died := y.dead
	y.die()
	y.mu.Unlock()
	if power {
		y.cutPower()
	}
	checkAfterCrash(t, root, step, acked, before)
	return died
}

// present are the objects before the crash: true if sound, false if damaged.
func present(t *testing.T, root string) map[objects.ID]bool {
	all := map[objects.ID]bool{}
	for id, err := range objects.Open(root).IDs() {
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.ReadFile(objects.Open(root).ObjectPath(id))
		if errors.Is(err, os.ErrNotExist) { // it lies in a pack file
			_, err := objects.Open(root).ReadAll(id)
			all[id] = err == nil
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := objects.DecodeFile(bytes.NewReader(f), int64(len(f)))
		all[id] = err == nil && objects.IDOf(b) == id
	}
	return all
}

func checkAfterCrash(t *testing.T, root string, step int, acked [][]byte, before map[objects.ID]bool) {
	t.Helper()
	s := quickly(t, root)
	for _, b := range acked {
		got, err := s.ReadAll(objects.IDOf(b))
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("step %d: %d acknowledged bytes: got %d, %v", step, len(b), len(got), err)
		}
	}
	for id, sound := range before {
		if !sound {
			continue
		}
		_, err := s.ReadAll(id)
		var gone *objects.GoneError
		if err != nil && !errors.As(err, &gone) {
			t.Errorf("step %d: object of before: %v", step, err)
		}
	}
	left, err := s.Abandoned()
	if err != nil {
		t.Errorf("step %d: %v", step, err)
	}
	for _, l := range left {
		info, err := l.Recover()
		if err != nil || info.Size != l.Size {
			t.Errorf("step %d: recover %+v: %+v, %v", step, l, info, err)
		}
		b, err := s.ReadAll(info.ID)
		if err != nil || !isPrefix(b) {
			t.Errorf("step %d: recovered %d bytes that were never written, %v", step, len(b), err)
		}
	}
	r, err := s.Fsck(context.Background(), nil)
	if err != nil || len(r.Failed)+len(r.Strays)+len(r.Leftovers) > 0 {
		t.Errorf("step %d: fsck: %+v, %v", step, r, err)
	}
	if len(r.Packs) > 0 && !slices.Contains(slices.Collect(maps.Values(before)), false) {
		t.Errorf("step %d: a pack file is not whole: %+v", step, r.Packs)
	}
	for _, c := range r.Corrupt {
		if sound, known := before[c.ID]; sound || !known {
			t.Errorf("step %d: an object is not whole: %+v", step, c)
		}
	}
	if err := gcAll()(s, nil); err != nil {
		t.Errorf("step %d: gc: %v", step, err)
	}
	if entries, err := os.ReadDir(filepath.Join(root, "incoming")); len(entries) > 0 || err != nil && !os.IsNotExist(err) {
		t.Errorf("step %d: left in incoming after gc: %v, %v", step, entries, err)
	}
}

// isPrefix reports whether b is the beginning of something the scenarios write.
// After a power cut a spool may end early, but never differ.
func isPrefix(b []byte) bool {
	for _, all := range [][]byte{tiny, log, large, noise} {
		if bytes.HasPrefix(all, b) {
			return true
		}
	}
	return false
}

// checkSound fails unless the store holds n objects and nothing is amiss.
func checkSound(t testing.TB, s *objects.Store, n int) {
	t.Helper()
	r, err := s.Fsck(context.Background(), nil)
	if err != nil || !r.OK() || r.Checked != n || len(r.Temps)+len(r.Strays)+len(r.Leftovers) > 0 {
		t.Errorf("fsck: want %d sound objects: %+v, %v", n, r, err)
	}
}
