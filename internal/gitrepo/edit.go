package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Change is a change of one file of a branch. Merge gets the content at the tip
// (nil when the file is absent) and returns the content to commit (nil: no
// such file). It is called again on a newer tip when the branch moved
// meanwhile, so it must be a pure function. old is its own to change.
type Change struct {
	Path  string // slash-separated, see validPath
	Merge func(old []byte) []byte
}

// editor makes new trees out of old ones, reading only what is on the way.
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

// split takes the edits below name out, without their first name, in order.
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

// applyTo makes edits of one entry; an empty oid is no entry.
func (ed *editor) applyTo(ctx context.Context, old entry, edits []edit) (entry, error) {
	wantDir := len(edits[0].names) > 0
	for _, e := range edits {
		if len(e.names) > 0 != wantDir || (old.oid != "" && (old.isDir() != wantDir || !old.isDir() && !old.isFile())) {
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
		now = append([]byte{}, data...) // theirs to change; not nil: the file is there
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

// edits checks the paths of changes.
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

// validPath: names of printable ASCII that every file system can hold and that none
// can take for .git, since somebody may check the branch out.
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
