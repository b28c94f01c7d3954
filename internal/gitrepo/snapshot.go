package gitrepo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// treeState is a snapshot of a working tree: the id of its tree, and the stat data of
// all files that decide about it. It is valid as long as no stat data has changed. If
// only contents changed, and git adds files without converting them, the new id is
// computed from the entries.
type treeState struct {
	id      string
	base    string // see WorktreeReader.base
	plain   bool   // git adds files without converting them, so the tree can be computed from entries
	staged  bool   // the index differs from HEAD, or a tracked file is missing
	entries []leaf
	folders []folder
}

// leaf is a file or link of the tree, in the order of the index.
type leaf struct {
	path  string
	mode  string // as git writes it: "100644"
	oid   string // hex
	index string // mode, blank and object in the index; "" if untracked
	fixed bool   // git ignores changes of the file: skip-worktree, assume-unchanged
	stamp stamp
}

// folder is a folder that git does not ignore. names is a hash of the names and kinds
// of its entries, so that a changed stamp alone does not matter.
type folder struct {
	path     string
	names    uint64
	patterns stamp // of its .gitignore, which may be ignored itself
	stamp    stamp
}

// Limits for computing a new id without git.
const (
	maxRenewed      = 64
	maxRenewedBytes = 4 << 20
)

// base identifies everything else that decides about the tree: HEAD, the index, the
// configuration and pattern files outside of the tree. It is "" if that is not known
// for certain.
func (w *WorktreeReader) base() string {
	all, ok := w.repo.fileSettings()
	system, _ := systemConfig()
	if !ok || all["core.sparsecheckout"] == "true" {
		return ""
	}
	files := append(system, globalConfig()...)
	files = append(files, filepath.Join(w.repo.CommonDir, "config"), filepath.Join(w.repo.GitDir, "config.worktree"),
		filepath.Join(w.repo.CommonDir, "info", "exclude"), w.repo.InfoAttributes(), w.userIndex())
	files = append(files, patternFiles(all)...)
	sum := sha256.New()
	fmt.Fprintln(sum, w.repo.Commit, w.repo.Tree, w.repo.TopLevel)
	for _, path := range files {
		fmt.Fprintf(sum, "%s %+v\n", path, lstamp(path))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// patternFiles are the user's own files of ignored names and of attributes.
func patternFiles(settings map[string]string) (paths []string) {
	for _, f := range [][2]string{{"core.excludesfile", "ignore"}, {"core.attributesfile", "attributes"}} {
		if path := settings[f[0]]; path != "" {
			if rest, ok := strings.CutPrefix(path, "~/"); ok {
				path = filepath.Join(os.Getenv("HOME"), rest)
			}
			paths = append(paths, path)
			continue
		}
		for _, config := range globalConfig() {
			paths = append(paths, filepath.Join(filepath.Dir(config), f[1]))
		}
		paths = append(paths, filepath.Join(os.Getenv("HOME"), ".config", "git", f[1]))
	}
	return paths
}

// asIs says whether git neither filters nor converts the files it adds, and uses their modes.
func (w *WorktreeReader) asIs(s *treeState, ignored map[string]bool) bool {
	all, ok := w.repo.fileSettings()
	off := func(key string, fine ...string) bool { return all[key] == "" || slices.Contains(fine, all[key]) }
	if !ok || !off("core.autocrlf", "false", "no", "0") || !off("core.filemode", "true") || !off("core.symlinks", "true") || runtime.GOOS == "windows" {
		return false
	}
	_, own := os.Lstat(w.repo.InfoAttributes())
	for _, path := range patternFiles(all) {
		if _, err := os.Lstat(path); err == nil && strings.HasSuffix(path, "attributes") {
			return false
		}
	}
	named := func(path string) bool { return path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes") }
	for path := range ignored {
		if named(path) {
			return false
		}
	}
	return own != nil && all["core.attributesfile"] == "" && !slices.ContainsFunc(s.entries, func(e leaf) bool { return named(e.path) })
}

func lstamp(path string) stamp {
	st, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	return stampOf(st)
}

// addEntry reads a line of listIndex: "H 100644 OID STAGE\tPATH". The tag is S if a
// sparse checkout leaves the file out, and a small letter if git was told that the file
// does not change.
func (s *treeState) addEntry(line string, seen *seen) {
	head, path, ok := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if !ok || len(f) != 4 {
		return
	}
	e := leaf{path: path, mode: f[1], oid: f[2], index: f[1] + " " + f[2], fixed: f[0] != "H"}
	if was, ok := seen.index[path]; ok {
		e.index = was
	}
	if seen.loose[path] {
		e.index = ""
	}
	if e.mode == "160000" {
		s.base = "" // a submodule: the tree depends on another repository
	}
	s.entries = append(s.entries, e)
}

// dirty says whether a tracked file differs from HEAD.
func (s *treeState) dirty() bool {
	return s.staged || slices.ContainsFunc(s.entries, func(e leaf) bool { return e.index != "" && e.index != e.mode+" "+e.oid })
}

// compare updates the stamps of the entries, and returns the entries that have changed.
func (s *treeState) compare(ctx context.Context, w *WorktreeReader) (changed []*leaf) {
	const batch = 512
	parts := make([][]*leaf, (len(s.entries)+batch-1)/batch)
	var wait sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, part := range slices.Collect(slices.Chunk(s.entries, batch)) {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			for j := range part {
				if e := &part[j]; !e.fixed && e.mode != "160000" {
					if now := lstamp(w.path(e.path)); now != e.stamp {
						e.stamp = now
						parts[i] = append(parts[i], e)
					}
				}
			}
		})
	}
	wait.Wait()
	return slices.Concat(parts...)
}

// allBefore says whether the files exist and were last changed before the moment.
func (w *WorktreeReader) allBefore(files []*leaf) bool {
	return !slices.ContainsFunc(files, func(e *leaf) bool { return e.stamp == stamp{} || !w.at.before(e.stamp) })
}

// walk lists the folders below path that are not ignored. It is false if a folder changed since
// the moment, unless the changed names are known: these are noted in w.odd, for git to judge.
func (s *treeState) walk(w *WorktreeReader, path string, ignored map[string]bool) bool {
	f := folder{path: path}
	children, ok := f.read(w)
	if !ok {
		return false
	}
	var odd []string
	if !w.at.before(f.stamp) {
		was, known := w.early[path]
		if !known {
			return false
		}
		odd = changedNames(path, was, children)
		w.odd = append(w.odd, odd...)
		f.stamp = stamp{} // it may change again without a new stamp
	}
	s.folders = append(s.folders, f)
	for _, child := range children {
		below := strings.TrimPrefix(path+"/"+child.Name(), "/")
		if slices.Contains(odd, below+"/") {
			continue
		}
		if child.IsDir() && child.Name() != ".git" && !ignored[below] && !s.walk(w, below, ignored) {
			return false
		}
	}
	return true
}

// read reads a folder's stamp and entries.
func (f *folder) read(w *WorktreeReader) ([]fs.DirEntry, bool) {
	f.stamp = lstamp(w.path(f.path))
	children, err := os.ReadDir(w.path(f.path))
	sum := fnv.New64a()
	for _, child := range children {
		fmt.Fprintf(sum, "%s\x00%d\x00", child.Name(), child.Type())
	}
	f.names = sum.Sum64()
	f.patterns = f.patternsNow(w)
	return children, err == nil
}

func (f *folder) patternsNow(w *WorktreeReader) stamp {
	return lstamp(filepath.Join(w.path(f.path), ".gitignore"))
}

// renew updates a snapshot without git. It is false if git has to be asked: something
// was added, removed or changed its kind, much changed, or something changed since the
// moment.
func (s *treeState) renew(ctx context.Context, w *WorktreeReader) bool {
	changed := s.compare(ctx, w)
	if ctx.Err() != nil || len(changed) > maxRenewed || len(changed) > 0 && !s.plain || !w.allBefore(changed) {
		return false
	}
	moved := false
	for i := range s.folders {
		f, was := &s.folders[i], s.folders[i]
		switch {
		case was.patterns != stamp{} && was.patterns != f.patternsNow(w):
			return false
		case lstamp(w.path(f.path)) == f.stamp:
			continue
		}
		if _, ok := f.read(w); !ok || f.names != was.names || !w.at.before(f.stamp) {
			return false
		}
		moved = true
	}
	size := int64(0)
	for _, e := range changed {
		if size += e.stamp.size; size > maxRenewedBytes || !w.rehash(e) {
			return false
		}
	}
	if len(changed) > 0 {
		s.id = w.repo.treeOID(s.entries)
	}
	if len(changed) > 0 || moved {
		w.keep(s)
	}
	return ctx.Err() == nil
}

// rehash computes the id of the content of a file whose kind has not changed.
func (w *WorktreeReader) rehash(e *leaf) bool {
	path, kind := w.path(e.path), fs.FileMode(e.stamp.mode)
	var data []byte
	var err error
	switch {
	case kind.IsRegular() && e.mode != "120000":
		e.mode = "100644"
		if kind&0o100 != 0 {
			e.mode = "100755"
		}
		data, err = os.ReadFile(path)
	case kind.Type() == fs.ModeSymlink && e.mode == "120000":
		var target string
		target, err = os.Readlink(path)
		data = []byte(target)
	default:
		return false
	}
	e.oid = w.repo.blobOID(data)
	return err == nil && lstamp(path) == e.stamp
}

// treeOID is the id of the tree with these entries, which are in the order of the index.
func (r *Repo) treeOID(entries []leaf) string { return r.treeBelow(entries, 0) }

// treeBelow is the id of the tree of entries that share the first skip bytes of their paths.
func (r *Repo) treeBelow(entries []leaf, skip int) string {
	body := make([]byte, 0, 64*min(len(entries), 256))
	for len(entries) > 0 {
		name, _, isFolder := strings.Cut(entries[0].path[skip:], "/")
		mode, oid, n := entries[0].mode, entries[0].oid, 1
		if isFolder {
			prefix := entries[0].path[:skip+len(name)+1]
			for n < len(entries) && strings.HasPrefix(entries[n].path, prefix) {
				n++
			}
			mode, oid = "40000", r.treeBelow(entries[:n], len(prefix))
		}
		body = append(append(append(append(body, mode...), ' '), name...), 0)
		body, _ = hex.AppendDecode(body, []byte(oid)) // valid hex: from git or computed here
		entries = entries[n:]
	}
	return r.objectOID(plumbing.TreeObject, body)
}
