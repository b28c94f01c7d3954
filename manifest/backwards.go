package manifest

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

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
