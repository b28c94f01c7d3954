// Package file stores bodies in a directory, which may be shared over a network: a body is written under a temporary
// name and renamed, without locks.
package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/durable"
	"cairn/remote"
)

type directory struct{ root string }

// Open opens file:///DIRECTORY.
func Open(u *url.URL) (remote.Backend, error) {
	root := filepath.FromSlash(u.Path)
	if u.Host != "" || !filepath.IsAbs(root) {
		return nil, fmt.Errorf("%s: give file:// and an absolute path, as in file:///srv/cairn", u)
	}
	return directory{root}, nil
}

// unfinished begins the temporary name of a body that is being written.
const unfinished = ".put-"

func (d directory) Put(ctx context.Context, key string, body remote.Body, _ int64) (err error) {
	return d.Write(ctx, key, func(w io.Writer) error {
		_, err := io.Copy(w, body)
		return err
	})
}

// Write is Put of a body that is produced while it is written.
func (d directory) Write(ctx context.Context, key string, write func(io.Writer) error) error {
	name := filepath.Join(d.root, filepath.FromSlash(key))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return durable.Replace(name, unfinished+"*", 0o644, func(f *os.File) error {
		if err := write(writerTo(ctx, f)); err != nil {
			return err
		}
		return f.Sync()
	})
}

// writerTo returns a writer that fails once the context has ended.
func writerTo(ctx context.Context, w io.Writer) io.Writer {
	return writeFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := w.Write(p)
		remote.Moved(ctx, n)
		return n, err
	})
}

type writeFunc func(p []byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func (d directory) Get(_ context.Context, key string, from int64) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(d.root, filepath.FromSlash(key)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, remote.ErrMissing
	}
	if err == nil && from > 0 {
		_, err = f.Seek(from, io.SeekStart)
	}
	return f, err
}

func (d directory) List(ctx context.Context, prefix string) iter.Seq2[remote.Entry, error] {
	return func(yield func(remote.Entry, error) bool) {
		top := filepath.Join(d.root, filepath.FromSlash(prefix))
		err := filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // not pushed to yet, or just collected
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case e.IsDir() || strings.HasPrefix(e.Name(), unfinished):
				return nil
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			rel, relErr := filepath.Rel(d.root, name)
			if err = errors.Join(err, relErr); err != nil {
				return err
			}
			if !yield(remote.Entry{Key: filepath.ToSlash(rel), Size: info.Size(), Time: info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(remote.Entry{}, err)
		}
	}
}

func (d directory) Delete(_ context.Context, key string) error {
	err := os.Remove(filepath.Join(d.root, filepath.FromSlash(key)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
