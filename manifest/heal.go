package manifest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/gitrepo"
)

// The branch and the shards hold the same lines, and each can restore the other: a fold
// adds to the branch what it lacks, Heal adds to the shards what only the branch has,
// and a branch that names objects which are gone is made again from the shards.

// errNotOurs says that the branch of the configured name holds no manifest.
var errNotOurs = errors.New("a branch of this name holds no manifest, so it is someone else's and is not written to; choose another name: git config cairn.branch NAME")

// checkOurs refuses a branch that holds no shard at all, because it is someone else's.
// It looks only if the tip is not the one that this clone last made or saw.
func (m *Manifest) checkOurs(ctx context.Context, st foldState, tip string) error {
	if tip == "" || tip == st.Tip && m.opts.Branch.Name() == st.Branch {
		return nil
	}
	files, err := m.opts.Branch.Files(ctx, tip)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(files, func(f gitrepo.File) bool { _, _, ok := parseShardPath(f.Path); return ok }) {
		return nil
	}
	return fmt.Errorf("the branch %q: %w", m.opts.Branch.Name(), errNotOurs)
}

// remake makes a damaged branch again from all lines that this clone has: its own and
// those of others that it has seen. The branch's history is lost, but no record.
func (m *Manifest) remake(ctx context.Context, tip string, why error) error {
	roots := []string{m.dir}
	if st := m.loadSeen(); len(st.Tips) > 0 {
		roots = append(roots, m.seenRoot(st))
	}
	var paths []string
	for _, root := range roots {
		found, err := shardsIn(root)
		if err != nil {
			return err
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if err := m.opts.Branch.Drop(ctx, tip); err != nil {
		return errors.Join(why, err)
	}
	m.opts.Warn(Warning{Text: fmt.Sprintf("the branch %s was damaged (%v); it is made anew of all records that this clone has", m.opts.Branch.Name(), why)})
	for group := range slices.Chunk(paths, foldShards) {
		var changes []gitrepo.Change
		for _, path := range group {
			lines := linesOf(roots, path)
			changes = append(changes, gitrepo.Change{Path: path, Merge: func(old []byte) []byte { return Union(old, lines) }})
		}
		if _, err := m.opts.Branch.Commit(ctx, changes, "all records once more: the branch was damaged", "", m.opts.Now()); err != nil {
			return err
		}
	}
	return nil
}

// shardsIn lists the slash paths of the shards below a folder.
func shardsIn(root string) (paths []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, shardsDir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel := strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(root)+"/")
		if _, _, ok := parseShardPath(rel); ok {
			paths = append(paths, rel)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return paths, err
}

// linesOf is the union of a shard's complete lines in several folders.
func linesOf(roots []string, path string) []byte {
	var versions [][]byte
	for _, root := range roots {
		if content, err := readInto(nil, filepath.Join(root, filepath.FromSlash(path))); err == nil {
			versions = append(versions, shareable(content))
		}
	}
	return Union(versions...)
}

// Lost says whether shards are gone, or shorter than when they were folded. It is
// cheap: it checks only the days in fold.json.
func (m *Manifest) Lost() bool { return m.lost(m.loadFold()) }

func (m *Manifest) lost(st foldState) bool {
	if st.Lost {
		return true
	}
	for d, p := range st.Days {
		if !m.stands(d, st.Writer, p) {
			return true
		}
	}
	return false
}

// healed removes from fold.json the positions in shards that are gone for good.
func (m *Manifest) healed(ctx context.Context) error {
	unlock, err := lock(ctx, m.path(foldLock), foldPatience)
	if err != nil {
		return err
	}
	defer unlock()
	st := m.loadFold()
	was := len(st.Days)
	maps.DeleteFunc(st.Days, func(d day, p position) bool { return !m.stands(d, st.Writer, p) })
	if !st.Lost && len(st.Days) == was {
		return nil
	}
	st.Lost = false
	return m.saveFold(st)
}

// standing is how many shards of a day stands checks. Heal checks all of them.
const standing = 16

// stands says whether the last shards of a day, and the first one, still exist and are
// at least as long as when they were folded.
func (m *Manifest) stands(d day, writer string, p position) bool {
	for n := p.N; n > 0; n-- {
		fi, err := os.Stat(m.path(shardPath(d, writer, n)))
		if err != nil || n == p.N && fi.Size() < p.Size {
			return false
		}
		if n > 2 && n <= p.N-standing {
			n = 2 // next is shard 1
		}
	}
	return true
}

// Heal compares the branch with the shards and gives each what only the other has. It
// returns how many lines came back from the branch. It must run before a check reports
// that all is well, and before objects are deleted because no record names them.
func (m *Manifest) Heal(ctx context.Context) (restored int, err error) {
	if m.opts.Branch == nil {
		return 0, nil
	}
	// If the branch refuses the fold, the lines stay in the shards, and nothing is
	// lost.
	if _, err := m.Fold(ctx, FoldOptions{Wait: true, Check: true}); err != nil {
		return 0, err
	}
	tip, err := m.opts.Branch.Tip(ctx)
	if err == nil && tip == "" {
		err = m.healed(ctx)
	}
	if err != nil || tip == "" {
		return 0, err
	}
	files, err := m.opts.Branch.Files(ctx, tip)
	if err != nil {
		return 0, err
	}
	writer, err := m.readWriter()
	if err != nil {
		return 0, err
	}
	if _, err := m.see(ctx); err != nil {
		return 0, err
	}
	files, err = m.readable(ctx, files)
	if err != nil {
		return 0, err
	}
	missed := false
	paths := make(map[string][]string) // by blob id
	var oids []string
	for _, f := range files {
		if !m.ownBlob(f.Path, f.OID) {
			oids, paths[f.OID] = append(oids, f.OID), append(paths[f.OID], f.Path)
		}
	}
	err = m.opts.Branch.ReadBlobs(ctx, oids, func(oid string, data []byte) error {
		for _, path := range paths[oid] {
			n, lost, err := m.giveBack(ctx, path, writer, data)
			if err != nil {
				return err
			}
			restored, missed = restored+n, missed || lost
		}
		return nil
	})
	if err == nil && (missed || restored > 0) {
		err = m.forgetSeen(ctx)
	}
	if err == nil {
		err = m.healed(ctx)
	}
	return restored, err
}

// giveBack appends lines of the branch that this clone's shard lacks to that shard. For
// another clone's shard it changes nothing; lost then says that lines are missing here,
// which have to be copied from the branch again.
func (m *Manifest) giveBack(ctx context.Context, path, writer string, data []byte) (n int, lost bool, err error) {
	_, name, _ := parseShardPath(path)
	if !strings.HasPrefix(name, writer+"-") || writer == "" {
		roots := []string{m.dir, m.seenRoot(m.loadSeen())}
		return 0, len(missing(data, linesOf(roots, path))) > 0, nil
	}
	unlock, err := lock(ctx, m.path(appendLock), lockPatience)
	if err != nil {
		return 0, false, err
	}
	defer unlock()
	own, err := os.ReadFile(m.path(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, false, err
	}
	back := missing(data, own)
	if len(back) == 0 {
		return 0, false, nil
	}
	if len(own) > 0 && own[len(own)-1] != '\n' {
		own = append(own, '\n') // ends a torn line; the bytes that were folded stay where they were
	}
	for _, line := range back {
		own = append(append(own, line...), '\n')
	}
	return len(back), false, replace(m.path(path), own, true)
}

// forgetSeen makes the next reader look at all shards of all branches again.
func (m *Manifest) forgetSeen(ctx context.Context) error {
	unlock, err := lock(ctx, m.path(seenLock), lockPatience)
	if err != nil {
		return err
	}
	defer unlock()
	b, err := json.Marshal(seenState{Gen: m.loadSeen().Gen + 1})
	if err != nil {
		return err
	}
	return replace(m.path(seenFile), append(b, '\n'), false)
}

// Merge brings the records of the remotes' branches into this clone's branch as one
// merge commit, so that pushing it is a fast-forward. It folds first. Reading does not
// need a merge, since a reader reads the remotes' branches too.
func (m *Manifest) Merge(ctx context.Context) (Report, error) {
	r, err := m.Fold(ctx, FoldOptions{Wait: true})
	if err != nil || r.Why != "" {
		return r, err
	}
	unlock, err := lock(ctx, m.path(foldLock), foldPatience)
	if err != nil {
		return r, err
	}
	defer unlock()
	remotes, err := m.opts.Branch.Remotes(ctx)
	if err != nil {
		r.fail(r.Pending, err)
		return r, nil
	}
	var tips, names []string
	for _, t := range remotes {
		switch why, err := m.unfit(ctx, t.Commit); {
		case err != nil:
			r.fail(r.Pending, err)
			return r, nil
		case why != "":
			r.Why, r.Trouble = t.Ref+" was not merged: "+why, true
			continue
		}
		tips = append(tips, t.Commit)
		names = append(names, strings.TrimPrefix(t.Ref, "refs/remotes/"))
	}
	if len(tips) == 0 {
		return r, nil
	}
	before, err := m.opts.Branch.Tip(ctx)
	if err == nil && before != "" {
		err = m.checkSizes(ctx, before)
	}
	if err != nil {
		r.fail(r.Pending, err)
		return r, nil
	}
	after, err := m.opts.Branch.MergeTips(ctx, tips, mergeFile, "merge records of "+strings.Join(names, ", "), m.opts.Now())
	if err != nil {
		r.fail(r.Pending, err)
		return r, nil
	}
	if after != before {
		r.Commit = after
	}
	return r, nil
}

// unfit says why a commit of another clone must not be merged: it holds no manifest, or
// a shard that is too large to be read. It is "" if the commit is fine.
func (m *Manifest) unfit(ctx context.Context, commit string) (why string, err error) {
	files, err := m.opts.Branch.Files(ctx, commit)
	if err != nil {
		return "", err
	}
	shards, err := m.sized(ctx, files)
	if err == nil && len(shards) == 0 {
		why = "it holds no manifest"
	}
	for _, f := range shards {
		if f.Size > maxRead {
			return oversized(f), err
		}
	}
	return why, err
}

// checkSizes refuses a commit of this clone's branch with a shard that is too large to
// be read. The commit may come from elsewhere, if someone reset the branch to a fetched
// commit.
func (m *Manifest) checkSizes(ctx context.Context, commit string) error {
	why, err := m.unfit(ctx, commit)
	if err == nil && why != "" {
		err = errors.New("on the branch " + m.opts.Branch.Name() + ": " + why)
	}
	return err
}

// readable are the shards among files that are at most maxRead bytes.
func (m *Manifest) readable(ctx context.Context, files []gitrepo.File) ([]gitrepo.File, error) {
	shards, err := m.sized(ctx, files)
	return slices.DeleteFunc(shards, func(f gitrepo.File) bool { return f.Size > maxRead }), err
}

// sized are the shards among files, with their sizes, which it asks git for if they are
// not known.
func (m *Manifest) sized(ctx context.Context, files []gitrepo.File) (shards []gitrepo.File, err error) {
	var unknown []string
	for _, f := range files {
		if _, _, ok := parseShardPath(f.Path); !ok || f.OID == "" {
			continue
		}
		if shards = append(shards, f); f.Size < 0 {
			unknown = append(unknown, f.OID)
		}
	}
	if len(unknown) == 0 {
		return shards, nil
	}
	sizes, err := m.opts.Branch.BlobSizes(ctx, unknown)
	for i := range shards {
		if n, ok := sizes[shards[i].OID]; ok {
			shards[i].Size = n
		}
	}
	return shards, err
}

func oversized(f gitrepo.File) string {
	return fmt.Sprintf("%s has %d bytes, and no shard has more than %d", f.Path, f.Size, maxRead)
}
