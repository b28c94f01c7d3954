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
	"time"
)

// ShardFile is a shard in this clone, for callers that derive something from shards and
// must know when it is out of date.
type ShardFile struct {
	Path    string // below the cairn directory, with slashes
	Size    int64
	ModTime int64 // nanoseconds
	Own     bool  // written by this clone, not shared by another
}

// ShardDay is the shards of one day in one folder.
type ShardDay struct {
	Dir     string // below the cairn directory, with slashes
	ModTime int64  // of the folder: it changes when a shard is added, removed or replaced
	Trusted bool   // ModTime is old enough that any later change would alter it
	Known   bool   // unchanged since the caller knew it; Shards is empty
	Shards  []ShardFile
}

// KnownDays is what a caller already knows about days. Its methods are called by several goroutines.
type KnownDays interface {
	// ModTime is the modification time of a day's folder when all its shards were known
	// and the time could be trusted; false if that was never so.
	ModTime(dir string) (int64, bool)
	// Last is the known shard of a writer with the highest number in a known folder.
	Last(dir, writer string) (ShardFile, bool)
}

// trustedAfter is how old the time of a folder has to be to be trusted: older than the
// coarsest clock of any file system.
const trustedAfter = 3 * time.Second

// ShardDays lists every shard that Records reads, by day and path. A day in known
// (which may be nil) whose folder has not changed is not listed again: only the last
// shard of this clone can have grown, since writers append to nothing else, and every
// other change replaces the file.
func (m *Manifest) ShardDays(ctx context.Context, known KnownDays) ([]ShardDay, error) {
	s, err := m.newScan(ctx, Query{})
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile(m.path(writerFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing the shards of the manifest: %w", err)
	}
	writer := strings.TrimSpace(string(own))
	folders := make([]shardRoot, len(s.roots))
	for k, root := range s.roots {
		folders[k] = shardRoot{root + string(filepath.Separator), m.display(root) + "/", k < s.own}
	}
	found := make([][]ShardDay, len(s.days))
	errs := make([]error, len(s.days))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(s.days) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				for _, root := range folders {
					day, err := m.shardDay(root, s.days[i], known, writer)
					if err != nil {
						errs[i] = errors.Join(errs[i], err)
					} else if day.Known || len(day.Shards) > 0 {
						found[i] = append(found[i], day)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, fmt.Errorf("listing the shards of the manifest: %w", err)
	}
	return slices.Concat(found...), nil
}

// shardRoot is a folder of days: its path, and its name in the manifest. Both end where
// the day begins.
type shardRoot struct {
	path, name string
	own        bool
}

// shardDay lists the folder of a day, or returns it as known.
func (m *Manifest) shardDay(root shardRoot, d day, known KnownDays, writer string) (ShardDay, error) {
	dir := root.path + filepath.FromSlash(string(d))
	now := time.Now()
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return ShardDay{}, nil
	}
	if err != nil {
		return ShardDay{}, err
	}
	out := ShardDay{Dir: root.name + string(d), ModTime: info.ModTime().UnixNano(), Trusted: now.Sub(info.ModTime()) > trustedAfter}
	if out.Trusted && known != nil {
		if mtime, ok := known.ModTime(out.Dir); ok && mtime == out.ModTime {
			out.Known, err = m.asKnown(out.Dir, root.own, known, writer)
			if out.Known || err != nil {
				return out, err
			}
		}
	}
	names, err := namesIn(dir)
	if err != nil {
		return out, err
	}
	slices.Sort(names)
	for _, name := range names {
		if !shardName(name) {
			continue
		}
		f := ShardFile{Path: out.Dir + "/" + name, Own: root.own}
		if gone, err := m.stat(&f); err != nil {
			return out, err
		} else if !gone {
			out.Shards = append(out.Shards, f)
		}
	}
	return out, nil
}

// stat sets the size and modification time of a shard.
func (m *Manifest) stat(f *ShardFile) (gone bool, err error) {
	info, err := os.Lstat(m.path(f.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil // meanwhile another process replaced the folder of seen shards
	}
	if err == nil {
		f.Size, f.ModTime = info.Size(), info.ModTime().UnixNano()
	}
	return false, err
}

// asKnown says whether the day's shard to which this clone may append is unchanged.
func (m *Manifest) asKnown(dir string, own bool, known KnownDays, writer string) (bool, error) {
	if !own || writer == "" {
		return true, nil
	}
	was, ok := known.Last(dir, writer)
	if !ok {
		return true, nil
	}
	is := was
	gone, err := m.stat(&is)
	return !gone && is == was, err
}

// ShardNumber splits the name of a shard into its writer and its number.
func ShardNumber(name string) (writer string, n int) { return shardNumber(name) }

// ReadShard yields the records of a shard, each with the offset of its first byte.
// Lines that are not records are passed over without a warning.
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

// ReadAt returns the record of size bytes at offset at of a shard.
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

// Prefer returns the one of two records with the same id that every reader shows.
func Prefer(a, b *Record) *Record { return prefer(a, b) }
