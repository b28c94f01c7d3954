package place

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cairn/internal/gitrepo"
	"cairn/manifest"
	"cairn/objects"
	"cairn/outcomes"
	"cairn/result"
)

// DefaultBranch carries the manifest unless git config cairn.branch names
// another.
const DefaultBranch = "cairn"

// Site is a place with its store and its manifest opened, which capture and recall both
// use.
type Site struct {
	*Place
	Objects  *objects.Store
	Manifest *manifest.Manifest
	Branch   *gitrepo.Branch // the branch that records are folded into; nil if there is no such one
	// Parse parses the output of a capture again. Package cmd sets it for packages that
	// may not import parsers; otherwise it is nil.
	Parse func(*manifest.Record) (*result.ToolResult, error)
	// Progress, if set, gets the number of indexed shards and of all, while a question
	// waits for the index.
	Progress func(done, all int)
}

// Tests is the list of all tests that was kept with a capture. It is only in the clone
// that made it. ErrNoTests says that no list was kept.
func (s *Site) Tests(rec *manifest.Record) (outcomes.List, error) {
	if rec.Outcomes == nil || rec.Outcomes.OID == "" {
		return nil, fmt.Errorf("capture %s: %w", rec.ID, ErrNoTests)
	}
	id, err := objects.ParseID(rec.Outcomes.OID)
	if err != nil {
		return nil, err
	}
	text, err := s.Objects.ReadAll(id)
	if err != nil {
		return nil, fmt.Errorf("reading the tests of capture %s: %w", rec.ID, err)
	}
	return outcomes.Decode(text)
}

// ErrNoTests says that no list of tests was kept.
var ErrNoTests = errors.New("no list of its tests was kept")

// WorktreeAt returns a reader of the working tree at a moment; nil without a working tree.
func (s *Site) WorktreeAt(at gitrepo.Moment) *gitrepo.WorktreeReader {
	if s.Repo == nil {
		return nil
	}
	return s.Repo.WorktreeAt(at, filepath.Join(s.Dir, "worktree"))
}

// Open finds and opens the place of dir, an absolute path. It writes nothing.
func Open(ctx context.Context, dir string, env Env, warn func(manifest.Warning)) (*Site, error) {
	p, err := Find(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, warn), nil
}

// OpenToRead is Open for a question: see FindToRead.
func OpenToRead(ctx context.Context, dir string, env Env, warn func(manifest.Warning)) (*Site, error) {
	p, err := FindToRead(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, warn), nil
}

func (p *Place) open(ctx context.Context, warn func(manifest.Warning)) *Site {
	s := &Site{Place: p, Objects: objects.Open(p.Dir, p.Also...)}
	s.Objects.Ask(p.Check)
	o := manifest.Options{Warn: warn, Also: p.Also, May: p.Check}
	if p.Home != nil {
		s.Branch = p.Home.OpenConfigured(ctx, "cairn.branch", DefaultBranch)
		o.Branch = s.Branch
	}
	s.Manifest = manifest.Open(p.Dir, o)
	return s
}

// Close releases the place.
func (s *Site) Close() { s.leave() }

// Packs says whether small objects may be put into pack files: unless git config cairn.pack is off.
func (s *Site) Packs(ctx context.Context) bool {
	if s.Home == nil {
		return true
	}
	set, err := s.Home.Config(ctx, "cairn.pack")
	return err != nil || set != "off" && set != "false"
}
