package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/agents/setup"
	"cairn/capture"
	"cairn/internal/diffdriver"
	"cairn/internal/githooks"
	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/result"
)

const syncLong = `Share the record with a remote: fetch what others captured, merge it, push what was
captured here. Records of both sides stay, whoever came first; when somebody else
pushes at the same time, it is done again. Only the branch of the record moves. The
bytes of outputs stay in the clone that captured them, unless there is a place for them
(cairn remote add): then they are pushed there.

REMOTE is origin, or the only remote there is.`

func newSync(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "sync [REMOTE]",
		Short: "fetch, merge and push the record",
		Long:  syncLong + exitHelp("both sides have all records", "they have not; the reason is printed"),
		Example: `  cairn sync
  cairn sync upstream`,
		Args: takes(0, 1, "one REMOTE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runSync(a, cmd, args) },
	}
}

// syncTries is how often a push is tried again after another clone pushed first.
const syncTries = 10

func runSync(a *app, cmd *cobra.Command, args []string) error {
	if err := a.share(cmd.Context(), args); err != nil {
		return err
	}
	return a.pushObjects(cmd)
}

// share syncs the records with a remote, in both directions.
func (a *app) share(ctx context.Context, args []string) error {
	site, err := a.site(ctx)
	if err != nil {
		return err
	}
	defer site.Close()
	if site.Home == nil {
		return fmt.Errorf("%s belongs to no git repository, so there is nothing to share it with", site.Dir)
	}
	if _, _, err := capture.Recover(ctx, site); err != nil {
		a.warn(err.Error())
	}
	s := syncing{a: a, site: site}
	if s.remote, err = remoteOf(ctx, site.Home, args); err != nil {
		return err
	}
	branch, err := site.Home.Config(ctx, "cairn.branch")
	if err != nil {
		return err
	}
	s.branch = cmp.Or(branch, place.DefaultBranch)
	if isTerminal(a.stderr) {
		s.progress = a.stderr
	}
	for range syncTries {
		if err = s.once(ctx); !errors.Is(err, gitrepo.ErrRaced) {
			return err
		}
	}
	return fmt.Errorf("%s moved %d times while this clone tried to push; try again: %w", s.remote, syncTries, err)
}

// remoteOf is the remote that the arguments name, or the default.
func remoteOf(ctx context.Context, repo *gitrepo.Repo, args []string) (string, error) {
	names, err := repo.RemoteNames(ctx)
	switch {
	case err != nil:
		return "", err
	case len(args) == 1 && slices.Contains(names, args[0]):
		return args[0], nil
	case len(args) == 1:
		return "", fmt.Errorf("there is no remote %q; there is: %s", args[0], cmp.Or(strings.Join(names, ", "), "none"))
	case slices.Contains(names, "origin"):
		return "origin", nil
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", errors.New("there is no remote to share with: git remote add origin URL")
	}
	return "", fmt.Errorf("there are several remotes; name one: %s", strings.Join(names, ", "))
}

type syncing struct {
	a              *app
	site           *place.Site
	remote, branch string
	progress       io.Writer
}

// once fetches, merges and pushes.
func (s *syncing) once(ctx context.Context) error {
	home := s.site.Home
	before, _ := home.CommitOf(ctx, "refs/remotes/"+s.remote+"/"+s.branch)
	found, err := home.FetchBranch(ctx, s.remote, s.branch, s.progress)
	if err != nil {
		return err
	}
	theirs := ""
	if found {
		if theirs, err = home.CommitOf(ctx, "refs/remotes/"+s.remote+"/"+s.branch); err != nil {
			return err
		}
	}
	r, err := s.site.Manifest.Fold(ctx, manifest.FoldOptions{Wait: true})
	if err == nil && r.Why == "" {
		r, err = s.site.Manifest.Merge(ctx)
	}
	if err != nil {
		return err
	}
	if r.Why != "" {
		return fmt.Errorf("not on the branch yet: %s: %s", result.Count(r.Pending, "record"), r.Why)
	}
	ours, err := home.CommitOf(ctx, "refs/heads/"+s.branch)
	if err != nil {
		return errors.New("nothing has been captured here, and the remote has no record either")
	}
	got, gave := "nothing new from "+s.remote, "nothing to push"
	if theirs != before {
		got = "records came from " + s.remote
	}
	if ours != theirs {
		if err := home.PushBranch(ctx, s.remote, s.branch, s.progress); err != nil {
			return err
		}
		gave = "records of this clone pushed"
	}
	return s.a.say("%s; %s\n", got, gave)
}

// asProve is the value of --git-hooks without a mode: the mode of --prove, or warn.
const asProve = "as --prove"

// onlyGit says whether only the clone around the working directory is to be changed.
func (o initOptions) onlyGit() bool { return o.gitHooks != "" && o.prove == "" && len(o.agents) == 0 }

// clonePlan is the changes to the clone around the working directory: the diff driver,
// by which git log -p shows captures, and git's hooks.
type clonePlan struct {
	do     []func() error
	exact  []string // the changes, line by line
	inRepo bool     // there is a clone
}

// planClone plans the changes to the clone.
func (a *app) planClone(ctx context.Context, o initOptions, program string) (p clonePlan, err error) {
	repo, err := gitrepo.Discover(ctx, a.dir)
	switch {
	case err != nil && o.gitHooks != "":
		return p, notFound{fmt.Errorf("there is no clone here whose hooks could be set: %w", err)}
	case err != nil:
		return p, nil // outside a repository, or without git, there is no log to show
	}
	p.inRepo = true
	if err := a.planDriver(ctx, repo, o.remove, &p); err != nil {
		return p, err
	}
	if o.gitHooks != "" || o.remove && len(o.agents) == 0 {
		err = a.planHooks(ctx, repo, o, program, &p)
	}
	return p, err
}

func (a *app) planDriver(ctx context.Context, repo *gitrepo.Repo, remove bool, p *clonePlan) error {
	todo, err := diffdriver.Plan(ctx, repo)
	switch {
	case err != nil:
		return err
	case remove && len(todo) < 2: // one or both of its two settings exist
		fmt.Fprintln(a.out, "this clone: git log -p shows captures as JSON again")
		p.do = append(p.do, func() error { return diffdriver.Remove(ctx, repo) })
	case !remove && len(todo) > 0:
		fmt.Fprintln(a.out, "this clone: git log -p shows captures (.git/config, .git/info/attributes)")
		p.exact = append(p.exact, todo...)
		p.do = append(p.do, func() error { return diffdriver.Install(ctx, repo) })
	}
	return nil
}

func (a *app) planHooks(ctx context.Context, repo *gitrepo.Repo, o initOptions, program string, p *clonePlan) error {
	hooks, err := githooks.Find(ctx, repo, program, o.gitHooks)
	if err != nil {
		return err
	}
	if o.remove {
		for _, h := range hooks.All {
			if h.Is == githooks.Ours {
				fmt.Fprintln(a.out, "this clone: removed "+h.Path)
			}
		}
		if hooks.Is(githooks.Ours) {
			p.do = append(p.do, hooks.Remove)
		}
		return nil
	}
	for _, h := range hooks.Todo() {
		fmt.Fprintln(a.out, "this clone: the hook "+h.Path)
		p.exact = append(p.exact, "the hook "+h.Path+": "+githooks.Line(h.Name, "cairn", o.gitHooks))
	}
	for _, note := range hooks.Left(o.gitHooks) {
		fmt.Fprintln(a.out, note)
	}
	if len(hooks.Todo()) > 0 {
		p.do = append(p.do, hooks.Install)
	}
	return nil
}

// gitHookWays are the clone's hooks that call cairn, and whether git would run them.
func (a *app) gitHookWays(ctx context.Context, program string) (ways []setup.Way) {
	repo, err := gitrepo.Discover(ctx, a.dir)
	if err != nil {
		return nil
	}
	hooks, err := githooks.Find(ctx, repo, program, setup.ProveWarn)
	if err != nil {
		return []setup.Way{{Agent: "git", What: "hooks", Path: repo.CommonDir, Err: err}}
	}
	for _, h := range hooks.All {
		if h.Is == githooks.Ours || h.Is == githooks.Calls {
			ways = append(ways, setup.Way{Agent: "git", What: h.Name, Path: h.Path, Err: h.Works()})
		}
	}
	if len(ways) == 0 && hooks.Dir != filepath.Join(repo.CommonDir, "hooks") {
		if githooks.Written(filepath.Join(repo.CommonDir, "hooks")) {
			return []setup.Way{{Agent: "git", What: "hooks", Path: filepath.Join(repo.CommonDir, "hooks"), Err: errors.New("git looks for hooks in " + hooks.Dir + " (core.hooksPath): run cairn init --git-hooks again")}}
		}
	}
	return ways
}
