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

// Bounds of segments; variables, so that tests need not many rows.
var (
	writeFrom = 100     // new rows below this are read again each time: a tenth of a millisecond each
	maxRows   = 100_000 // of a segment, so that building one takes bounded memory
	maxSmall  = 6       // segments below smallRows; more are joined
	smallRows = 20_000
	listFrom  = 30 // folders that could be listed and are not
)

// buildMemory is about how much memory there may be while segments are built, in bytes:
// below it garbage may lie about, which saves a third of the time.
const buildMemory = 100 << 20

const (
	listName   = "segments"
	lockName   = "lock"
	suffix     = ".idx"
	folderMode = 0o777
)

// Index is the rows of all captures, at one moment.
type Index struct {
	ctx      context.Context // of Open
	m        *manifest.Manifest
	dir      string
	describe Describe
	progress func(done, all int)
	segments []*Segment
	listed   map[string]listedDay // folders of shards, as the list of segments has them
	days     map[string]int64     // folders whose times of change can be trusted, and those
}

// listedDay is a folder of shards all of which were in segments.
type listedDay struct {
	mtime  int64
	shards int
	sum    uint32 // of their states, see stateSum
}

// Exists says whether an index was made in dir. It may be behind, or of another version.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, listName))
	return err == nil
}

// Open brings the index in dir up to date and opens it. A dir that cannot be
// written to is done without. progress, if not nil, gets the shards read and to
// be read.
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
		err = x.write() // the list alone: all that there is lies in segments
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

// unlisted counts the folders of shards whose times can be trusted now but could not when
// the list was written. Folders are new in that sense when another clone's records were
// just fetched; until the list is written again, every question lists them anew.
func (x *Index) unlisted() (n int) {
	for dir, mtime := range x.days {
		if x.listed[dir].mtime != mtime {
			n++
		}
	}
	return n
}

// Close lets go of the files.
func (x *Index) Close() {
	for _, s := range x.segments {
		s.close()
	}
}

// Segments are all segments of the index, each ordered by time. Callers have to pass over
// rows of shards that do not count any more: see Each.
func (x *Index) Segments() []*Segment { return x.segments }

// openAll opens the segments that are listed. One that cannot be read is left
// out: its shards count as new.
func (x *Index) openAll() {
	content, err := os.ReadFile(filepath.Join(x.dir, listName))
	if err != nil {
		return
	}
	sum, list, _ := strings.Cut(string(content), "\n")
	if sum != sumOf(list) {
		return // damaged: everything is read again
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

// catchUp reads the shards that are new, and writes them down when they are many:
// as soon as a segment is full, so that what was done is not lost when it is
// interrupted.
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

// add makes a segment of rows, in memory.
func (x *Index) add(b *builder) error {
	s, err := openMemory(b.encode())
	if err == nil {
		x.segments = append(x.segments, s)
	}
	return err
}

// write puts the segments that are in memory into files, joining small ones
// where there are many. What cannot be written stays in memory for this once.
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

// joinSmall makes one of the small segments, and of those that are mostly dead.
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
			return nil // it is damaged, which Need will find
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

// fromFile lets go of what is in memory and also in a file.
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

// publish lists the segments and removes the files that no longer count.
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
