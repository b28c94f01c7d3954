package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// MaxShard is the size at which a shard is closed, in bytes. A fold
	// rewrites the open shard of a writer as a whole, so its size is the cost
	// of a fold; and hosts stop rendering larger files in a diff.
	MaxShard = 64 << 10
	// MaxLine is the size of the longest line with its newline, in bytes: a
	// line lies in one shard.
	MaxLine = MaxShard
)

// shardsDir is the folder of the shards, in the cairn directory and in the
// tree of the branch alike.
const shardsDir = "manifest"

// day is a UTC day as the path of its shards says it: "2026/11/20".
type day string

func dayOf(t time.Time) day { return day(t.UTC().Format("2006/01/02")) }

// shardPath is the slash path of shard n of writer on d.
func shardPath(d day, writer string, n int) string {
	return shardsDir + "/" + string(d) + "/" + writer + "-" + strconv.Itoa(n) + ".jsonl"
}

// parseShardPath takes apart a path of a shard. Trees are made by others:
// what it accepts is safe to join to a directory.
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

func digits(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789") == ""
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// lastShard is the number of the last shard of writer on d, 0 when there is
// none. Shards are numbered from 1 without a gap, so doubling and then
// halving the step finds the end in a few looks, however many there are; from
// a good hint, in two.
func (m *Manifest) lastShard(d day, writer string, hint int) (int, error) {
	has := func(n int) (bool, error) {
		_, err := os.Lstat(m.path(shardPath(d, writer, n)))
		if os.IsNotExist(err) {
			return false, nil
		}
		return err == nil, err
	}
	low, step := 0, 1 // low is there, or none is
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
	for high := low + step; high-low > 1; { // high is not there
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

// path is where a slash path below the cairn directory lies.
func (m *Manifest) path(slash string) string {
	return filepath.Join(m.dir, filepath.FromSlash(slash))
}
