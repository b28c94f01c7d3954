package objects_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"os"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"cairn/objects"
)

func sample(n int, random bool) []byte {
	r := rand.New(rand.NewSource(int64(n)))
	b := make([]byte, n)
	r.Read(b)
	if !random {
		for i := range b {
			b[i] = "abcdefg\n"[b[i]%8]
		}
	}
	return b
}

func counted(n *int) func(int) { return func(more int) { *n += more } }

// TestStream sends objects of every kind from one store to another, and by what else makes zstd streams.
func TestStream(t *testing.T) {
	from, to := quickly(t, t.TempDir()), quickly(t, t.TempDir())
	for _, random := range []bool{false, true} {
		for _, n := range []int{1, 5000, objects.BlockSize + 9} {
			b := sample(n, random)
			info, err := from.PutBytes(b)
			if err != nil {
				t.Fatal(err)
			}
			var stream bytes.Buffer
			if err := from.WriteStream(&stream, info.ID); err != nil {
				t.Fatal(err)
			}
			plain, err := decode(stream.Bytes())
			if err != nil || !bytes.Equal(plain, b) {
				t.Fatalf("%d bytes: a stock decoder: %v", n, err)
			}
			var other bytes.Buffer
			z, _ := zstd.NewWriter(&other, zstd.WithWindowSize(64<<10), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
			z.Write(b[:n/2])
			z.Flush()
			z.Write(b[n/2:])
			z.Close()
			halves := append(frame(b[:n/2]), frame(b[n/2:])...)
			for name, s := range map[string][]byte{"own": stream.Bytes(), "one frame": other.Bytes(), "short frames": halves} {
				moved := 0
				got, err := to.PutStream(iotest.HalfReader(bytes.NewReader(s)), info.ID, int64(n), counted(&moved))
				if err != nil || got.ID != info.ID || got.Size != int64(n) || got.Lines != info.Lines || moved != n {
					t.Fatalf("%d bytes, random %v, %s: %+v, %d moved, %v", n, random, name, got, moved, err)
				}
				if name == "own" && got.Codec != info.Codec {
					t.Errorf("%d bytes, random %v: %s became %s", n, random, info.Codec, got.Codec)
				}
				if back, err := to.ReadAll(info.ID); err != nil || !bytes.Equal(back, b) {
					t.Fatalf("%d bytes, %s: %v", n, name, err)
				}
				if err := os.Remove(to.ObjectPath(info.ID)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func frame(b []byte) []byte {
	return framer().EncodeAll(b, nil)
}

var framer = sync.OnceValue(func() *zstd.Encoder {
	e, _ := zstd.NewWriter(nil, zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	return e
})

func decode(b []byte) ([]byte, error) {
	z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}

// TestStreamRefused has streams that are not the object's: nothing is kept.
func TestStreamRefused(t *testing.T) {
	s := quickly(t, t.TempDir())
	b := sample(2*objects.BlockSize+100, false)
	id := objects.IDOf(b)
	var good []byte
	for rest := b; len(rest) > 0; rest = rest[min(len(rest), objects.BlockSize):] {
		good = append(good, frame(rest[:min(len(rest), objects.BlockSize)])...)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	bomb := frame(make([]byte, 32<<20))
	for name, of := range map[string]struct {
		stream io.Reader
		other  bool
	}{
		"another byte":  {bytes.NewReader(flipped), true},
		"more":          {bytes.NewReader(append(bytes.Clone(good), frame([]byte("x"))...)), true},
		"more of other": {bytes.NewReader(append(bytes.Clone(good), bomb...)), false},
		"a bomb":        {bytes.NewReader(bomb), false},
		"cut off":       {bytes.NewReader(good[:len(good)-10]), false},
		"cut at frame":  {bytes.NewReader(good[:len(good)-len(frame(b[2*objects.BlockSize:]))]), true},
		"no zstd":       {bytes.NewReader(b), false},
		"nothing":       {bytes.NewReader(nil), true},
		"broken reader": {io.MultiReader(bytes.NewReader(good[:len(good)/2]), iotest.ErrReader(errors.New("cable"))), false},
	} {
		moved := 0
		_, err := s.PutStream(of.stream, id, int64(len(b)), counted(&moved))
		if err == nil || of.other && !errors.Is(err, objects.ErrOther) {
			t.Errorf("%s: %v", name, err)
		}
		if s.Has(id) {
			t.Fatalf("%s: something was kept", name)
		}
	}
}

// TestStreamDamaged: what is damaged in the store is not sent as if it were whole.
func TestStreamDamaged(t *testing.T) {
	s := quickly(t, t.TempDir())
	info, err := s.PutBytes(sample(300<<10, false))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(s.ObjectPath(info.ID))
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)-5] ^= 4
	if err := os.WriteFile(s.ObjectPath(info.ID), file, 0o600); err != nil {
		t.Fatal(err)
	}
	var bad *objects.CorruptError
	if err := s.WriteStream(io.Discard, info.ID); !errors.As(err, &bad) || bad.MovedTo == "" {
		t.Errorf("%v", err)
	}
}

// TestTogether puts small objects in one pack file: they are there after Commit, and not before.
func TestTogether(t *testing.T) {
	s := quickly(t, t.TempDir())
	w, err := s.Together()
	if err != nil {
		t.Fatal(err)
	}
	all := map[objects.ID][]byte{}
	for n := 1; n < 60_000; n += 3000 {
		b := sample(n, false)
		all[objects.IDOf(b)] = b
		if err := w.Put(objects.IDOf(b), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Put(objects.IDOf([]byte("a")), []byte("b")); !errors.Is(err, objects.ErrOther) {
		t.Errorf("other bytes: %v", err)
	}
	for id := range all {
		if s.Has(id) {
			t.Fatal("it is there before it is durable")
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	for id, b := range all {
		if back, err := s.ReadAll(id); err != nil || !bytes.Equal(back, b) {
			t.Fatal(err)
		}
	}
	if r, err := s.Fsck(t.Context(), nil); err != nil || !r.OK() {
		t.Fatalf("%+v, %v", r, err)
	}
	none, err := s.Together()
	if err != nil || none.Commit() != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.Root() + "/incoming"); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}
