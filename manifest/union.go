package manifest

import (
	"bytes"
	"slices"
)

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

// mergeFile merges versions of a file of the branch. What is not a shard was
// put there by someone else; the larger bytes win, whoever merges.
func mergeFile(path string, versions [][]byte) []byte {
	if _, _, ok := parseShardPath(path); ok {
		return Union(versions...)
	}
	return slices.MaxFunc(versions, bytes.Compare)
}

// missing gives the complete lines of content that known does not have, in
// the order of content.
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
func (r *Record) clean() bool {
	return r.Exit != nil && *r.Exit == 0 && r.Signal == "" && !r.TimedOut
}
