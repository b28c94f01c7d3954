package gitrepo

import (
	"context"
	"errors"
	"io"
	"strings"
)

// ErrRaced: somebody else's push came first. Fetch, merge and push again.
var ErrRaced = errors.New("the remote branch has moved meanwhile")

// RemoteNames lists the remotes that are configured.
func (r *Repo) RemoteNames(ctx context.Context) ([]string, error) {
	out, err := r.storeGit().run(ctx, "list the remotes", nil, "remote")
	return lines(string(out)), err
}

// FetchBranch brings a branch of a remote to refs/remotes/<remote>/<branch>. found
// is false when the remote has none. progress, if not nil, gets what git says
// while it works.
func (r *Repo) FetchBranch(ctx context.Context, remote, branch string, progress io.Writer) (found bool, err error) {
	ref := "+refs/heads/" + branch + ":refs/remotes/" + remote + "/" + branch
	err = r.transfer(ctx, "fetch "+branch+" from "+remote, progress, "fetch", "--no-tags", "--no-auto-maintenance", "--no-recurse-submodules", remote, ref)
	if e := (*Error)(nil); errors.As(err, &e) && strings.Contains(e.Stderr, "couldn't find remote ref") {
		return false, nil
	}
	return err == nil, err
}

// PushBranch sends a branch to a remote, where it may only move forward: ErrRaced
// if that would not be so. The user's hooks are for the user's work and do not run.
func (r *Repo) PushBranch(ctx context.Context, remote, branch string, progress io.Writer) error {
	ref := "refs/heads/" + branch + ":refs/heads/" + branch
	err := r.transfer(ctx, "push "+branch+" to "+remote, progress, "push", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", remote, ref)
	e := (*Error)(nil)
	if errors.As(err, &e) {
		for _, word := range []string{"fetch first", "non-fast-forward", "cannot lock ref", "stale info", "incorrect old value", "failed to update ref"} {
			if strings.Contains(e.Stderr, word) {
				e.Kind = ErrRaced
			}
		}
	}
	return err
}

// transfer calls git where it talks to another repository: it may ask for a
// password if there is a terminal.
func (r *Repo) transfer(ctx context.Context, op string, progress io.Writer, args ...string) error {
	g := r.storeGit()
	g.ours = true
	if progress != nil {
		g.env = append(g.env, "GIT_TERMINAL_PROMPT=1")
		args = append([]string{args[0], "--progress"}, args[1:]...)
	}
	cmd := g.command(ctx, args...)
	var said strings.Builder
	cmd.Stderr = &said
	if progress != nil {
		cmd.Stderr = io.MultiWriter(&said, progress)
	}
	if err := cmd.Run(); err != nil {
		return failure(ctx, op, said.String(), err)
	}
	return nil
}
