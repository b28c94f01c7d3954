package manifest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// ShardFile is a shard as it lies in this clone: for those who keep something
// derived of it, and have to know when that is stale.
type ShardFile struct {
	Path    string // below the cairn directory, with slashes
	Size    int64
	ModTime int64 // nanoseconds
	Own     bool  // of this clone, not shared by another
}

// Shards lists every shard that Records reads, by path.
func (m *Manifest) Shards(ctx context.Context) ([]ShardFile, error) {
	s, err := m.newScan(ctx, Query{})
	if err != nil {
		return nil, err
	}
	found := make([][]ShardFile, len(s.days))
	errs := make([]error, len(s.days))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(s.days) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				found[i], errs[i] = s.stat(s.days[i])
			}
		})
	}
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, fmt.Errorf("listing the shards of the manifest: %w", err)
	}
	all := slices.Concat(found...)
	slices.SortFunc(all, func(a, b ShardFile) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// stat is list with what the file system says of each shard.
func (s *scan) stat(d day) ([]ShardFile, error) {
	listed, err := s.list(d)
	if err != nil {
		return nil, err
	}
	all := make([]ShardFile, 0, len(listed.shards))
	for _, sh := range listed.shards {
		info, err := os.Lstat(sh.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a folder of shared shards was replaced meanwhile
		}
		if err != nil {
			return nil, err
		}
		all = append(all, ShardFile{Path: s.m.display(sh.path), Size: info.Size(), ModTime: info.ModTime().UnixNano(), Own: sh.own})
	}
	return all, nil
}

// ReadShard gives the lines of a shard that are records, each with the place of
// its first byte, and passes over what is none, without a warning.
func (m *Manifest) ReadShard(f ShardFile) (iter.Seq2[int, *Record], error) {
	content, err := os.ReadFile(m.path(f.Path))
	if err != nil {
		return nil, fmt.Errorf("reading a shard: %w", err)
	}
	return func(yield func(int, *Record) bool) {
		for at := 0; at < len(content); {
			line, _, _ := bytes.Cut(content[at:], []byte{'\n'})
			if rec, err := Decode(line); err == nil {
				rec.elsewhere = !f.Own
				if !yield(at, rec) {
					return
				}
			}
			at += len(line) + 1
		}
	}, nil
}

// ReadAt gives the record of size bytes that begins at a place of a shard.
func (m *Manifest) ReadAt(f ShardFile, at int64, size int) (*Record, error) {
	file, err := os.Open(m.path(f.Path))
	if err != nil {
		return nil, fmt.Errorf("reading a record: %w", err)
	}
	defer file.Close()
	line := make([]byte, size)
	if _, err := file.ReadAt(line, at); err != nil {
		return nil, fmt.Errorf("reading a record of %s: %w", filepath.Base(f.Path), err)
	}
	rec, err := Decode(line)
	if err != nil {
		return nil, err
	}
	rec.elsewhere = !f.Own
	return rec, nil
}

// Prefer is the one of two records that claim one id which every reader shows.
func Prefer(a, b *Record) *Record { return prefer(a, b) }
