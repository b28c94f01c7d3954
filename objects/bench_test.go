package objects_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"cairn/objects"
)

// unique changes b so that it is stored again and again.
func unique(b []byte, i int) []byte {
	copy(b, fmt.Sprintf("%016d", i))
	return b
}

// BenchmarkPutBytes is to be read against BenchmarkWriteFile, without and with fsync.
func BenchmarkPutBytes(b *testing.B) {
	for _, n := range []int{1 << 10, 100 << 10} {
		b.Run(fmt.Sprint(n>>10, "KB"), func(b *testing.B) {
			s, data := objects.Open(b.TempDir()), Text(1, n)
			b.SetBytes(int64(n))
			for i := 0; b.Loop(); i++ {
				if _, err := s.PutBytes(unique(data, i)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriteFile(b *testing.B) {
	for _, n := range []int{1 << 10, 100 << 10, 1 << 20} {
		for _, sync := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dKB/fsync=%v", n>>10, sync), func(b *testing.B) {
				dir, data := b.TempDir(), Text(1, n)
				b.SetBytes(int64(n))
				for i := 0; b.Loop(); i++ {
					f, err := os.Create(filepath.Join(dir, fmt.Sprint(i)))
					if err != nil {
						b.Fatal(err)
					}
					f.Write(unique(data, i))
					if sync {
						f.Sync()
					}
					f.Close()
				}
			})
		}
	}
}

// BenchmarkReceive takes in output in pieces of 64 KiB, as from a pipe whose
// writer is as fast as memory.
func BenchmarkReceive(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 20, 100 << 20} {
		b.Run(size(n), func(b *testing.B) {
			s, data := objects.Open(b.TempDir()), Text(1, n)
			b.SetBytes(int64(n))
			for i := 0; b.Loop(); i++ {
				in, err := s.Receive("run")
				if err != nil {
					b.Fatal(err)
				}
				copyChunks(in, unique(data, i))
				info, err := in.Commit()
				if err != nil {
					b.Fatal(err)
				}
				os.Remove(s.ObjectPath(info.ID))
			}
		})
	}
}

// BenchmarkTee is what Receive is measured against: a copy by the same pieces.
func BenchmarkTee(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 20, 100 << 20} {
		for _, hash := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/hash=%v", size(n), hash), func(b *testing.B) {
				name, data := filepath.Join(b.TempDir(), "log"), Text(1, n)
				b.SetBytes(int64(n))
				for i := 0; b.Loop(); i++ {
					f, err := os.Create(name)
					if err != nil {
						b.Fatal(err)
					}
					w := io.Writer(f)
					if hash {
						w = io.MultiWriter(f, sha256.New())
					}
					copyChunks(w, unique(data, i))
					f.Close()
				}
			})
		}
	}
}

// BenchmarkReceiveMemory reports the most heap in use while 200 MB come in.
func BenchmarkReceiveMemory(b *testing.B) {
	s, piece := objects.Open(b.TempDir()), Text(1, 1<<20)
	for b.Loop() {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		base, most := m.HeapInuse, uint64(0)
		in, err := s.Receive("run")
		if err != nil {
			b.Fatal(err)
		}
		for i := range 200 {
			copyChunks(in, unique(piece, i))
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
		info, err := in.Commit()
		if err != nil {
			b.Fatal(err)
		}
		os.Remove(s.ObjectPath(info.ID))
		b.ReportMetric(float64(most-min(most, base))/(1<<20), "MB-heap")
	}
}

func BenchmarkOpenObject(b *testing.B) {
	for _, n := range []int{1 << 10, 100 << 10, 10 << 20} {
		b.Run(size(n), func(b *testing.B) {
			s := objects.Open(b.TempDir())
			info, err := s.PutBytes(Text(1, n))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(n))
			for b.Loop() {
				o, err := s.OpenObject(info.ID)
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, o)
				o.Close()
			}
		})
	}
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprint(n>>20, "MB")
	}
	return fmt.Sprint(n>>10, "KB")
}

func copyChunks(w io.Writer, b []byte) {
	const piece = 64 << 10
	for len(b) > 0 {
		n, err := w.Write(b[:min(piece, len(b))])
		if err != nil {
			panic(err)
		}
		b = b[n:]
	}
}

// BenchmarkReadPacked reads objects that have files of their own and objects that lie in a
// pack file of ten thousand, in a process that does so the first time, and again.
func BenchmarkReadPacked(b *testing.B) {
	s := objects.OpenOn(b.TempDir(), noWait{objects.OSFS}, time.Minute)
	var ids []objects.ID
	for i := range 10_000 {
		info, err := s.PutBytes(fmt.Appendf(Text(uint64(i%40), 3000), "run %d\n", i))
		if err != nil {
			b.Fatal(err)
		}
		ids = append(ids, info.ID)
	}
	read := func(b *testing.B, fresh bool) {
		r := s
		for i := 0; b.Loop(); i++ {
			if fresh {
				r = objects.Open(s.Root())
			}
			if _, err := r.ReadAll(ids[i*7919%len(ids)]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("file, first", func(b *testing.B) { read(b, true) })
	b.Run("file, again", func(b *testing.B) { read(b, false) })
	if r, err := s.Pack(b.Context(), objects.PackOptions{Series: [][]objects.ID{ids}}); err != nil || r.InFiles != len(ids) {
		b.Fatalf("%+v, %v", r, err)
	}
	b.Run("pack file, first", func(b *testing.B) { read(b, true) })
	b.Run("pack file, again", func(b *testing.B) { read(b, false) })
}

// noWait does not wait for the disk.
type noWait struct{ objects.FileSystem }

type noWaitFile struct{ objects.File }

func (noWaitFile) Sync() error { return nil }

func (y noWait) OpenFile(name string, flag int, perm fs.FileMode) (objects.File, error) {
	f, err := y.FileSystem.OpenFile(name, flag, perm)
	return noWaitFile{f}, err
}

func (noWait) SyncDir(string) error { return nil }
