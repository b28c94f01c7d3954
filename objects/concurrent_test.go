package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"cairn/objects"
)

// TestEqualPuts puts the same bytes from many goroutines: exactly one file is made.
func TestEqualPuts(t *testing.T) {
	for _, b := range [][]byte{tiny, log, large} { // no bytes are no file
		t.Run(fmt.Sprint(len(b)), func(t *testing.T) {
			s := objects.Open(t.TempDir())
			var wg sync.WaitGroup
			var fresh atomic.Int32
			for i := range 16 {
				wg.Go(func() {
					in, err := s.Receive(fmt.Sprint("run-", i))
					if err == nil {
						_, err = in.Write(b)
					}
					if err != nil {
						t.Error(err)
						return
					}
					info, err := in.Commit()
					if err != nil || info.ID != objects.IDOf(b) {
						t.Errorf("%+v, %v", info, err)
					}
					if !info.Deduped {
						fresh.Add(1)
					}
				})
			}
			wg.Wait()
			if fresh.Load() != 1 {
				t.Errorf("%d puts say that they stored the bytes", fresh.Load())
			}
			checkSound(t, s, 1)
		})
	}
}

// TestGCRacesPuts: bytes put again while gc runs are there afterwards, though the
// copy that was there had been due to go.
func TestGCRacesPuts(t *testing.T) {
	rounds := 10
	if thorough {
		rounds = 40
	}
	s := objects.Open(t.TempDir())
	stop := make(chan struct{})
	var wg, gc sync.WaitGroup
	deleted := 0
	gc.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			r, err := s.GC(context.Background(), objects.GCOptions{Grace: time.Hour,
				Live: func() (map[objects.ID]objects.Ref, error) { return nil, nil }})
			if err != nil && !errors.Is(err, objects.ErrBusy) {
				t.Error(err)
				return
			}
			deleted += len(r.Deleted)
			time.Sleep(time.Millisecond) // a writer takes the lock in between
		}
	})
	for i := range 4 {
		wg.Go(func() {
			b := Text(uint64(i), 1+i*3000)
			for range rounds {
				info, err := s.PutBytes(b)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := s.ReadAll(info.ID); err != nil || !bytes.Equal(got, b) {
					t.Errorf("acknowledged, then %v", err)
					return
				}
				old := time.Now().Add(-48 * time.Hour)
				if err := os.Chtimes(s.ObjectPath(info.ID), old, old); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	gc.Wait()
	if deleted == 0 {
		t.Error("gc never deleted anything: nothing was tested")
	}
}

// TestModel runs random operations against a map.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "objects-model-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		m := &model{t: t, s: objects.Open(root), state: map[int]string{}}
		t.Repeat(map[string]func(*rapid.T){
			"put":     m.put,
			"receive": m.receive,
			"damage":  m.damage,
			"gc":      m.gc,
			"open":    m.open,
		})
		for i := range m.state {
			m.check(i)
		}
	})
}

// model knows what became of each of a few objects: "here", "damaged" (not found
// out yet), "aside" or "gone".
type model struct {
	t     *rapid.T
	s     *objects.Store
	state map[int]string
	runs  int
}

func (m *model) bytes(i int) []byte { return Text(uint64(i), 1+i*i*5000) }

func (m *model) pick(t *rapid.T) int { return rapid.IntRange(0, 8).Draw(t, "object") }

func (m *model) put(t *rapid.T) {
	i := m.pick(t)
	info, err := m.s.PutBytes(m.bytes(i))
	m.stored(i, info, err)
}

func (m *model) receive(t *rapid.T) {
	i := m.pick(t)
	m.runs++
	in, err := m.s.Receive(fmt.Sprint("run-", m.runs))
	if err == nil {
		_, err = in.Write(m.bytes(i))
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := in.Commit()
	m.stored(i, info, err)
}

func (m *model) stored(i int, info objects.Info, err error) {
	if err != nil || info.ID != objects.IDOf(m.bytes(i)) || info.Deduped != (m.state[i] == "here") {
		m.t.Fatalf("put object %d, which was %q: %+v, %v", i, m.state[i], info, err)
	}
	m.state[i] = "here"
}

func (m *model) damage(t *rapid.T) {
	i := m.pick(t)
	if m.state[i] != "here" {
		t.Skip("nothing to damage")
	}
	path := m.s.ObjectPath(objects.IDOf(m.bytes(i)))
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[rapid.IntRange(0, len(file)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	m.state[i] = "damaged"
}

func (m *model) gc(t *rapid.T) {
	keep := rapid.SliceOfNDistinct(rapid.IntRange(0, 8), 0, 9, rapid.ID[int]).Draw(t, "live")
	live := map[objects.ID]objects.Ref{}
	for _, i := range keep {
		live[objects.IDOf(m.bytes(i))] = objects.Ref{Newest: time.Now()}
	}
	r, err := m.s.GC(context.Background(), objects.GCOptions{
		Live:  func() (map[objects.ID]objects.Ref, error) { return live, nil },
		Grace: -time.Hour, // even what was put this instant may go
	})
	if err != nil {
		t.Fatal(err)
	}
	deleted := map[objects.ID]bool{}
	for _, d := range r.Deleted {
		deleted[d.ID] = true
	}
	for i, state := range m.state {
		id := objects.IDOf(m.bytes(i))
		_, named := live[id]
		if want := !named && (state == "here" || state == "damaged"); deleted[id] != want {
			t.Fatalf("object %d was %q, named %v, deleted %v", i, state, named, deleted[id])
		}
		if deleted[id] {
			m.state[i] = "gone"
		}
	}
}

func (m *model) open(t *rapid.T) { m.check(m.pick(t)) }

func (m *model) check(i int) {
	b := m.bytes(i)
	id := objects.IDOf(b)
	got, err := m.s.ReadAll(id)
	var corrupt *objects.CorruptError
	var gone *objects.GoneError
	ok := false
	switch m.state[i] {
	case "here":
		ok = err == nil && bytes.Equal(got, b)
	case "damaged":
		ok = errors.As(err, &corrupt)
		m.state[i] = "aside"
	case "aside":
		ok = errors.As(err, &corrupt)
	case "gone":
		ok = errors.As(err, &gone)
	default:
		ok = errors.Is(err, objects.ErrNotFound)
	}
	if !ok {
		m.t.Fatalf("object %d is %q: %d bytes, %v", i, m.state[i], len(got), err)
	}
}
