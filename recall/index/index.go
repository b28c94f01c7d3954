package index

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/lockfile"
	"cairn/manifest"
)

// Limits of segments. They are variables so that tests need few rows.
var (
	writeFrom = 100     // fewer new rows are not written but read each time, a tenth of a millisecond each
	maxRows   = 100_000 // in one segment, so that building it takes bounded memory
	maxSmall  = 6       // segments below smallRows; if there are more, they are joined
	smallRows = 20_000
	listFrom  = 30 // the list is written again if it lacks this many folders
)

// buildMemory is the memory limit in bytes while segments are built. Below it little
// garbage is collected, which saves a third of the time.
const buildMemory = 100 << 20

const (
	listName   = "segments"
	lockName   = "lock"
	suffix     = ".idx"
	folderMode = 0o777
)

// Index is the rows of all captures at the moment of Open.
type Index struct {
	ctx      context.Context // of Open
	m        *manifest.Manifest
	dir      string
	describe Describe
	progress func(done, all int)
	segments []*Segment
	listed   map[string]listedDay // folders of shards, as in the list of segments
	days     map[string]int64     // folders whose modification times can be trusted, with those times
}

// listedDay is a folder of shards, all of which were in segments when the list was written.
type listedDay struct {
	mtime  int64
	shards int
	sum    uint32 // xor of its shards' stateSum
}

// Exists says whether an index was made in dir. It may be out of date or of another version.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, listName))
	return err == nil
}

// Open brings the index in dir up to date and opens it. If dir cannot be written to,
// the new rows stay in memory. progress, if not nil, gets the number of shards read and
// of shards to read.
func Open(ctx context.Context, m *manifest.Manifest, dir string, describe Describe, progress func(done, all int)) (*Index, error) {
	x := &Index{ctx: ctx, m: m, dir: dir, describe: describe, progress: progress}
	x.openAll()
	fresh, err := x.fresh()
	if err != nil {
		x.Close()
		return nil, err
	}
	err = x.catchUp(fresh)
	if err == nil && len(fresh) == 0 && x.unlisted() >= listFrom {
		err = x.write() // only the list changes: all rows are in segments already
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// unlisted counts the folders of shards whose times can be trusted now but could not
// when the list was written. After another clone's records were fetched there are many;
// until the list is written again, every question has to read these folders.
func (x *Index) unlisted() (n int) {
	for dir, mtime := range x.days {
		if x.listed[dir].mtime != mtime {
			n++
		}
	}
	return n
}

// Close closes the files.
func (x *Index) Close() {
	for _, s := range x.segments {
		s.close()
	}
}

// Segments are all segments of the index, each ordered by time. They include rows of
// shards that changed or are gone, which callers have to pass over: see Each.
func (x *Index) Segments() []*Segment { return x.segments }

// openAll opens the segments that are listed. A segment that cannot be read is left
// out, so its shards count as new.
func (x *Index) openAll() {
	content, err := os.ReadFile(filepath.Join(x.dir, listName))
	if err != nil {
		return
	}
	sum, list, _ := strings.Cut(string(content), "\n")
	if sum != sumOf(list) {
		return // the list is damaged: all shards are read again
	}
	names, days, _ := strings.Cut(list, "\n\n")
	x.listed = map[string]listedDay{}
	for line := range strings.Lines(days) {
		words := strings.Fields(line)
		if len(words) != 4 {
			continue
		}
		mtime, err := strconv.ParseInt(words[0], 10, 64)
		shards, err2 := strconv.Atoi(words[1])
		sum, err3 := strconv.ParseUint(words[2], 16, 32)
		if err == nil && err2 == nil && err3 == nil {
			x.listed[words[3]] = listedDay{mtime, shards, uint32(sum)}
		}
	}
	for _, name := range strings.Fields(names) {
		f, err := os.Open(filepath.Join(x.dir, filepath.Base(name)))
		if err != nil {
			continue
		}
		s, err := openFile(f, name)
		if err != nil {
			continue
		}
		x.segments = append(x.segments, s)
	}
}

// catchUp reads the new shards. If they have many rows, it writes each segment as soon
// as it is full, so that the work is not lost if it is interrupted.
func (x *Index) catchUp(fresh []manifest.ShardFile) error {
	if len(fresh) > 0 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(buildMemory))
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	b, full, n := &builder{}, false, 0
	for read := range readShards(x.ctx, x.m, fresh, x.describe) {
		if read.err != nil && !errors.Is(read.err, fs.ErrNotExist) {
			return read.err
		}
		if read.err == nil {
			b.add(read)
		}
		if len(b.rows) >= maxRows {
			full = true
			if err := errors.Join(x.add(b), x.write()); err != nil {
				return err
			}
			b = &builder{}
		}
		if n++; x.progress != nil {
			x.progress(n, len(fresh))
		}
	}
	if err := x.ctx.Err(); err != nil {
		return err
	}
	if len(b.rows) > 0 {
		enough := full || len(b.rows) >= writeFrom || x.unlisted() >= listFrom
		if err := x.add(b); err != nil || !enough {
			return err
		}
		if err := x.write(); err != nil {
			return err
		}
	}
	if full {
		b = nil
		debug.FreeOSMemory() // what follows is a question, which needs little
	}
	return nil
}

// add makes a segment of the rows, in memory.
func (x *Index) add(b *builder) error {
	s, err := openMemory(b.encode())
	if err == nil {
		x.segments = append(x.segments, s)
	}
	return err
}

// write saves the segments that are in memory as files, and joins small ones if there
// are many. A segment that cannot be written stays in memory.
func (x *Index) write() error {
	if os.MkdirAll(x.dir, folderMode) != nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(x.dir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil
	}
	defer f.Close()
	unlock, taken, err := lockfile.Try(f)
	if err != nil || !taken {
		return nil // somebody else writes
	}
	defer unlock()
	if err := x.joinSmall(); err != nil {
		return err
	}
	for _, s := range x.segments {
		if s.name == "" && x.save(s) != nil {
			return nil
		}
	}
	return x.publish()
}

// joinSmall joins the small segments, and those whose rows are mostly dead, into one.
func (x *Index) joinSmall() error {
	var keep, small []*Segment
	for _, s := range x.segments {
		if s.Len() < smallRows || s.mostlyDead() {
			small = append(small, s)
		} else {
			keep = append(keep, s)
		}
	}
	if len(small) <= maxSmall && !slices.ContainsFunc(small, (*Segment).mostlyDead) {
		return nil
	}
	b := &builder{}
	for _, s := range small {
		if b.addSegment(s) != nil {
			return nil // a segment is damaged: Need will find it
		}
	}
	for _, s := range small {
		s.close()
	}
	x.segments = keep
	if len(b.rows) == 0 {
		return nil
	}
	return x.add(b)
}

func (s *Segment) mostlyDead() bool {
	n := 0
	for _, d := range s.dead {
		if d {
			n++
		}
	}
	return 2*n > len(s.dead)
}

// save writes a segment to a new file.
func (x *Index) save(s *Segment) error {
	for n := 1; ; n++ {
		name := strconv.Itoa(n) + suffix
		f, err := os.OpenFile(filepath.Join(x.dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			_, err = f.Write(s.memory)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			os.Remove(filepath.Join(x.dir, name))
			return fmt.Errorf("writing the index: %w", err)
		}
		s.name = name
		return x.fromFile(s)
	}
}

// fromFile replaces a segment in memory by the file that it was saved to.
func (x *Index) fromFile(s *Segment) error {
	f, err := os.Open(filepath.Join(x.dir, s.name))
	if err != nil {
		return err
	}
	opened, err := openFile(f, s.name)
	if err != nil {
		return err
	}
	s.from, s.file, s.close, s.mapped, s.memory, s.body = opened.from, opened.file, opened.close, opened.mapped, nil, opened.body
	return nil
}

// publish writes the list of segments and removes the files that are not in it.
func (x *Index) publish() error {
	var list strings.Builder
	live := map[string]bool{}
	for _, s := range x.segments {
		fmt.Fprintln(&list, s.name)
		live[s.name] = true
	}
	list.WriteByte('\n')
	for dir, day := range x.wholeDays() {
		fmt.Fprintf(&list, "%d %d %08x %s\n", day.mtime, day.shards, day.sum, dir)
	}
	content := sumOf(list.String()) + "\n" + list.String()
	beside := filepath.Join(x.dir, listName+".new")
	if os.WriteFile(beside, []byte(content), 0o666) != nil || os.Rename(beside, filepath.Join(x.dir, listName)) != nil {
		return nil
	}
	all, err := os.ReadDir(x.dir)
	if err != nil {
		return nil
	}
	for _, e := range all {
		if strings.HasSuffix(e.Name(), suffix) && !live[e.Name()] {
			os.Remove(filepath.Join(x.dir, e.Name()))
		}
	}
	return nil
}

// sumOf is the first line of the list: a checksum of the rest.
func sumOf(list string) string { return fmt.Sprintf("%08x", crc32.Checksum([]byte(list), castagnoli)) }
