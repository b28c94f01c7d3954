package manifest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/internal/gitrepo"
)

// commit folds some shards in one commit, if they have anything to fold.
func (m *Manifest) commit(ctx context.Context, tails []tail, r *Report) error {
	var changes []gitrepo.Change
	var recs []*Record
	folded := 0
	err := m.eachMissing(ctx, tails, func(t tail, shared []byte, lines [][]byte) {
		changes = append(changes, gitrepo.Change{Path: t.path, Merge: func(old []byte) []byte { return Union(old, shared) }})
		folded += len(lines)
		for _, line := range lines {
			if rec, err := Decode(line); err == nil {
				recs = append(recs, rec)
			}
		}
	})
	if err != nil || len(changes) == 0 {
		return err
	}
	slices.SortFunc(recs, func(a, b *Record) int { return strings.Compare(a.ID, b.ID) })
	subject, body := message(recs)
	if subject == "" {
		subject = plural(folded, "line") + " that this version cannot read"
	}
	commit, err := m.opts.Branch.Commit(ctx, changes, subject, body, m.opts.Now())
	if err != nil {
		return err
	}
	r.Commit = commit
	r.Folded += folded
	return nil
}

// eachMissing visits the shards that have lines which the branch has not:
// shared is all of a shard that is fit for the branch, lines what is new.
func (m *Manifest) eachMissing(ctx context.Context, tails []tail, visit func(t tail, shared []byte, lines [][]byte)) error {
	compare := make(map[string][]tail) // by blob
	contents := make(map[string][]byte)
	var blobs []string
	for _, t := range tails {
		content, err := m.readTail(t)
		if err != nil {
			return err
		}
		if t.verify && t.blob != "" {
			if blobHash(content, t.blob) == t.blob {
				continue
			}
			if compare[t.blob] == nil {
				blobs = append(blobs, t.blob)
			}
			compare[t.blob] = append(compare[t.blob], t)
			contents[t.path] = content
			continue
		}
		if fresh := missing(content[t.from:], nil); len(fresh) > 0 {
			visit(t, shareable(content), fresh)
		}
	}
	return m.opts.Branch.ReadBlobs(ctx, blobs, func(oid string, data []byte) error {
		for _, t := range compare[oid] {
			if fresh := missing(contents[t.path], data); len(fresh) > 0 {
				visit(t, shareable(contents[t.path]), fresh)
			}
		}
		return nil
	})
}

// readTail reads the finished appends of a shard.
func (m *Manifest) readTail(t tail) ([]byte, error) {
	content, err := os.ReadFile(m.path(t.path))
	if err != nil {
		return nil, fmt.Errorf("reading a shard: %w", err)
	}
	if int64(len(content)) < t.size {
		return nil, fmt.Errorf("%s became shorter while it was folded; try again", t.path)
	}
	return content[:t.size], nil
}

// shareable is the complete lines of a shard. What a crash tore stays in the
// clone that it happened in.
func shareable(content []byte) []byte {
	return bytes.Join(append(missing(content, nil), nil), []byte{'\n'})
}
