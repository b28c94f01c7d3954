package manifest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/gitrepo"
	"cairn/result"
)

// unfolded is a shard that may hold lines which the branch lacks.
type unfolded struct {
	path   string
	from   int64 // bytes at the beginning that are known to be on the branch
	size   int64 // bytes of complete appends
	verify bool  // from is not known: the shard is compared with blob line by line
	blob   string
}

// plan lists what a fold has to look at.
type plan struct {
	writer   string
	days     []day            // days with a mark
	ends     map[day]position // where the shards of a day end: of all marked days, and maybe of others
	unfolded []unfolded
	lost     bool // some shards to verify have no blob yet: see lookUp
	shrunk   bool // shards are gone, or shorter than when they were folded
}

// plan finds the shards with lines that may be missing from the branch at tip. If all
// is set, every shard is compared with the branch, whatever fold.json says.
func (m *Manifest) plan(ctx context.Context, st foldState, tip string, all bool) (plan, error) {
	all = all || st.Tip == "" || tip == "" || st.Branch != m.opts.Branch.Name()
	var p plan
	if !all && tip != st.Tip {
		moved, err := m.opts.Branch.FilesChanged(ctx, st.Tip, tip)
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		all = err != nil // an error: the old tip no longer exists
		for _, f := range moved {
			if _, _, ok := parseShardPath(f.Path); ok {
				p.unfolded = append(p.unfolded, unfolded{path: f.Path, blob: f.OID, verify: true})
			}
		}
	}
	if err := m.survey(ctx, st, all, &p); err != nil {
		return p, err
	}
	if p.lost && tip != "" {
		if err := m.lookUp(ctx, tip, p.unfolded); err != nil {
			return p, err
		}
	}
	return p, m.measureBlobs(ctx, p.unfolded)
}

// measureBlobs refuses to compare a shard with a blob larger than any shard: somebody
// else has put it there, and reading it would take too much memory.
func (m *Manifest) measureBlobs(ctx context.Context, shards []unfolded) error {
	var files []gitrepo.File
	for _, t := range shards {
		if t.verify && t.blob != "" {
			files = append(files, gitrepo.File{Path: t.path, OID: t.blob, Size: -1})
		}
	}
	files, err := m.sized(ctx, files)
	for _, f := range files {
		if f.Size > maxRead {
			return errors.New("on the branch " + m.opts.Branch.Name() + ": " + oversized(f))
		}
	}
	return err
}

// survey adds to p the sizes of this clone's shards. It holds the append lock, so that
// every byte it counts belongs to a finished append.
func (m *Manifest) survey(ctx context.Context, st foldState, all bool, p *plan) error {
	unlock, err := lock(ctx, m.path(appendLock), lockPatience)
	if err != nil {
		return err
	}
	defer unlock()
	if p.writer, err = m.readWriter(); err != nil {
		return err
	}
	if p.days, err = m.pendingDays(); err != nil {
		return err
	}
	all = all || p.writer != st.Writer
	p.ends = make(map[day]position)
	for _, d := range p.days {
		if p.ends[d], err = m.end(d, p.writer, st.Days[d]); err != nil {
			return err
		}
	}
	if all {
		p.lost, p.shrunk = true, m.lost(st)
		p.unfolded, err = m.ownShards()
		p.addEnds()
		return err
	}
	if err := m.sizeMoved(p); err != nil {
		return err
	}
	return m.addPending(st, p)
}

// addEnds finds the ends of days in a list of all shards, so that they are known even
// if marks were lost.
func (p *plan) addEnds() {
	for _, t := range p.unfolded {
		d, name, _ := parseShardPath(t.path)
		number, own := strings.CutPrefix(strings.TrimSuffix(name, ".jsonl"), p.writer+"-")
		if n, err := strconv.Atoi(number); own && err == nil && n >= p.ends[d].N {
			p.ends[d] = position{N: n, Size: t.size}
		}
	}
}

// sizeMoved sets the sizes of the shards that differ between two tips, and drops shards
// that this clone does not have.
func (m *Manifest) sizeMoved(p *plan) error {
	moved := p.unfolded
	p.unfolded = nil
	for _, t := range moved {
		fi, err := os.Stat(m.path(t.path))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		t.size = fi.Size()
		p.unfolded = append(p.unfolded, t)
	}
	return nil
}

// addPending adds the unfolded ends of the shards of the marked days. A day without an
// entry in fold.json has not been folded yet, so all of it is new. But if a later day
// has an entry, the entry of this day may have been lost: then the shards of the day
// are compared with the branch.
func (m *Manifest) addPending(st foldState, p *plan) error {
	for _, d := range p.days {
		from, known := st.Days[d]
		to := p.ends[d]
		shrunk := to.N < from.N || to.N == from.N && to.Size < from.Size
		verify := shrunk || !known && d < st.newest() || !m.goesOn(d, p.writer, from)
		if verify {
			from, p.lost = position{}, true
		}
		p.shrunk = p.shrunk || shrunk
		for n := max(from.N, 1); n <= to.N; n++ {
			t := unfolded{path: shardPath(d, p.writer, n), verify: verify}
			fi, err := os.Stat(m.path(t.path))
			if errors.Is(err, fs.ErrNotExist) {
				p.shrunk = true // the later shards are still folded
				continue
			}
			if err != nil {
				return fmt.Errorf("looking at a shard: %w", err)
			}
			t.size = fi.Size()
			if n == from.N {
				t.from = from.Size
			}
			moved := slices.ContainsFunc(p.unfolded, func(o unfolded) bool { return o.path == t.path })
			if t.size != t.from && !moved {
				p.unfolded = append(p.unfolded, t)
			}
		}
	}
	return nil
}

// goesOn says whether a line begins at a remembered position. That is not so if the
// shard became shorter and then longer again, as in a repair by hand.
func (m *Manifest) goesOn(d day, writer string, from position) bool {
	if from.N == 0 || from.Size == 0 {
		return true
	}
	f, err := os.Open(m.path(shardPath(d, writer, from.N)))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	var around [2]byte // the newline before the position, or the newline after it that ended a torn line
	n, _ := f.ReadAt(around[:], from.Size-1)
	return n < 2 || around[0] == '\n' || around[1] == '\n'
}

// lookUp finds the blobs of the shards in the tree of a commit.
func (m *Manifest) lookUp(ctx context.Context, commit string, shards []unfolded) error {
	files, err := m.opts.Branch.Files(ctx, commit)
	if err != nil {
		return err
	}
	blobs := make(map[string]string, len(files))
	for _, f := range files {
		blobs[f.Path] = f.OID
	}
	for i := range shards {
		if shards[i].verify {
			shards[i].blob = blobs[shards[i].path]
		}
	}
	return nil
}

// ownShards lists every shard of this clone with its size.
func (m *Manifest) ownShards() ([]unfolded, error) {
	var out []unfolded
	root := m.path(shardsDir)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(m.dir)+"/")
		if _, _, ok := parseShardPath(rel); !ok || e.IsDir() {
			return nil
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		out = append(out, unfolded{path: rel, size: fi.Size(), verify: true})
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the shards: %w", err)
	}
	return out, nil
}

// commit folds some shards in one commit, if they have anything to fold.
func (m *Manifest) commit(ctx context.Context, shards []unfolded, r *Report) error {
	var changes []gitrepo.Change
	var recs []*Record
	folded := 0
	err := m.eachMissing(ctx, shards, func(t unfolded, shared []byte, lines [][]byte) {
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
		subject = result.Count(folded, "line") + " that this version cannot read"
	}
	commit, err := m.opts.Branch.Commit(ctx, changes, subject, body, m.opts.Now())
	if err != nil {
		return err
	}
	r.Commit = commit
	r.Folded += folded
	return nil
}

// eachMissing visits the shards that have lines which are not on the branch. It passes
// all complete lines of the shard (shared) and those of them that are new.
func (m *Manifest) eachMissing(ctx context.Context, shards []unfolded, visit func(t unfolded, shared []byte, lines [][]byte)) error {
	compare := make(map[string][]unfolded) // by blob id
	contents := make(map[string][]byte)
	var blobs []string
	for _, t := range shards {
		content, err := m.readUnfolded(t)
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

// readUnfolded reads a shard up to the end of its last finished append.
func (m *Manifest) readUnfolded(t unfolded) ([]byte, error) {
	content, err := os.ReadFile(m.path(t.path))
	if err != nil {
		return nil, fmt.Errorf("reading a shard: %w", err)
	}
	if int64(len(content)) < t.size {
		return nil, fmt.Errorf("%s became shorter while it was folded; try again", t.path)
	}
	return content[:t.size], nil
}

// shareable are the complete lines of a shard. A line that a crash cut off does not go
// to the branch: it stays in this clone's shard.
func shareable(content []byte) []byte {
	return bytes.Join(append(missing(content, nil), nil), []byte{'\n'})
}
