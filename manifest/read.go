package manifest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"time"
)

// Query selects records. The zero Query is every record, oldest first.
type Query struct {
	Since, Until time.Time // Since <= time < Until; zero means open
	Newest       bool      // newest first; records from the future last, see Horizon
	Limit        int       // stop after that many records; 0 is no limit
	// Contains are byte strings that must all occur in the line; Literal makes them.
	// They are looked for before anything is decoded, so a damaged line without them
	// causes no warning.
	Contains [][]byte
	// Want, if set, is called with each line that has all of Contains; true selects the
	// line. It is called by several goroutines, and must not keep the line.
	Want func(line []byte) bool
	// Facts leaves results undecoded, for scans of many records that look at few
	// results. A record whose result is damaged is then yielded like any other;
	// its Result method returns the error.
	Facts bool
	// Passed, if set, is called with each line that is passed over because this version
	// cannot read it. The line is valid until Passed returns.
	Passed func(line []byte)
	// MostShards, if set, is about how many shards are read at most, for callers that
	// must answer quickly. Cut is set to true if there were more.
	MostShards int
	Cut        *bool
	// Known skips git: records that others have shared since git was last read are left
	// out.
	Known bool
}

// Records yields the records that q selects, each id once, in order of time and then
// id: those of this clone, of the branch and of the remotes' branches. Warnings come on
// the caller's goroutine. An error ends the sequence.
func (m *Manifest) Records(ctx context.Context, q Query) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		s, err := m.newScan(ctx, q)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.tellUntold()
		left := q.Limit
		for s.more() {
			batch, err := s.next(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, found := range batch {
				for _, e := range s.order(found) {
					if !yield(e.rec, nil) {
						return
					}
					if left--; left == 0 {
						return
					}
				}
			}
		}
	}
}

// entry is a line that a query selects.
type entry struct {
	id, at []byte // from identity
	line   []byte
	file   string
	n      int // line number, from 1
	rec    *Record
}

// sift appends to into the lines of a shard that the query selects.
func (s *scan) sift(into []entry, file string, content []byte) []entry {
	if !s.q.picks() {
		into = slices.Grow(into, bytes.Count(content, []byte{'\n'})+1)
	}
	for n, line := range s.candidates(content) {
		e := entry{line: line, file: file, n: n}
		var ok bool
		if e.id, e.at, ok = header(line); !ok {
			id, at := identity(line)
			e.id, e.at = []byte(id), []byte(at)
		}
		if len(e.at) > 0 && (string(e.at) < s.since || s.until != "" && string(e.at) >= s.until) {
			continue
		}
		into = append(into, e)
	}
	return into
}

// candidates are the lines that contain all strings of the query. It first searches the
// whole shard for the longest string, which is probably the rarest. Most shards do not
// have it and need no more work.
func (s *scan) candidates(content []byte) iter.Seq2[int, []byte] {
	switch {
	case !s.q.picks():
		return lines(content)
	case len(s.q.Contains) == 0:
		return func(yield func(int, []byte) bool) {
			for n, line := range lines(content) {
				if s.q.Want(line) && !yield(n, bytes.Clone(line)) {
					return
				}
			}
		}
	}
	return func(yield func(int, []byte) bool) {
		n, pos := 1, 0
		for pos < len(content) {
			hit := s.anchor.index(content[pos:])
			if hit < 0 {
				return
			}
			start := pos + bytes.LastIndexByte(content[pos:pos+hit], '\n') + 1
			end := len(content)
			if i := bytes.IndexByte(content[pos+hit:], '\n'); i >= 0 {
				end = pos + hit + i
			}
			n += bytes.Count(content[pos:start], []byte{'\n'})
			line := bytes.TrimRight(content[start:end], "\r")
			if len(line) > 0 && containsAll(line, s.q.Contains) && (s.q.Want == nil || s.q.Want(line)) && !yield(n, bytes.Clone(line)) {
				return
			}
			n, pos = n+1, end+1
		}
	}
}

// picks says whether lines are chosen by their bytes. The chosen lines are then copies.
func (q *Query) picks() bool { return len(q.Contains) > 0 || q.Want != nil }

func containsAll(line []byte, all [][]byte) bool {
	for _, c := range all {
		if !bytes.Contains(line, c) {
			return false
		}
	}
	return true
}

// order sorts the lines of one day, keeps one line of each id, and warns of lines that
// are not records.
func (s *scan) order(day []entry) iter.Seq2[int, entry] {
	day = s.sorted(day)
	same := make(map[string][]int, len(day)) // id to the indices of its other lines
	first := make(map[string]int, len(day))
	for i, e := range day {
		if at, ok := first[string(e.id)]; !ok || len(e.id) == 0 {
			first[string(e.id)] = i
		} else if !bytes.Equal(day[at].line, e.line) {
			same[string(e.id)] = append(same[string(e.id)], i)
		}
	}
	return func(yield func(int, entry) bool) {
		for i, e := range day {
			if len(e.id) > 0 && first[string(e.id)] != i {
				continue
			}
			if e.rec = s.record(e); len(same) > 0 {
				for _, j := range same[string(e.id)] {
					e.rec = s.choose(e.rec, s.record(day[j]))
				}
			}
			if e.rec != nil && !yield(i, e) {
				return
			}
		}
	}
}

// sorted sorts lines by time. The times of one day begin with the same bytes. The first
// bytes after that common part are taken as a number, and the sort compares and moves
// these numbers instead of the lines.
func (s *scan) sorted(day []entry) []entry {
	type key struct {
		at uint64
		i  int
	}
	keys, common := make([]key, len(day)), commonTime(day)
	for i, e := range day {
		var next [8]byte
		copy(next[:], e.at[common:])
		keys[i] = key{binary.BigEndian.Uint64(next[:]), i}
	}
	slices.SortFunc(keys, func(x, y key) int {
		c := cmp.Compare(x.at, y.at)
		if c == 0 {
			a, b := &day[x.i], &day[y.i]
			c = cmp.Or(bytes.Compare(a.at, b.at), bytes.Compare(a.id, b.id), bytes.Compare(a.line, b.line))
			if c == 0 { // the same record in several shards: this clone's own copy first
				return cmp.Compare(s.rank(*a), s.rank(*b))
			}
		}
		if s.q.Newest {
			return -c
		}
		return c
	})
	ordered := make([]entry, len(day))
	for i, k := range keys {
		ordered[i] = day[k.i]
	}
	return ordered
}

// commonTime is the length of the prefix that all times share.
func commonTime(day []entry) int {
	if len(day) == 0 {
		return 0
	}
	first := day[0].at
	n := len(first)
	for _, e := range day[1:] {
		n = min(n, len(e.at))
		for n > 0 && !bytes.Equal(first[:n], e.at[:n]) {
			n--
		}
	}
	return n
}

// record decodes a line; nil if it is passed over.
func (s *scan) record(e entry) *Record {
	rec, err := decodeSound(e.line, !s.q.Facts)
	if err != nil {
		s.passOver(e, err)
		return nil
	}
	rec.elsewhere = s.rank(e) > 0
	return rec
}

// rank is 0 for a line of this clone's own shards, so that it sorts first.
func (s *scan) rank(e entry) int {
	if strings.HasPrefix(e.file, shardsDir+"/") {
		return 0
	}
	for _, root := range s.roots[1:s.own] {
		if strings.HasPrefix(e.file, s.m.display(root)+"/") {
			return 0
		}
	}
	return 1
}

// choose returns the record to keep of two with the same id. Either may be nil.
func (s *scan) choose(a, b *Record) *Record {
	if a == nil || b == nil {
		return pick(a != nil, a, b)
	}
	if a.Partial == b.Partial {
		s.m.opts.Warn(Warning{Text: "two different records claim the id " + a.ID + "; every clone shows the same one, and both stay in the manifest"})
	}
	return prefer(a, b)
}
