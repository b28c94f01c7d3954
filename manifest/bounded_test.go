package manifest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cairn/internal/gitrepo"
)

// heavyBranch has one blob of 400 MB, which no one may ask for.
type heavyBranch struct {
	*fakeBranch
	t        *testing.T
	oid      string
	unsized  bool // as in a partial clone, Files tells no sizes
	measured int
}

const heavy = 400 << 20

func (b *heavyBranch) Files(ctx context.Context, commit string) ([]gitrepo.File, error) {
	files, err := b.fakeBranch.Files(ctx, commit)
	for i, f := range files {
		switch {
		case b.unsized:
			files[i].Size = -1
		case f.OID == b.oid:
			files[i].Size = heavy
		}
	}
	return files, err
}

func (b *heavyBranch) BlobSizes(ctx context.Context, oids []string) (map[string]int64, error) {
	sizes, err := b.fakeBranch.BlobSizes(ctx, oids)
	if _, ok := sizes[b.oid]; ok {
		sizes[b.oid] = heavy
		b.measured++
	}
	return sizes, err
}

func (b *heavyBranch) ReadBlobs(ctx context.Context, oids []string, yield func(string, []byte) error) error {
	for _, oid := range oids {
		if oid == b.oid {
			b.t.Errorf("%d bytes are read into memory", heavy)
		}
	}
	return b.fakeBranch.ReadBlobs(ctx, oids, yield)
}

// TestRemoteInputIsBounded: a shard of 400 MB that another clone pushed is refused by
// name, unread, whatever asks, and hides nothing else. In a partial clone too, where
// a list of files tells no sizes; on a branch of a remote, on the own one, and there
// under the name of a shard of this clone.
func TestRemoteInputIsBounded(t *testing.T) {
	for _, where := range []string{"a remote's branch", "the own branch", "a shard of this clone"} {
		for _, unsized := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, unsized %v", where, unsized), func(t *testing.T) {
				f := newFixture(t)
				r := f.add(0)
				f.fold(FoldOptions{})
				path := shardPath(dayOf(noon), "evil", 1)
				if where == "a shard of this clone" {
					path = f.own(1)
				}
				files := f.fake.files(f.fake.tip)
				files[path] = makeLine(t, noon, nil) + "\n"
				b := &heavyBranch{fakeBranch: f.fake, t: t, oid: blobHash([]byte(files[path]), ""), unsized: unsized}
				commit := f.fake.put(files)
				if where == "a remote's branch" {
					f.fake.remotes["refs/remotes/evil/cairn"] = commit
				} else {
					f.fake.tip = commit
				}
				f.Manifest = Open(f.dir, Options{Branch: b, Now: f.clock.now, Warn: func(w Warning) { f.warnings = append(f.warnings, w.String()) }})
				wantIDs(t, f.ids(Query{}), r.ID)
				if _, err := f.Heal(ctx); err != nil {
					t.Error(err)
				}
				report, err := f.Merge(ctx)
				if err != nil {
					t.Error(err)
				}
				f.add(0)
				f.fold(FoldOptions{Check: true})
				if told := fmt.Sprint(f.warnings, report.Why); b.measured == 0 || !strings.Contains(told, path) || !strings.Contains(told, "no shard has more than") {
					t.Errorf("measured %d times; told %q", b.measured, told)
				}
			})
		}
	}
}
