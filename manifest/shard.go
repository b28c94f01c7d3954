package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/result"
)

const (
	// MaxShard is the size at which a shard is closed, in bytes. A fold
	// rewrites the open shard of a writer as a whole, so its size is the cost
	// of a fold; and hosts stop rendering larger files in a diff.
	MaxShard = 64 << 10
	// MaxLine is the size of the longest line with its newline, in bytes. A line never
	// spans shards.
	MaxLine = MaxShard
)

// shardsDir is the folder of the shards, in the cairn directory and in the
// tree of the branch alike.
const shardsDir = "manifest"

// day is a UTC day as in the path of its shards: "2026/11/20".
type day string

func dayOf(t time.Time) day { return day(t.UTC().Format("2006/01/02")) }

// DayDir is the folder, on the branch, of the shards for a time.
func DayDir(t time.Time) string { return shardsDir + "/" + string(dayOf(t)) }

// shardPath is the slash path of shard n of writer on d.
func shardPath(d day, writer string, n int) string {
	return shardsDir + "/" + string(d) + "/" + writer + "-" + strconv.Itoa(n) + ".jsonl"
}

// parseShardPath splits the path of a shard. Paths come from other clones, so a path
// that it accepts must be safe to join to a directory.
func parseShardPath(path string) (d day, name string, ok bool) {
	p := strings.Split(path, "/")
	if len(p) != 5 || p[0] != shardsDir || !digits(p[1], 4) || !digits(p[2], 2) || !digits(p[3], 2) || !shardName(p[4]) {
		return "", "", false
	}
	return day(strings.Join(p[1:4], "/")), p[4], true
}

// shardName says whether a file name can be a shard's.
func shardName(s string) bool {
	base, ok := strings.CutSuffix(s, ".jsonl")
	if !ok || base == "" || base[0] == '-' || base[0] == '.' {
		return false
	}
	for i := range len(base) {
		if c := base[i]; !wordByte(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func digits(s string, n int) bool { return len(s) == n && strings.Trim(s, "0123456789") == "" }

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// lastShard is the number of the last shard of writer on d; 0 if none exists. Shards
// are numbered from 1 without a gap, so doubling and then halving the step finds the
// end in few steps, however many there are; with a good hint, in two.
func (m *Manifest) lastShard(d day, writer string, hint int) (int, error) {
	has := func(n int) (bool, error) {
		_, err := os.Lstat(m.path(shardPath(d, writer, n)))
		if os.IsNotExist(err) {
			return false, nil
		}
		return err == nil, err
	}
	low, step := 0, 1 // shard low exists, or low is 0
	if hint > 0 {
		ok, err := has(hint)
		if err != nil {
			return 0, fmt.Errorf("looking for the last shard of %s: %w", d, err)
		}
		if ok {
			low = hint
		}
	}
	for {
		ok, err := has(low + step)
		if err != nil {
			return 0, fmt.Errorf("looking for the last shard of %s: %w", d, err)
		}
		if !ok {
			break
		}
		low, step = low+step, 2*step
	}
	for high := low + step; high-low > 1; { // shard high does not exist
		mid := (low + high) / 2
		ok, err := has(mid)
		if err != nil {
			return 0, fmt.Errorf("looking for the last shard of %s: %w", d, err)
		}
		if ok {
			low = mid
		} else {
			high = mid
		}
	}
	return low, nil
}

// path is the file for a slash path below the cairn directory.
func (m *Manifest) path(slash string) string { return filepath.Join(m.dir, filepath.FromSlash(slash)) }

// lines splits the content of a shard at newlines, and numbers the lines from 1. It
// drops carriage returns before a newline; empty lines are counted but left out.
func lines(content []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for n := 1; len(content) > 0; n++ {
			line, rest, _ := bytes.Cut(content, []byte{'\n'})
			content = rest
			line = bytes.TrimRight(line, "\r")
			if len(line) > 0 && !yield(n, line) {
				return
			}
		}
	}
}

// header returns id and time (in TimeLayout) of a line as this package writes it,
// without decoding the line.
func header(line []byte) (id, at []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"v":`))
	if !ok {
		return nil, nil, false
	}
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		rest = rest[1:]
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"id":"`))
	if !ok || len(rest) < idLen {
		return nil, nil, false
	}
	id, rest = rest[:idLen], rest[idLen:]
	rest, ok = bytes.CutPrefix(rest, []byte(`","time":"`))
	if !ok || len(rest) <= len(TimeLayout) || rest[len(TimeLayout)] != '"' {
		return nil, nil, false
	}
	at = rest[:len(TimeLayout)]
	return id, at, plainID(id) && plainTime(at)
}

// idLen is the length of a ulid.
const idLen = 26

func plainID(id []byte) bool {
	for _, c := range id {
		if !wordByte(c) {
			return false
		}
	}
	return true
}

// plainTime says whether b has the shape of TimeLayout.
func plainTime(b []byte) bool {
	const shape = "0000-00-00T00:00:00.000000Z"
	for i := range len(shape) {
		if digit := b[i] >= '0' && b[i] <= '9'; digit != (shape[i] == '0') || !digit && b[i] != shape[i] {
			return false
		}
	}
	return true
}

// identity is the id of a line and its time in TimeLayout, by which lines are sorted.
// Both are "" if the line is not a record.
func identity(line []byte) (id, at string) {
	if id, at, ok := header(line); ok {
		return string(id), string(at)
	}
	if len(line) >= MaxLine {
		return "", "" // too long: passed over in any case
	}
	var head struct {
		ID   string    `json:"id"`
		Time time.Time `json:"time"`
	}
	if json.Unmarshal(line, &head) != nil || head.ID == "" || head.Time.IsZero() {
		return "", ""
	}
	return head.ID, head.Time.UTC().Format(TimeLayout)
}

// whole says whether a line is a complete JSON object and not too long, so that a fold
// may share it.
func whole(line []byte) bool {
	return len(line) > 0 && len(line) < MaxLine && line[0] == '{' && json.Valid(line)
}

// Literal is a key with a string value as a line has it, for Query.Contains.
func Literal(key, value string) []byte {
	b, err := result.Marshal(value)
	if err != nil { // never: every string can be encoded
		b = strconv.AppendQuote(nil, value)
	}
	return append(strconv.AppendQuote(nil, key), append([]byte{':'}, b...)...)
}

// Union is the merge of versions of one shard: every line of any of them
// once, ordered by id and then by bytes, each ended by a newline. It is
// commutative, associative and idempotent. Equal lines are one; lines that
// claim one id with different bytes all stay, and a reader chooses.
func Union(versions ...[]byte) []byte {
	type entry struct {
		id   string
		line []byte
	}
	var all []entry
	size := 0
	for _, v := range versions {
		for _, line := range lines(v) {
			id, _ := identity(line)
			all = append(all, entry{id, line})
			size += len(line) + 1
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		if c := bytes.Compare([]byte(a.id), []byte(b.id)); c != 0 {
			return c
		}
		return bytes.Compare(a.line, b.line)
	})
	out := make([]byte, 0, size)
	for i, e := range all {
		if i > 0 && bytes.Equal(e.line, all[i-1].line) {
			continue
		}
		out = append(append(out, e.line...), '\n')
	}
	return out
}

// mergeFile merges versions of a file of the branch. Shards are merged by Union. Any other file
// was put there by someone else; the version with the larger bytes wins, in every clone.
func mergeFile(path string, versions [][]byte) []byte {
	if _, _, ok := parseShardPath(path); ok {
		return Union(versions...)
	}
	return slices.MaxFunc(versions, bytes.Compare)
}

// missing returns the complete lines of content that known does not have, in the order
// of content.
func missing(content, known []byte) [][]byte {
	have := make(map[string]bool)
	for _, line := range lines(known) {
		have[string(line)] = true
	}
	var out [][]byte
	for _, line := range lines(content) {
		if !have[string(line)] && whole(line) {
			out = append(out, line)
		}
	}
	return out
}

// prefer chooses between two records with one id: the finished over the
// partial, then the newer version, then the one that failed (a failure is
// never hidden), then the larger bytes. It depends on nothing else, so every
// clone chooses the same.
func prefer(a, b *Record) *Record {
	switch {
	case a.Partial != b.Partial:
		return pick(b.Partial, a, b)
	case a.V != b.V:
		return pick(a.V > b.V, a, b)
	case a.clean() != b.clean():
		return pick(b.clean(), a, b)
	}
	return pick(bytes.Compare(a.line, b.line) > 0, a, b)
}

func pick(first bool, a, b *Record) *Record {
	if first {
		return a
	}
	return b
}

// clean says that the run was seen to exit with 0.
func (r *Record) clean() bool { return r.Exit != nil && *r.Exit == 0 && r.Signal == "" && !r.TimedOut }
