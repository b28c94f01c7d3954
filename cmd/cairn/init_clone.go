package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cairn/agents/setup"
	"cairn/internal/diffdriver"
	"cairn/internal/githooks"
	"cairn/internal/gitrepo"
)

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
