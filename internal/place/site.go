package place

import (
	"context"
	"fmt"

	"cairn/internal/gitrepo"
	"cairn/manifest"
	"cairn/objects"
)

// DefaultBranch carries the manifest unless git config cairn.branch names
// another.
const DefaultBranch = "cairn"

// Site is a place with its store and its manifest opened: what capture and
// recall both stand on.
type Site struct {
	*Place
	Objects  *objects.Store
	Manifest *manifest.Manifest
	branch   *gitrepo.Branch
}

// Open finds the place of dir, an absolute path, and opens it. It writes
// nothing.
func Open(ctx context.Context, dir string, env Env, warn func(manifest.Warning)) (*Site, error) {
	p, err := Find(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	s := &Site{Place: p, Objects: objects.Open(p.Dir)}
	o := manifest.Options{Warn: warn}
	if p.Home != nil {
		name, err := branchName(ctx, p.Home)
		if err != nil {
			return nil, err
		}
		s.branch = p.Home.OpenBranch(name)
		o.Branch = manifest.GitBranch(p.Home, s.branch, name)
	}
	s.Manifest = manifest.Open(p.Dir, o)
	return s, nil
}

// Prepare gets git ready, beside whatever else is going on, to move the branch
// soon.
func (s *Site) Prepare(ctx context.Context) {
	if s.branch != nil {
		s.branch.Prepare(ctx)
	}
}

// Close ends what was prepared and not used.
func (s *Site) Close() {
	if s.branch != nil {
		s.branch.Close()
	}
}

func branchName(ctx context.Context, repo *gitrepo.Repo) (string, error) {
	name, err := repo.Config(ctx, "cairn.branch")
	if err != nil {
		return "", fmt.Errorf("reading git config cairn.branch: %w", err)
	}
	if name == "" {
		return DefaultBranch, nil
	}
	return name, nil
}
