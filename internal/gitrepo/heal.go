package gitrepo

import (
	"context"
	"errors"
	"strconv"
	"strings"
)

// BlobSizes gives the sizes of objects without reading them: another clone may have
// sent ones that take more memory than there is. Objects that are missing are left out.
func (b *Branch) BlobSizes(ctx context.Context, oids []string) (map[string]int64, error) {
	sizes := make(map[string]int64, len(oids))
	if len(oids) == 0 {
		return sizes, nil
	}
	for _, oid := range oids {
		if err := b.repo.checkOID("measure blobs", oid); err != nil {
			return nil, err
		}
	}
	out, err := b.repo.storeGit().run(ctx, "measure blobs", []byte(strings.Join(oids, "\n")+"\n"), "cat-file", "--batch-check=%(objectname) %(objectsize)")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		oid, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseInt(size, 10, 64); err == nil {
			sizes[oid] = n
		}
	}
	return sizes, nil
}

// Drop removes the branch if it is still at tip, so that it can be made anew: for
// one that names objects which are gone. Not in a partial clone, where objects that
// are missing are merely elsewhere, and not while it is checked out.
func (b *Branch) Drop(ctx context.Context, tip string) error {
	op := "remove " + b.ref
	if err := errors.Join(b.valid(), b.repo.checkOID(op, tip)); err != nil {
		return err
	}
	if partial, err := b.repo.partial(ctx); partial || err != nil {
		return &Error{Op: op, Kind: ErrRefused, Err: errors.Join(err, errors.New("in a partial clone objects may be missing on purpose"))}
	}
	if err := b.checkNotOut(ctx); err != nil {
		return err
	}
	_, err := b.repo.storeGit().run(ctx, op, nil, "update-ref", "-d", "-m", "cairn: make the branch anew", b.ref, tip)
	return refused(err)
}
