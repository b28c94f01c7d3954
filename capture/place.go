package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/redact"
	"cairn/result"
)

// gitPatience bounds the wait for git if the files alone do not show which repository
// this is. Git answers in milliseconds, on a cold network disk in about a second. The
// command starts only afterwards, since it could change the answer.
const gitPatience = 2 * time.Second

// openSite finds the place for the command's record. If git does not answer, the
// capture waits, or goes to CAIRN_DIR, into shards only: the next command for which git
// works takes it from there. cancel cancels ctx.
func openSite(ctx context.Context, cancel context.CancelFunc, o Options) (*place.Site, error) {
	warn := func(w manifest.Warning) { o.Warn(w.String()) }
	// The place keeps using ctx, so ctx gets no deadline; it is cancelled if git is too slow.
	late := time.AfterFunc(gitPatience, cancel)
	site, err := place.Open(ctx, o.Command.Dir, o.Env, warn)
	if late.Stop() || err == nil {
		return site, err
	}
	p, err2 := place.WithoutGit(o.Command.Dir, o.Env, fmt.Sprintf("git did not answer within %s", gitPatience))
	if err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return &place.Site{Place: p, Objects: objects.Open(p.Dir), Manifest: manifest.Open(p.Dir, manifest.Options{Warn: warn})}, nil
}

// gitOf is the state of the repository at the start of the run. ci is the branch that CI builds, for a detached HEAD.
func gitOf(s *place.Site, ci string, red *redact.Redactor) *manifest.Git {
	if s.Repo == nil {
		return nil
	}
	return &manifest.Git{Commit: s.Repo.Commit, Tree: s.Repo.Tree, Branch: cut(red.String(cmp.Or(s.Repo.Branch, ci)), maxName)}
}

// workspaceOf is the workspace of a record's directory, in this clone.
func workspaceOf(s *place.Site, rec *manifest.Record) result.Workspace {
	w := s.Workspace
	w.Dir = filepath.Join(w.Root, filepath.FromSlash(rec.Dir))
	return w
}
