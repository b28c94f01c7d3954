package manifest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/lockfile"
)

// A capture is acknowledged when its line is in the shard. The branch follows later: a
// capture that finds no helper running starts one, a process of its own that waits for
// the end of the burst, folds, and ends when nothing is pending. followLock says that a
// helper is running. The capture takes it before it starts the helper and hands it
// over, so that only one of many captures starts a helper. The helper looks for pending
// lines once more after it has released the lock, so that no line is left to a helper
// that has already stopped looking.

const (
	followLock = localDir + "/follow.lock"
	// burstPause is how long nothing must be appended for a burst to end.
	burstPause = 300 * time.Millisecond
	// burstMost is how long a burst may delay a fold: the branch follows within two
	// seconds.
	burstMost = 1500 * time.Millisecond
	// refusedPause is how long no helper is started after git refused a fold. A branch
	// may be checked out for a whole day, and each helper would prepare all pending lines
	// for nothing.
	refusedPause = 30 * time.Second
)

// FoldLater leaves the pending lines to a helper. If no helper is running, it calls
// start with the lock, to start a process that calls Follow. start may keep the file
// only by handing it to that process. If the last fold was refused, the Report says
// why.
func (m *Manifest) FoldLater(start func(lock *os.File) error) (Report, error) {
	st := m.loadFold()
	r := Report{Why: st.Refused, Trouble: st.Refused != ""}
	if r.Trouble {
		r.Pending = m.countPending(st)
	}
	if r.Trouble && m.within(st.RefusedAt, refusedPause) {
		return r, nil
	}
	lock, err := m.lockFollow()
	if lock == nil || err != nil {
		return r, err
	}
	defer lock.Close() // the helper's copy keeps the lock
	return r, start(lock)
}

// First says that nothing was ever folded here, and that at most a hundred lines are pending. After a
// first capture people look at the branch, so that fold is done at once and not left to a helper.
func (m *Manifest) First() bool {
	const little = 100
	st := m.loadFold()
	return st.Tip == "" && st.Refused == "" && m.countPending(st) <= little
}

// lockFollow takes the lock of the helper. It returns nil if a helper holds the lock,
// or if a helper would have nothing to do.
func (m *Manifest) lockFollow() (*os.File, error) {
	path := m.path(followLock)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if os.IsNotExist(err) {
		return nil, nil // nothing was ever appended, or the manifest was removed
	}
	if err != nil {
		return nil, fmt.Errorf("opening the lock of the helper that folds: %w", err)
	}
	if _, taken, err := lockfile.Try(f); err != nil || !taken {
		f.Close()
		return nil, err
	}
	return f, nil
}

// A Settler makes durable what captures have recorded without a sync.
type Settler interface {
	Unsettled() bool // says whether there is something to settle that no other process is settling
	Settle(context.Context) error
}

// Follow runs the helper: at the end of each burst it syncs what was not synced and folds the
// pending lines. It returns when nothing is pending, or when git refuses. lock is the file from
// FoldLater; if it is nil, because it could not be handed over, Follow takes the lock itself.
// If the manifest is removed meanwhile, Follow does not make it again.
func (m *Manifest) Follow(ctx context.Context, lock *os.File, s Settler) error {
	for m.exists() && ctx.Err() == nil {
		if lock == nil {
			var err error
			if lock, err = m.lockFollow(); lock == nil {
				return err
			}
		}
		err := m.followBursts(ctx, s)
		lock.Close()
		lock = nil
		if err != nil || m.loadFold().Refused != "" || m.countPending(m.loadFold()) == 0 && !s.Unsettled() {
			return err
		}
	}
	if lock != nil {
		lock.Close()
	}
	return ctx.Err()
}

// followBursts settles and folds until nothing is pending.
func (m *Manifest) followBursts(ctx context.Context, s Settler) error {
	for m.countPending(m.loadFold()) > 0 {
		if err := m.waitBurst(ctx); err != nil || !m.exists() {
			return err
		}
		unsettled := s.Settle(ctx) // a failure to settle does not stop the fold
		r, err := m.Fold(ctx, FoldOptions{Wait: true})
		if err = errors.Join(unsettled, err); err == nil && r.Why != "" && m.loadFold().Refused == "" {
			err = errors.New(r.Why) // this process cannot fold, the next one may
		}
		if err != nil || r.Why != "" || r.Folded == 0 {
			return err
		}
	}
	return s.Settle(ctx)
}

// waitBurst returns when nothing was appended for burstPause, or after burstMost.
func (m *Manifest) waitBurst(ctx context.Context) error {
	const look = burstPause / 3
	st := m.loadFold()
	count := m.countPending(st)
	begun := time.Now()
	for grown := begun; time.Since(begun) < burstMost && time.Since(grown) < burstPause; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look):
		}
		if now := m.countPending(st); now != count {
			count, grown = now, time.Now()
		}
	}
	return nil
}

// exists says whether the folder of shards still exists.
func (m *Manifest) exists() bool {
	_, err := os.Stat(m.path(shardsDir))
	return err == nil
}

// A day with very many shards is not read as a whole to list its newest records. A
// writer appends a record when its run ends, so every run in the shards before shard n
// began before the runs of shard n ended. Reading backwards, records that began after
// that time are in their final order.
//
// This relies on a writer's clock not stepping back by more than clockSlack within such
// a day. If it did, or if whole shards with records of earlier hours were added later,
// some records come out of order; no record is left out.

const (
	bigDay     = 16 // shards; a day of fewer (1 MiB) is read and sorted as a whole
	firstPart  = 4  // shards of each writer; a shard holds about 70 records
	clockSlack = time.Minute
)

// backwards is a walk through the shards of one day, from the last to the first.
type backwards struct {
	series map[string][]*shard // by writer, in ascending order
	held   []entry             // read, but later shards may have newer ones
	step   int
}

func newBackwards(d dayShards) *backwards {
	b := &backwards{series: make(map[string][]*shard), step: firstPart}
	for _, sh := range d.shards {
		var writer string
		writer, sh.n = shardNumber(sh.path)
		b.series[writer] = append(b.series[writer], sh)
	}
	for _, shards := range b.series {
		slices.SortFunc(shards, func(x, y *shard) int { return cmp.Compare(x.n, y.n) })
	}
	return b
}

// shardNumber splits the path of a shard into the part before its number and the number.
func shardNumber(path string) (writer string, n int) {
	base := strings.TrimSuffix(path, ".jsonl")
	i := strings.LastIndexByte(base, '-')
	if i < len(base)-len(filepath.Base(base)) {
		return base, 0
	}
	n, _ = strconv.Atoi(base[i+1:])
	return base[:i], n
}

// part reads a few more shards. It returns the records that are newer than everything
// in the shards not yet read; done is true after the last shard.
func (b *backwards) part(ctx context.Context, s *scan) (ready []entry, done bool, err error) {
	var all, edge []*shard
	for writer, shards := range b.series {
		cut := max(len(shards)-b.step, 0)
		all = append(all, shards[cut:]...)
		if cut > 0 {
			shards[cut].edge = true
			edge = append(edge, shards[cut])
		}
		b.series[writer] = shards[:cut]
	}
	b.step = min(4*b.step, maxBatch)
	if err := s.readAll(ctx, all); err != nil {
		return nil, false, err
	}
	n := 0
	for _, sh := range all {
		n += len(sh.found)
	}
	b.held = slices.Grow(b.held, n)
	for _, sh := range all {
		b.held = append(b.held, sh.found...)
		sh.found = nil
	}
	if len(edge) == 0 {
		return b.held, true, nil
	}
	var bound time.Time
	for _, sh := range edge {
		if sh.ended.IsZero() {
			return nil, false, nil // no line of the shard is readable, so read on
		}
		bound = later(bound, sh.ended)
	}
	limit := bound.Add(clockSlack).UTC().Format(TimeLayout)
	keep := b.held[:0:0]
	for _, e := range b.held {
		if string(e.at) > limit {
			ready = append(ready, e)
		} else {
			keep = append(keep, e)
		}
	}
	b.held = keep
	return ready, false, nil
}

// ended is the time at which the last run in a shard ended; zero if no line of the
// shard says it.
func ended(content []byte) time.Time {
	var last time.Time
	for _, line := range lines(content) {
		_, at, ok := header(line)
		if !ok {
			continue
		}
		t, err := time.Parse(TimeLayout, string(at))
		if err != nil {
			continue
		}
		last = later(last, t.Add(duration(line)))
	}
	return last
}

// duration is the duration that a line gives for its run.
func duration(line []byte) time.Duration {
	_, rest, _ := bytes.Cut(line, []byte(`"duration_ms":`))
	ms := 0
	for _, c := range rest {
		if c < '0' || c > '9' || ms > 1<<40 {
			break
		}
		ms = ms*10 + int(c-'0')
	}
	return time.Duration(ms) * time.Millisecond
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
