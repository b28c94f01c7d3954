package objects_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"cairn/objects"
)

// Open opens a store in a directory.
type Open func(t testing.TB, root string) *objects.Store

// Run is the conformance suite: a store on any file system must pass it. It checks everything that package objects promises of a store on a working disk.
func Run(t *testing.T, open Open) {
	tests := map[string]func(*testing.T, Open){
		"round trip":      testRoundTrip,
		"dedupe":          testDedupe,
		"random access":   testRandomAccess,
		"many writes":     testManyWrites,
		"read beside":     testReadBeside,
		"end of incoming": testEndOfIncoming,
		"open is lazy":    testLazy,
		"modes":           testModes,
		"absent":          testAbsent,
		"resolve":         testResolve,
		"damage":          testDamage,
		"damage is cured": testCure,
		"list":            testList,
		"fsck":            testFsck,
		"gc":              testGC,
		"gc recompresses": testRecompress,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// Text returns n bytes like a build log: they compress, and depend only on the seed.
func Text(seed uint64, n int) []byte {
	texts.Lock()
	defer texts.Unlock()
	if len(texts.of[seed]) < n {
		if texts.of == nil || len(texts.of) > 64 {
			texts.of = map[uint64][]byte{}
		}
		texts.of[seed] = newText(seed, n)
	}
	return bytes.Clone(texts.of[seed][:n])
}

// texts caches the longest text of each seed, since making them took a third of the tests' time under the race
// detector.
var texts struct {
	sync.Mutex
	of map[uint64][]byte
}

func newText(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+128)
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "[%6d] compiling package example/%08x/internal (%d ms): ok\n", i, r.Uint32(), r.IntN(1000))
	}
	return b[:n]
}

// Random returns n bytes that do not compress, the same for the same seed.
func Random(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	_, _ = r.Read(b)
	return b
}

// sizes are around every limit of the format and of the ways to write it.
var sizes = []int{0, 1, 2, 4047, 4048, 4049, 64 << 10, 256<<10 - 1, 256 << 10, 256<<10 + 1,
	objects.BlockSize - 1, objects.BlockSize, objects.BlockSize + 1, 3*objects.BlockSize + 7, 5 * objects.BlockSize}

var kinds = map[string]func(uint64, int) []byte{
	"text":   Text,
	"random": Random,
	"zeros":  func(_ uint64, n int) []byte { return make([]byte, n) },
}

// ways are the ways to put bytes into a store.
var ways = map[string]func(testing.TB, *objects.Store, []byte) objects.Info{
	"put": func(t testing.TB, s *objects.Store, b []byte) objects.Info {
		return must(s.Put(io.MultiReader(bytes.NewReader(b)))) // hides that the bytes are in memory
	},
	"put bytes": func(t testing.TB, s *objects.Store, b []byte) objects.Info {
		return must(s.PutBytes(b))
	},
	"receive": receive,
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func receive(t testing.TB, s *objects.Store, b []byte) objects.Info {
	t.Helper()
	in := must(s.Receive("run-1"))
	for chunk := range chunks(b, 40_000) {
		if n, err := in.Write(chunk); n != len(chunk) || err != nil {
			t.Fatalf("write: %d of %d, %v", n, len(chunk), err)
		}
	}
	return must(in.Commit())
}

func chunks(b []byte, n int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			c := b[:min(n, len(b))]
			if !yield(c) {
				return
			}
			b = b[len(c):]
		}
	}
}

func testRoundTrip(t *testing.T, open Open) {
	for way, put := range ways {
		for kind, data := range kinds {
			for _, n := range sizes {
				t.Run(fmt.Sprintf("%s/%s/%d", way, kind, n), func(t *testing.T) {
					s := open(t, t.TempDir())
					b := data(uint64(n), n)
					info := put(t, s, b)
					checkInfo(t, info, b)
					CheckObject(t, s, info.ID, b)
					checkIncomingEmpty(t, s)
					stat := must(s.Stat(info.ID))
					if stat.Size != info.Size || stat.Lines != info.Lines || stat.Stored != info.Stored || stat.Codec != info.Codec {
						t.Errorf("Stat = %+v, put said %+v", stat, info)
					}
				})
			}
		}
	}
}

func checkInfo(t testing.TB, info objects.Info, b []byte) {
	t.Helper()
	lines := int64(bytes.Count(b, []byte("\n")))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		lines++
	}
	if info.ID != sha256.Sum256(b) || info.Size != int64(len(b)) || info.Lines != lines {
		t.Fatalf("put %d bytes, %d lines: %+v", len(b), lines, info)
	}
}

// CheckObject fails the test unless the store returns exactly b.
func CheckObject(t testing.TB, s *objects.Store, id objects.ID, b []byte) {
	t.Helper()
	o, err := s.OpenObject(id)
	if err != nil {
		t.Fatalf("open %d bytes: %v", len(b), err)
	}
	defer o.Close()
	var got bytes.Buffer
	if _, err := io.Copy(&got, o); err != nil || !bytes.Equal(got.Bytes(), b) {
		t.Fatalf("%d bytes came back as %d, %v", len(b), got.Len(), err)
	}
}

func checkIncomingEmpty(t testing.TB, s *objects.Store) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(s.Root(), "incoming"))
	if err != nil && !os.IsNotExist(err) || len(entries) > 0 {
		t.Fatalf("left in incoming: %v, %v", entries, err)
	}
}

func testDedupe(t *testing.T, open Open) {
	for first, put := range ways {
		for second, again := range ways {
			for _, n := range []int{1, 10, 100_000, 2_000_000} {
				t.Run(fmt.Sprintf("%s then %s/%d", first, second, n), func(t *testing.T) {
					s := open(t, t.TempDir())
					b := Text(7, n)
					info := put(t, s, b)
					path := objectFile(s, info.ID)
					long := time.Now().Add(-48 * time.Hour)
					if err := os.Chtimes(path, long, long); err != nil {
						t.Fatal(err)
					}
					same := again(t, s, b)
					if info.Deduped || !same.Deduped || same.ID != info.ID {
						t.Errorf("first %+v, second %+v", info, same)
					}
					st := must(os.Stat(path))
					if time.Since(st.ModTime()) > time.Hour {
						t.Error("modification time was not refreshed")
					}
					checkIncomingEmpty(t, s)
				})
			}
		}
	}
}

func objectFile(s *objects.Store, id objects.ID) string {
	return filepath.Join(s.Root(), "objects", id.Hex()[:2], id.Hex()[2:])
}

func testRandomAccess(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	for kind, data := range kinds {
		b := data(3, 3*objects.BlockSize+12345)
		info := receive(t, s, b)
		o := must(s.OpenObject(info.ID))
		defer o.Close()
		r := rand.New(rand.NewPCG(1, 2))
		for range 60 {
			off := r.IntN(len(b) + 100)
			p := make([]byte, r.IntN(objects.BlockSize*3/2))
			n, err := o.ReadAt(p, int64(off))
			want := b[min(off, len(b)):min(off+len(p), len(b))]
			if !bytes.Equal(p[:n], want) || (n < len(p)) != (err == io.EOF) {
				t.Fatalf("%s: ReadAt(%d, %d) = %d, %v; want %d bytes", kind, len(p), off, n, err, len(want))
			}
			if _, err := o.Seek(int64(off), io.SeekStart); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(io.LimitReader(o, int64(len(p))))
			if err != nil || !bytes.Equal(rest, want) {
				t.Fatalf("%s: Seek(%d) and read %d: %d bytes, %v", kind, off, len(p), len(rest), err)
			}
		}
		if end, err := o.Seek(-5, io.SeekEnd); err != nil || end != int64(len(b)-5) {
			t.Errorf("Seek from the end: %d, %v", end, err)
		}
		if _, err := o.Seek(-1, io.SeekStart); err == nil {
			t.Error("sought before the start")
		}
	}
}

func testManyWrites(t *testing.T, open Open) {
	b := Text(9, 300_000)
	for _, n := range []int{1 << 20, 65536, 4096, 77, 13} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := open(t, t.TempDir())
			in := must(s.Receive("r"))
			for c := range chunks(b, n) {
				if _, err := in.Write(c); err != nil {
					t.Fatal(err)
				}
			}
			info := must(in.Commit())
			checkInfo(t, info, b)
			CheckObject(t, s, info.ID, b)
		})
	}
}

func testReadBeside(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	b := Text(4, 3_000_000)
	in := must(s.Receive("r"))
	if n, err := in.ReadAt(make([]byte, 1), 0); n != 0 || err != io.EOF {
		t.Errorf("ReadAt before the first byte: %d, %v", n, err)
	}
	seen := make(chan error)
	go func() {
		p, got := make([]byte, 10_000), 0
		for got < len(b) {
			n, err := in.ReadAt(p, int64(got))
			if !bytes.Equal(p[:n], b[got:got+n]) || err != nil && err != io.EOF {
				seen <- fmt.Errorf("at %d: %d bytes, %v", got, n, err)
				return
			}
			got += n
		}
		seen <- nil
	}()
	for c := range chunks(b, 30_000) {
		if _, err := in.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-seen; err != nil {
		t.Error(err)
	}
	if in.Size() != int64(len(b)) {
		t.Errorf("Size = %d", in.Size())
	}
	checkInfo(t, must(in.Commit()), b)
}

func testEndOfIncoming(t *testing.T, open Open) {
	s := open(t, t.TempDir())
	for _, n := range []int{0, 10, 1_000_000} {
		in := must(s.Receive("r"))
		if _, err := in.Write(Text(1, n)); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			if left, err := s.Abandoned(); len(left) > 0 || err != nil {
				t.Errorf("a living spool is listed as abandoned: %v, %v", left, err)
			}
			twin := must(s.Receive("r"))
			if _, err := twin.Write([]byte("x")); !errors.Is(err, fs.ErrExist) {
				t.Errorf("a second spool of one name: %v", err)
			}
		}
		if err := in.Abort(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte("x")); !errors.Is(err, objects.ErrDone) {
			t.Errorf("write after Abort: %v", err)
		}
		if _, err := in.Commit(); !errors.Is(err, objects.ErrDone) {
			t.Errorf("commit after Abort: %v", err)
		}
	}
	checkIncomingEmpty(t, s)
	for id := range s.IDs() {
		t.Errorf("aborted bytes became object %s", id)
	}
	for _, name := range []string{"", ".x", "a/b", "a.tmp", "a b", "é"} {
		if _, err := s.Receive(name); err == nil {
			t.Errorf("spool name %q was accepted", name)
		}
	}
}

func testLazy(t *testing.T, open Open) {
	root := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, root)
	must(s.Receive("r"))
	if _, err := s.Stat(objects.IDOf([]byte("no"))); !errors.Is(err, objects.ErrNotFound) {
		t.Errorf("Stat in an empty store: %v", err)
	}
	nothing := must(s.PutBytes(nil))
	CheckObject(t, s, nothing.ID, nil)
	if id, err := s.Resolve(nothing.ID.Hex()[:12]); id != nothing.ID || err != nil {
		t.Errorf("the object without bytes: %v, %v", id, err)
	}
	must(s.Fsck(context.Background(), nil))
	must(s.GC(context.Background(), objects.GCOptions{Live: nothingLive}))
	if _, err := os.Stat(filepath.Dir(root)); err == nil {
		t.Error("reading made directories")
	}
	info := must(s.PutBytes([]byte("x")))
	CheckObject(t, s, info.ID, []byte("x"))
}

func testModes(t *testing.T, open Open) {
	s := open(t, filepath.Join(t.TempDir(), "store"))
	receive(t, s, Text(1, 10))
	receive(t, s, Text(1, 1_000_000))
	err := filepath.WalkDir(s.Root(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err == nil && st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, st.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
