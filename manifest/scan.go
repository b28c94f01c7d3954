package manifest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// scan is a walk over the days of a manifest, in the order of a query.
type scan struct {
	m            *Manifest
	q            Query
	since, until string   // in the form of TimeLayout; "" means open
	roots        []string // folders that hold a tree of shards
	own          int      // how many of them, from the first, belong to this clone
	days         []day    // still to come
	want         int      // shards to read in the next batch
	sifted       int      // shards read so far
	big          *backwards
	anchor       needle // the longest of q.Contains
	untold       int    // lines passed over without a warning of their own
}

// A batch grows fourfold once a shard has selected lines, so that the newest few
// records cost one day and a long scan keeps all processors busy.
const (
	firstBatch = 1
	maxBatch   = 512 // shards; 32 MiB when nothing is filtered
)

func (m *Manifest) newScan(ctx context.Context, q Query) (*scan, error) {
	s := &scan{m: m, q: q, roots: []string{m.path(shardsDir)}, want: firstBatch}
	for _, dir := range m.opts.Also {
		s.roots = append(s.roots, filepath.Join(dir, shardsDir))
	}
	s.own = len(s.roots)
	if len(q.Contains) > 0 {
		s.anchor = newNeedle(slices.MaxFunc(q.Contains, func(a, b []byte) int { return len(a) - len(b) }))
	}
	if !q.Since.IsZero() {
		s.since = q.Since.UTC().Format(TimeLayout)
	}
	if !q.Until.IsZero() {
		s.until = q.Until.UTC().Format(TimeLayout)
	}
	seen, err := m.seenFor(ctx, q)
	if err != nil {
		m.opts.Warn(Warning{Text: "records that other clones shared may be missing: " + err.Error(), Incomplete: true})
	}
	if seen != "" {
		s.roots = append(s.roots, filepath.Join(seen, shardsDir))
	}
	return s, s.listDays()
}

// seenFor is the folder with the shards of other clones.
func (m *Manifest) seenFor(ctx context.Context, q Query) (string, error) {
	if !q.Known {
		return m.see(ctx)
	}
	if st := m.loadSeen(); len(st.Tips) > 0 {
		return m.seenRoot(st), nil
	}
	return "", nil
}

// dayShards is the shards of one day and their selected lines.
type dayShards struct{ shards []*shard }

type shard struct {
	path  string
	lock  string // the append lock of its writer; "" for a shard of another clone
	n     int    // its number, if it matters
	edge  bool   // the time at which its last run ended is wanted
	found []entry
	ended time.Time
	err   error
}

func (d dayShards) entries() []entry {
	var all []entry
	for _, s := range d.shards {
		all = append(all, s.found...)
	}
	return all
}

// next reads a few more days, several shards at a time, and returns the lines of each
// day, or a part of a day that is too big to be read as a whole.
func (s *scan) next(ctx context.Context) ([][]entry, error) {
	if s.big != nil {
		return s.nextPart(ctx)
	}
	var batch []dayShards
	var all []*shard
	for len(s.days) > 0 && len(all) < s.want {
		d, err := s.list(s.days[0])
		if err != nil {
			return nil, err
		}
		if s.q.Newest && len(d.shards) > bigDay {
			if len(batch) > 0 {
				break
			}
			s.big, s.days = newBackwards(d), s.days[1:]
			return s.nextPart(ctx)
		}
		s.days = s.days[1:]
		batch, all = append(batch, d), append(all, d.shards...)
	}
	s.want = min(4*max(s.want, len(all)), maxBatch)
	if s.q.MostShards > 0 {
		s.want = max(min(s.want, s.q.MostShards-s.sifted-len(all)), 1)
	}
	if err := s.readAll(ctx, all); err != nil {
		return nil, err
	}
	var out [][]entry
	for _, d := range batch {
		out = append(out, d.entries())
	}
	return out, nil
}

// nextPart reads the next part of a day that is too big to be read as a whole.
func (s *scan) nextPart(ctx context.Context) ([][]entry, error) {
	ready, done, err := s.big.part(ctx, s)
	if done {
		s.big = nil
	}
	return [][]entry{ready}, err
}

// more says whether there is more to read.
func (s *scan) more() bool {
	left := s.big != nil || len(s.days) > 0
	if left && s.q.MostShards > 0 && s.sifted >= s.q.MostShards {
		if s.q.Cut != nil {
			*s.q.Cut = true
		}
		return false
	}
	return left
}

// readAll reads shards and selects their lines, on all processors.
func (s *scan) readAll(ctx context.Context, all []*shard) error {
	s.sifted += len(all)
	var next atomic.Int64
	work := func() {
		var buf []byte
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(all) {
				return
			}
			if !s.q.picks() {
				buf = nil // the lines are parts of buf; with a filter they are copies
			}
			buf, all[i].err = s.read(ctx, all[i], buf[:0])
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading the manifest: %w", err)
	}
	for _, sh := range all {
		if sh.err != nil {
			s.m.opts.Warn(Warning{File: s.m.display(sh.path), Text: "this shard was not read: " + plainPath(sh.err), Incomplete: true})
		}
	}
	return nil
}

// plainPath is an error's text without the path, which the warning names already.
func plainPath(err error) string {
	if pe := new(fs.PathError); errors.As(err, &pe) {
		return pe.Op + ": " + pe.Err.Error()
	}
	return err.Error()
}

// read reads one shard and selects its lines. If the last line of this clone's shard is
// incomplete, an append may be under way: the shard is read again under the lock.
func (s *scan) read(ctx context.Context, sh *shard, buf []byte) ([]byte, error) {
	buf, err := readInto(buf, sh.path)
	if err != nil {
		return buf[:0], err
	}
	if sh.lock != "" && unfinished(buf) {
		if unlock, lockErr := lock(ctx, sh.lock, time.Second); lockErr == nil {
			buf, err = readInto(buf[:0], sh.path)
			unlock()
		}
	}
	if sh.edge {
		sh.ended = ended(buf)
	}
	if err == nil {
		sh.found = s.sift(nil, s.m.display(sh.path), buf)
	}
	return buf, err
}

// unfinished says whether content ends in an incomplete line.
func unfinished(content []byte) bool {
	if len(content) == 0 || content[len(content)-1] == '\n' {
		return false
	}
	var last []byte
	for _, line := range lines(content) {
		last = line
	}
	return !whole(last)
}

// display is a file's name in warnings: relative to the cairn directory.
func (m *Manifest) display(path string) string {
	if rel, err := filepath.Rel(m.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// maxRead is the largest shard of another clone that is read, in bytes: a hundred times
// what a writer makes, which leaves room for shards that merges made larger. A limit is
// needed because git compresses zeros a thousandfold.
const maxRead = 8 << 20

// maxLocal is the largest file of this clone that is read, in bytes. It is larger than
// maxRead, since another program may have written into a shard, and its lines exist
// nowhere else.
const maxLocal = 64 << 20

func tooLarge(f *os.File) error {
	size := "more than " + strconv.Itoa(maxLocal)
	if fi, err := f.Stat(); err == nil {
		size = strconv.FormatInt(fi.Size(), 10)
	}
	return fmt.Errorf("it has %s bytes, and no more than %d are read", size, maxLocal)
}

// readInto appends the content of a file to buf. A read that returns less than it was
// asked for has reached the end, so most shards take one read.
func readInto(buf []byte, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return buf, err
	}
	defer f.Close()
	if cap(buf) == 0 {
		buf = make([]byte, 0, MaxShard+1) // unlike growing, this does not clear the memory
	}
	buf = slices.Grow(buf, MaxShard+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		if buf = buf[:len(buf)+n]; len(buf) > maxLocal {
			return buf, tooLarge(f)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) < cap(buf) {
			return buf, nil
		}
		buf = slices.Grow(buf, cap(buf))
	}
}

// listDays fills s.days with the days in the range of the query.
func (s *scan) listDays() error {
	first, last := dayOf(s.q.Since), dayOf(s.q.Until.Add(-time.Microsecond))
	asked := func(part day) bool { // part is a year, a month or a day
		return (s.since == "" || part >= first[:len(part)]) && (s.until == "" || part <= last[:len(part)])
	}
	set := make(map[day]bool)
	for _, root := range s.roots {
		if err := eachDay(root, asked, func(d day) { set[d] = true }); err != nil {
			return fmt.Errorf("listing the days of the manifest: %w", err)
		}
	}
	s.days = slices.AppendSeq(s.days, maps.Keys(set))
	slices.Sort(s.days)
	if s.q.Newest {
		slices.Reverse(s.days)
		ahead := slices.IndexFunc(s.days, func(d day) bool { return d < dayOf(s.m.Horizon()) })
		if ahead > 0 {
			s.days = slices.Concat(s.days[ahead:], s.days[:ahead])
		}
	}
	return nil
}

// aheadOfUs is how far the clock of another machine may be ahead without being wrong.
const aheadOfUs = time.Hour

// Horizon is the end of today. A record with a later time is from the future: its writer's clock was
// wrong, so its time says nothing, and it is listed after records whose time is known.
func (m *Manifest) Horizon() time.Time {
	const aDay = 24 * time.Hour
	return m.opts.Now().UTC().Add(aheadOfUs).Truncate(aDay).Add(aDay)
}

// eachDay visits the days of a folder for which asked is true; it does not look into years and months for which it is
// false.
func eachDay(root string, asked func(part day) bool, visit func(day)) (err error) {
	below := func(part day, width int, into func(day)) {
		names, failed := subdirs(filepath.Join(root, filepath.FromSlash(string(part))), width)
		err = errors.Join(err, failed)
		for _, name := range names {
			if d := day(path.Join(string(part), name)); asked(d) {
				into(d)
			}
		}
	}
	below("", 4, func(year day) {
		below(year, 2, func(month day) { below(month, 2, visit) })
	})
	return err
}

// subdirs lists the names in dir that consist of width digits; dir may be missing.
func subdirs(dir string, width int) ([]string, error) {
	all, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range all {
		if e.IsDir() && digits(e.Name(), width) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// list finds the shards of a day under every root.
func (s *scan) list(d day) (dayShards, error) {
	var out dayShards
	for i, root := range s.roots {
		dir, lock := filepath.Join(root, filepath.FromSlash(string(d))), ""
		if i < s.own {
			lock = filepath.Join(filepath.Dir(root), filepath.FromSlash(appendLock))
		}
		names, err := namesIn(dir)
		if err != nil {
			return out, fmt.Errorf("listing the shards of %s: %w", d, err)
		}
		for _, name := range names {
			if shardName(name) {
				out.shards = append(out.shards, &shard{path: dir + string(filepath.Separator) + name, lock: lock})
			}
		}
	}
	return out, nil
}

// namesIn lists a folder, which may be missing, in no particular order.
func namesIn(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
