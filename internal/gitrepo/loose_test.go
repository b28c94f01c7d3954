package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// TestEncodeSizes reads objects around the size from which they are compressed
// back with go-git's codec and with git.
func TestEncodeSizes(t *testing.T) {
	dir := newRepo(t)
	ctx := context.Background()
	s := newLooseStore(discover(t, dir), sharing{})
	defer s.close()
	edge := storedMost - len("blob 4077\x00")
	for _, size := range []int{0, 1, edge - 1, edge, edge + 1, edge + 2, 65535, 65536, 70000, 3} {
		data := bytes.Repeat([]byte("a line of a shard\n"), size/18+1)[:size]
		oid, err := s.write(ctx, plumbing.BlobObject, data)
		if err != nil {
			t.Fatal(err)
		}
		kind, got, err := s.files.read(oid)
		if kind != plumbing.BlobObject || !bytes.Equal(got, data) || err != nil {
			t.Errorf("%d bytes: go-git reads a %s of %d bytes, %v", size, kind, len(got), err)
		}
		if kind, got, err = s.cat.read(ctx, oid); kind != plumbing.BlobObject || !bytes.Equal(got, data) || err != nil {
			t.Errorf("%d bytes: git reads a %s of %d bytes, %v", size, kind, len(got), err)
		}
	}
	if _, _, err := s.read(ctx, discover(t, dir).zeroOID()); !errors.Is(err, ErrMissing) {
		t.Errorf("err = %v", err)
	}
	fsck(t, dir)
}
