package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Change is a change of one file of a branch. Merge gets the content at the tip (nil if
// the file is absent) and returns the content to commit (nil: no such file). It is
// called again on a newer tip if the branch moved meanwhile, so it must be a pure
// function. It may modify old.
type Change struct {
	Path  string // slash-separated, see validPath
	Merge func(old []byte) []byte
}

// editor makes new trees from old ones, and reads only the trees on the paths of the edits.
type editor struct {
	db     objectStore
	rawLen int
}

func (ed *editor) tree(ctx context.Context, oid string) ([]entry, error) {
	if oid == "" {
		return nil, nil
	}
	data, err := readKind(ctx, ed.db, plumbing.TreeObject, oid)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data, ed.rawLen)
	if err != nil {
		err = &Error{Op: "read tree " + oid, Err: err}
	}
	return entries, err
}

// edit is a change with its path cut into names.
type edit struct {
	names []string
	merge func([]byte) []byte
}

// apply returns the tree oid ("" is the empty tree) with the edits made, "" when
// nothing is left in it.
func (ed *editor) apply(ctx context.Context, oid string, edits []edit) (string, error) {
	entries, err := ed.tree(ctx, oid)
	if err != nil {
		return "", err
	}
	changed := false
	for len(edits) > 0 {
		name := edits[0].names[0]
		mine, others := split(edits, name)
		edits = others
		i := find(entries, name)
		old := entry{name: name}
		if i >= 0 {
			old = entries[i]
		}
		now, err := ed.applyTo(ctx, old, mine)
		if err != nil {
			return "", err
		}
		if now == old {
			continue
		}
		changed = true
		switch {
		case now.oid == "":
			entries = append(entries[:i], entries[i+1:]...)
		case i < 0:
			entries = append(entries, now)
		default:
			entries[i] = now
		}
	}
	switch {
	case len(entries) == 0:
		return "", nil
	case !changed:
		return oid, nil
	}
	return ed.writeTree(ctx, entries)
}

func (ed *editor) writeTree(ctx context.Context, entries []entry) (string, error) {
	data, err := encodeTree(entries)
	if err != nil {
		return "", err
	}
	return ed.db.write(ctx, plumbing.TreeObject, data)
}

// split separates the edits below name, and removes their first name, in order.
func split(edits []edit, name string) (mine, others []edit) {
	for _, e := range edits {
		if e.names[0] == name {
			mine = append(mine, edit{e.names[1:], e.merge})
		} else {
			others = append(others, e)
		}
	}
	return mine, others
}

func find(entries []entry, name string) int {
	for i := range entries {
		if entries[i].name == name {
			return i
		}
	}
	return -1
}

// applyTo applies edits to one entry; an empty oid means that there is no entry.
func (ed *editor) applyTo(ctx context.Context, old entry, edits []edit) (entry, error) {
	wantDir := len(edits[0].names) > 0
	replaced := old.oid != "" && (old.isDir() != wantDir || !old.isDir() && !old.isFile())
	for _, e := range edits {
		if len(e.names) > 0 != wantDir || replaced {
			return old, &Error{Op: "change " + quote(old.name), Kind: ErrBadPath, Err: errors.New("it is a file and a directory at once")}
		}
	}
	var oid string
	var err error
	now := entry{name: old.name, mode: old.mode}
	if wantDir {
		now.mode = filemode.Dir
		oid, err = ed.apply(ctx, old.oid, edits)
	} else {
		if old.oid == "" {
			now.mode = filemode.Regular
		}
		oid, err = ed.applyFile(ctx, old.oid, edits)
	}
	if err != nil || oid == "" {
		return entry{name: old.name}, err
	}
	now.oid = oid
	return now, nil
}

func (ed *editor) applyFile(ctx context.Context, oid string, edits []edit) (string, error) {
	var old, now []byte
	if oid != "" {
		data, err := readKind(ctx, ed.db, plumbing.BlobObject, oid)
		if err != nil {
			return "", err
		}
		old = data
		now = append([]byte{}, data...) // a copy that Merge may change; not nil, since the file exists
	}
	for _, e := range edits {
		now = e.merge(now)
	}
	switch {
	case now == nil:
		return "", nil
	case oid != "" && bytes.Equal(now, old):
		return oid, nil
	}
	return ed.db.write(ctx, plumbing.BlobObject, now)
}

// edits checks the paths of changes and splits them.
func edits(changes []Change) ([]edit, error) {
	out := make([]edit, 0, len(changes))
	for _, c := range changes {
		if !validPath(c.Path) {
			return nil, &Error{Op: "change " + quote(c.Path), Kind: ErrBadPath}
		}
		out = append(out, edit{strings.Split(c.Path, "/"), c.Merge})
	}
	return out, nil
}

// validPath accepts names of printable ASCII that every file system can hold and that
// none can take for .git, since somebody may check the branch out.
func validPath(p string) bool {
	if p == "" || len(p) > 1024 {
		return false
	}
	for name := range strings.SplitSeq(p, "/") {
		lower := strings.ToLower(name)
		if name == "" || len(name) > 255 || strings.HasPrefix(lower, ".git") || strings.HasPrefix(lower, "git~") || strings.HasSuffix(name, ".") {
			return false
		}
		for _, c := range []byte(name) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte(`\:*?"<>|`, c) >= 0 {
				return false
			}
		}
	}
	return true
}

// unionFunc joins the versions of one file.
type unionFunc func(path string, versions [][]byte) []byte

// union is a tree with every file of the trees oids. A file that differs
// between them is joined by merge, a file deleted in one of them stays.
func (ed *editor) union(ctx context.Context, at string, oids []string, merge unionFunc) (string, error) {
	oids = distinct(oids)
	if len(oids) == 1 {
		return oids[0], nil
	}
	versions := map[string][]entry{}
	var names []string
	for _, oid := range oids {
		entries, err := ed.tree(ctx, oid)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if versions[e.name] == nil {
				names = append(names, e.name)
			}
			versions[e.name] = append(versions[e.name], e)
		}
	}
	joined := make([]entry, 0, len(names))
	for _, name := range names {
		e, err := ed.unionEntry(ctx, at+name, versions[name], merge)
		if err != nil {
			return "", err
		}
		if e.oid != "" {
			joined = append(joined, e)
		}
	}
	return ed.writeTree(ctx, joined)
}

func (ed *editor) unionEntry(ctx context.Context, path string, versions []entry, merge unionFunc) (entry, error) {
	first := versions[0]
	var oids []string
	for _, e := range versions {
		oids = append(oids, e.oid)
		if e.isDir() != first.isDir() || e.isFile() != first.isFile() {
			return entry{}, &Error{Op: "merge " + quote(path), Kind: ErrBadPath, Err: errors.New("it is a file in one clone and not in another")}
		}
	}
	oids = distinct(oids)
	var err error
	switch {
	case len(oids) == 1:
	case first.isDir():
		first.oid, err = ed.union(ctx, path+"/", oids, merge)
	case first.isFile():
		first.oid, err = ed.unionFile(ctx, path, oids, merge)
	default: // links and submodules cannot be joined: the first one stays
	}
	return first, err
}

// unionFile joins the versions of a file; "" if merge drops the file.
func (ed *editor) unionFile(ctx context.Context, path string, oids []string, merge unionFunc) (string, error) {
	var versions [][]byte
	for _, oid := range oids {
		data, err := readKind(ctx, ed.db, plumbing.BlobObject, oid)
		if err != nil {
			return "", err
		}
		versions = append(versions, slices.Clone(data))
	}
	data := merge(path, versions)
	if data == nil {
		return "", nil
	}
	return ed.db.write(ctx, plumbing.BlobObject, data)
}

// distinct keeps the first of equal strings, in order.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
