package manifest

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/durable"
)

// shardFile is what an append does to an open shard. Tests put one between
// that fails.
type shardFile interface {
	io.Writer
	Size() (int64, error)
	ReadAt(p []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

type osShard struct{ f *os.File }

// openShard opens an existing shard, or with create a new one, to append.
func openShard(path string, create bool) (shardFile, error) {
	flag := os.O_RDWR | os.O_APPEND
	if create {
		flag |= os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(path, flag, durable.FileMode)
	if err != nil {
		return nil, err
	}
	return osShard{f}, nil
}

func (s osShard) Size() (int64, error) {
	fi, err := s.f.Stat()
	if err != nil {
		return 0, err
	}
	return fi.Size(), nil
}

func (s osShard) Write(p []byte) (int, error)             { return s.f.Write(p) }
func (s osShard) ReadAt(p []byte, off int64) (int, error) { return s.f.ReadAt(p, off) }
func (s osShard) Truncate(size int64) error               { return s.f.Truncate(size) }
func (s osShard) Sync() error                             { return durable.SyncData(s.f) }
func (s osShard) Close() error                            { return s.f.Close() }

// replace writes data to path through a temporary file beside it: readers
// see the old content or the new. With lasting, so do they after a power cut;
// without, they may then find an empty file, and it costs no sync.
func replace(path string, data []byte, lasting bool) error {
	f, err := createTemp(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		if err = durable.MkdirAll(filepath.Dir(path)); err == nil {
			f, err = createTemp(filepath.Dir(path))
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && lasting {
		err = durable.SyncData(f)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	if !lasting {
		return nil
	}
	return durable.SyncDir(filepath.Dir(path))
}

// createTemp makes a file beside the one that it is to replace.
func createTemp(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, ".tmp-"+newWriter()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, durable.FileMode)
}
