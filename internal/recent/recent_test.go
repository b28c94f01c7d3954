package recent

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// someBytes are n bytes of which no two blocks are alike.
func someBytes(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(b)
	return b
}

// TestViews: a follower sees the bytes that were put in, at their places, however
// they came and however slowly it reads; a view does not change while it is held; and
// what it cannot see is what came too long ago.
func TestViews(t *testing.T) {
	text := someBytes(7*BlockSize + 12345)
	put := func(t *testing.T, most, readers int, own bool) {
		w := New()
		var kept atomic.Int64 // stands for the file
		var done sync.WaitGroup
		for range readers {
			done.Go(func() { follow(t, w, text, &kept) })
		}
		r := rand.New(rand.NewPCG(uint64(most), uint64(readers)))
		for rest := text; len(rest) > 0; {
			p := rest[:min(len(rest), 1+r.IntN(most))]
			if !own {
				room := w.Room()
				p = room[:copy(room, p)]
			}
			w.Put(p)
			rest = rest[len(p):]
			kept.Store(int64(len(text) - len(rest)))
			w.Pace()
		}
		done.Wait()
	}
	for _, most := range []int{100_000, BlockSize / 2, 3 * BlockSize} {
		for readers := range 4 {
			t.Run(fmt.Sprintf("at most %d bytes, %d followers", most, readers), func(t *testing.T) { put(t, most, readers, false) })
		}
	}
	t.Run("from a buffer of the writer's own", func(t *testing.T) { put(t, 100_000, 2, true) })
}

// follow reads all of text, from the window where it can and from what was kept where
// it cannot.
func follow(t *testing.T, w *Window, text []byte, kept *atomic.Int64) {
	f := w.Follow()
	defer f.Close()
	for at := int64(0); at < int64(len(text)); {
		have := kept.Load()
		if at >= have {
			runtime.Gosched()
			continue
		}
		view := f.View(at)
		want := text[at:min(at+int64(len(view)), int64(len(text)))]
		for range 2 { // the second time others have gone on
			if !bytes.Equal(view, want) {
				t.Errorf("the view of %d bytes at %d shows something else", len(view), at)
				return
			}
		}
		at += int64(max(len(view), min(1000, int(have-at))))
	}
}

// TestHeld: a view outlives its block, and no more blocks are made than there are views
// that do so.
func TestHeld(t *testing.T) {
	text := someBytes(8 * BlockSize)
	w := New()
	w.Put(text[:BlockSize])
	f := w.Follow()
	defer f.Close()
	view := f.View(10)
	blocks := map[*block]bool{}
	for at := BlockSize; at < len(text); at += BlockSize {
		w.Put(text[at:][:BlockSize])
		for _, b := range w.blocks {
			if b != nil {
				blocks[b] = true
			}
		}
	}
	if !bytes.Equal(view, text[10:BlockSize]) {
		t.Error("a view has changed")
	}
	if len(blocks) != Blocks+1 {
		t.Errorf("%d blocks were made, want %d and one for the view", len(blocks), Blocks)
	}
	for at := int64(0); at < w.size; at += BlockSize / 2 {
		if there := at >= w.size-Blocks*BlockSize; there != (f.View(at) != nil) {
			t.Errorf("at %d of %d something is seen: %v", at, w.size, !there)
		}
	}
	if w.spare == nil {
		t.Error("the block of the old view was not given back")
	}
}

// TestPace: a follower that stands still is not waited for for ever, one that goes on
// ends the wait, and no one is waited for who was closed.
func TestPace(t *testing.T) {
	w := New()
	slow := w.Follow()
	for range 2 * Blocks {
		w.Put(make([]byte, BlockSize))
		w.Pace()
	}
	slow.View(w.size - 1)
	if !slices.Contains(w.followers, slow) || w.slowest() != w.size-1 {
		t.Errorf("the slowest is at %d of %d", w.slowest(), w.size)
	}
	slow.Close()
	if len(w.followers) > 0 || w.slowest() != w.size {
		t.Error("one that was closed is still waited for")
	}
	w.followers = append(w.followers, slow)
	w.need = w.size
	slow.View(w.size)
	if len(w.reached) != 1 {
		t.Error("one that has come far enough wakes nobody")
	}
}
