package gitrepo

import (
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

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
	default: // links and submodules are not ours to join: the first stays
	}
	return first, err
}

// unionFile returns "" when merge decided that there shall be no file.
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
