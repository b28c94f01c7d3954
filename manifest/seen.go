package manifest

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"cairn/internal/durable"
)

// Records of other clones arrive as commits: on the branch, or on the branches of
// remotes. Shards in them with a line that no shard of this clone has are copied to a
// folder, the seen shards, in the same layout. seen.json names the commits that were
// copied, so that nothing is read while no branch moves, and only the difference if one
// does.

// seenState names the commits whose lines the seen shards hold.
type seenState struct {
	Gen  int               `json:"gen"`  // number of the folder in use
	Tips map[string]string `json:"tips"` // ref to commit
	// TooLarge are the shards that were refused for their size, each with its ref.
	TooLarge map[string]string `json:"too_large,omitempty"`
	// Copied says that the folder exists; otherwise this clone's own shards hold all lines.
	Copied bool `json:"copied,omitempty"`
}

func (m *Manifest) seenRoot(st seenState) string { return m.path(seenDir + "/" + strconv.Itoa(st.Gen)) }

func (m *Manifest) loadSeen() seenState {
	var st seenState
	if b, err := os.ReadFile(m.path(seenFile)); err != nil || json.Unmarshal(b, &st) != nil {
		return seenState{}
	}
	if st.Copied {
		if _, err := os.Stat(m.seenRoot(st)); errors.Is(err, fs.ErrNotExist) {
			return seenState{Gen: st.Gen} // everything is copied again
		}
	}
	return st
}

// see brings the seen shards up to date and returns their folder; "" if there is no
// folder.
func (m *Manifest) see(ctx context.Context) (string, error) {
	if m.opts.Branch == nil {
		return "", nil
	}
	st := m.loadSeen()
	tips, err := m.tips(ctx)
	if err == nil && !maps.Equal(tips, st.Tips) {
		st, err = m.seeTips(ctx, tips)
	}
	for path, ref := range st.TooLarge {
		m.warnOnce(Warning{File: ref + ":" + path, Text: fmt.Sprintf("this shard was not read: no shard has more than %d bytes", maxRead)})
	}
	if len(st.Tips) == 0 {
		return "", err
	}
	return m.seenRoot(st), err
}

// tips lists this branch and the remotes' branches with their commits.
func (m *Manifest) tips(ctx context.Context) (map[string]string, error) {
	tips := make(map[string]string)
	own, err := m.opts.Branch.Tip(ctx)
	if err != nil {
		return nil, err
	}
	if own != "" {
		tips["refs/heads/"+m.opts.Branch.Name()] = own
	}
	remotes, err := m.opts.Branch.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range remotes {
		tips[r.Ref] = r.Commit
	}
	return tips, nil
}

// seeTips copies the new shards of tips and remembers the tips.
func (m *Manifest) seeTips(ctx context.Context, tips map[string]string) (seenState, error) {
	unlock, err := lock(ctx, m.path(seenLock), lockPatience)
	if err != nil {
		st := m.loadSeen()
		if (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC)) && m.onlyFolded(st.Tips, tips) {
			err = nil
		}
		return st, err
	}
	defer unlock()
	old := m.loadSeen() // another process may have copied meanwhile
	st, err := m.advance(ctx, old, tips)
	if errors.Is(err, errRewritten) {
		st, err = m.advance(ctx, seenState{Gen: old.Gen + 1}, tips)
	}
	if err != nil {
		return old, fmt.Errorf("reading what other clones shared: %w", err)
	}
	b, err := json.Marshal(st)
	if err == nil {
		err = replace(m.path(seenFile), append(b, '\n'), false)
	}
	if err != nil {
		return st, nil // the shards were copied; if the state was not, as on a full disk, the next reader copies again
	}
	// A reader may still use the previous folder, but not an older one.
	os.RemoveAll(m.seenRoot(seenState{Gen: st.Gen - 2}))
	return st, nil
}

// onlyFolded says whether this clone itself folded everything that is new in tips: its
// shards hold it already, so no line is missed even if the cairn directory cannot be
// written.
func (m *Manifest) onlyFolded(old, tips map[string]string) bool {
	for ref, commit := range tips {
		if old[ref] != commit && (ref != "refs/heads/"+m.opts.Branch.Name() || m.loadFold().Tip != commit) {
			return false
		}
	}
	return true
}

// errRewritten says that a ref no longer contains its old commit, so that the seen
// shards have to be copied again.
var errRewritten = errors.New("a branch was rewritten or removed")

// advance copies the shards that tips have and st does not.
func (m *Manifest) advance(ctx context.Context, st seenState, tips map[string]string) (seenState, error) {
	known := make(map[string]bool)
	base := ""
	for ref, commit := range st.Tips {
		if _, ok := tips[ref]; !ok {
			return st, errRewritten
		}
		known[commit], base = true, commit
	}
	next := seenState{Gen: st.Gen, Tips: tips, TooLarge: maps.Clone(st.TooLarge), Copied: st.Copied}
	for ref, commit := range tips {
		if known[commit] {
			continue
		}
		from := st.Tips[ref]
		gone := from != ""        // then a shard missing from the new commit means a rewritten branch
		from = cmp.Or(from, base) // to see only the difference, any commit seen before will do
		if err := m.copyShards(ctx, &next, ref, from, gone); err != nil {
			return st, err
		}
		known[commit], base = true, commit
	}
	return next, nil
}

// copyShards copies the shards of a ref that differ from another commit.
func (m *Manifest) copyShards(ctx context.Context, st *seenState, ref, from string, gone bool) error {
	to := st.Tips[ref]
	changed, err := m.opts.Branch.FilesChanged(ctx, from, to)
	if err != nil && from != "" && ctx.Err() == nil {
		return errRewritten // the old commit no longer exists
	}
	if err != nil {
		return err
	}
	paths := make(map[string][]string) // blob id to its paths
	var oids []string
	for _, f := range changed {
		if _, _, ok := parseShardPath(f.Path); !ok {
			continue
		}
		if f.OID == "" && gone {
			return errRewritten
		}
		if f.OID == "" || m.ownBlob(f.Path, f.OID) {
			continue
		}
		if paths[f.OID] == nil {
			oids = append(oids, f.OID)
		}
		paths[f.OID] = append(paths[f.OID], f.Path)
	}
	if oids, err = m.measured(ctx, st, ref, paths, oids); err != nil {
		return err
	}
	var written []string
	err = m.opts.Branch.ReadBlobs(ctx, oids, func(oid string, data []byte) error {
		for _, p := range paths[oid] {
			if m.covers(p, data) {
				continue
			}
			path := filepath.Join(m.seenRoot(*st), filepath.FromSlash(p))
			if err := addLines(path, data); err != nil {
				return err
			}
			written, st.Copied = append(written, path), true
		}
		return nil
	})
	if err != nil {
		return err
	}
	return syncFiles(written)
}

// measured returns the blobs that are small enough to be read, and notes the others in TooLarge.
func (m *Manifest) measured(ctx context.Context, st *seenState, ref string, paths map[string][]string, oids []string) ([]string, error) {
	sizes, err := m.opts.Branch.BlobSizes(ctx, oids)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(oids, func(oid string) bool {
		large := sizes[oid] > maxRead
		for _, p := range paths[oid] {
			if !large {
				delete(st.TooLarge, p)
				continue
			}
			if st.TooLarge == nil {
				st.TooLarge = make(map[string]string)
			}
			st.TooLarge[p] = ref
		}
		return large
	}), nil
}

// ownBlob says whether this clone's shard at path is identical to the blob oid.
func (m *Manifest) ownBlob(path, oid string) bool {
	own, err := os.ReadFile(m.path(path))
	return err == nil && blobHash(own, oid) == oid
}

// covers says whether this clone's shard at path has every line of data.
func (m *Manifest) covers(path string, data []byte) bool {
	own, err := os.ReadFile(m.path(path))
	if err != nil {
		return false
	}
	have := make(map[string]bool)
	for _, line := range lines(own) {
		have[string(line)] = true
	}
	for _, line := range lines(data) {
		if !have[string(line)] {
			return false
		}
	}
	return true
}

// addLines adds the lines of data to the file at path, without a sync.
func addLines(path string, data []byte) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return replace(path, Union(old, data), false)
}

// syncFiles syncs files after all of them are written, which is far cheaper than one by
// one. It must run before the state says that their commits were seen.
func syncFiles(paths []string) error {
	dirs := make(map[string]bool)
	for _, p := range paths {
		f, err := os.OpenFile(p, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
		for d := filepath.Dir(p); !dirs[d] && filepath.Base(d) != localDir; d = filepath.Dir(d) {
			dirs[d] = true
			if err := durable.SyncDir(d); err != nil {
				return err
			}
		}
	}
	return nil
}

// blobHash is git's id of content as a blob, in the hash function that the id like uses.
func blobHash(content []byte, like string) string {
	var h hash.Hash
	if len(like) == sha256.Size*2 {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
