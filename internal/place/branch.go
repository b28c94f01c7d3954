package place

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"cairn/internal/gitrepo"
	"cairn/manifest"
)

// DefaultBranch carries the manifest unless git config cairn.branch names
// another.
const DefaultBranch = "cairn"

// lazyBranch is the branch that the configuration names. Asking git for the
// name costs a process, so it is asked once, when first needed: beside the
// command that is being captured, or never.
type lazyBranch struct {
	repo     *gitrepo.Repo
	open     func() (opened, error)
	asked    atomic.Bool
	prepared sync.WaitGroup
}

type opened struct {
	manifest.Branch
	git *gitrepo.Branch
}

func newLazyBranch(ctx context.Context, repo *gitrepo.Repo) *lazyBranch {
	b := &lazyBranch{repo: repo}
	b.open = sync.OnceValues(func() (opened, error) {
		b.asked.Store(true)
		name, err := repo.Config(ctx, "cairn.branch")
		if err != nil {
			return opened{}, fmt.Errorf("reading git config cairn.branch: %w", err)
		}
		if name == "" {
			name = DefaultBranch
		}
		git := repo.OpenBranch(name)
		return opened{manifest.GitBranch(repo, git, name), git}, nil
	})
	return b
}

// prepare gets git ready in the background.
func (b *lazyBranch) prepare(ctx context.Context) {
	b.prepared.Go(func() {
		if o, err := b.open(); err == nil {
			o.git.Prepare(ctx)
		}
	})
}

// close ends what was prepared, and asks nothing that was not asked so far.
func (b *lazyBranch) close() {
	b.prepared.Wait()
	if !b.asked.Load() {
		return
	}
	if o, err := b.open(); err == nil {
		o.git.Close()
	}
}

// Name is the configured name, or the default's where git does not say; then
// every other method fails with the reason.
func (b *lazyBranch) Name() string {
	if o, err := b.open(); err == nil {
		return o.Name()
	}
	return DefaultBranch
}

func (b *lazyBranch) Tip(ctx context.Context) (string, error) {
	o, err := b.open()
	if err != nil {
		return "", err
	}
	return o.Tip(ctx)
}

func (b *lazyBranch) Remotes(ctx context.Context) ([]gitrepo.RemoteTip, error) {
	o, err := b.open()
	if err != nil {
		return nil, err
	}
	return o.Remotes(ctx)
}

func (b *lazyBranch) Commit(ctx context.Context, changes []gitrepo.Change, subject, body string, when time.Time) (string, error) {
	o, err := b.open()
	if err != nil {
		return "", err
	}
	return o.Commit(ctx, changes, subject, body, when)
}

func (b *lazyBranch) MergeTips(ctx context.Context, tips []string, merge func(path string, versions [][]byte) []byte, subject string, when time.Time) (string, error) {
	o, err := b.open()
	if err != nil {
		return "", err
	}
	return o.MergeTips(ctx, tips, merge, subject, when)
}

func (b *lazyBranch) BlobSizes(ctx context.Context, oids []string) (map[string]int64, error) {
	o, err := b.open()
	if err != nil {
		return nil, err
	}
	return o.BlobSizes(ctx, oids)
}

func (b *lazyBranch) Drop(ctx context.Context, tip string) error {
	o, err := b.open()
	if err != nil {
		return err
	}
	return o.Drop(ctx, tip)
}

func (b *lazyBranch) Files(ctx context.Context, commit string) ([]gitrepo.File, error) {
	return b.repo.Files(ctx, commit)
}

func (b *lazyBranch) FilesChanged(ctx context.Context, from, to string) ([]gitrepo.File, error) {
	return b.repo.FilesChanged(ctx, from, to)
}

func (b *lazyBranch) ReadBlobs(ctx context.Context, oids []string, yield func(oid string, data []byte) error) error {
	return b.repo.ReadBlobs(ctx, oids, yield)
}
