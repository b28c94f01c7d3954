package place

import (
	"context"

	"cairn/manifest"
	"cairn/objects"
	"cairn/result"
)

// Site is a place with its store and its manifest opened: what capture and
// recall both stand on.
type Site struct {
	*Place
	Objects  *objects.Store
	Manifest *manifest.Manifest
	// Parse understands the output of a capture anew. It is set by who may
	// parse, for those who may not; nil otherwise.
	Parse  func(*manifest.Record) (*result.ToolResult, error)
	branch *lazyBranch // nil where there is no branch to fold into
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
		s.branch = newLazyBranch(ctx, p.Home)
		o.Branch = s.branch
	}
	s.Manifest = manifest.Open(p.Dir, o)
	return s, nil
}

// Prepare gets git ready, beside whatever else is going on, to move the branch
// soon.
func (s *Site) Prepare(ctx context.Context) {
	if s.branch != nil {
		s.branch.prepare(ctx)
	}
}

// Close ends what was prepared and not used.
func (s *Site) Close() {
	if s.branch != nil {
		s.branch.close()
	}
}
