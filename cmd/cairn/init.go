package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/agents/setup"
	"cairn/internal/diffdriver"
	"cairn/internal/gitrepo"
	"cairn/internal/place"
)

const initLong = `Install cairn for the coding agents that are there: the shell that captures, where
the host has a setting for it; the MCP server with the tool recall, which only reads,
or the package for pi; the skill; a marked paragraph in AGENTS.md, CLAUDE.md or
GEMINI.md, which says what is on record there; and, in the clone around the
working directory, the diff driver by which git log -p shows captures. The exact
change to each file is shown first.

Where the shell is captured (claude, opencode, pi; gemini and qwen, if started with
the PATH that is told) the host decides on the user's own line as ever, and nothing
becomes permitted that was not. For codex, copilot and cursor no such way is known:
there only what goes through "cairn capture run" is on record. --run-tool adds the MCP
tool capture_run for these. It is a second shell: rules for shell commands (deny, ask,
sandbox) do not apply to it, only what is said of the tool itself.

What is not cairn's stays as it is, comments and order too. No permission is
granted. --remove restores the files byte for byte, as long as nobody else has
changed them since; else it takes out what is cairn's.

--check runs a capture through each way that is installed.

Exit status:
  0  done, or nothing to do; --check: all of it works
  1  a file could not be read or written; --check: something does not work
  2  the command line is not right, or --yes is needed
  3  no agent was found, or nothing is installed`

type initOptions struct {
	agents                     []string
	user, project              bool
	dryRun, remove, check, yes bool
	runTool                    bool
}

func newInit(a *app) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "install cairn for coding agents, or take it away",
		Long:  initLong,
		Example: `  cairn init --dry-run
  cairn init --agent claude --agent codex --yes
  cairn init --check
  cairn init --remove`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runInit(a, cmd, o) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.agents, "agent", nil, "`NAME` of an agent ("+strings.Join(setup.Names(), ", ")+") or all; without it those that are found")
	f.BoolVar(&o.user, "user", false, "for the user, in every project (the default)")
	f.BoolVar(&o.project, "project", false, "for the project of the working directory alone")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would be changed, and change nothing")
	f.BoolVar(&o.remove, "remove", false, "take away what was installed")
	f.BoolVar(&o.check, "check", false, "try what is installed")
	f.BoolVar(&o.yes, "yes", false, "do not ask")
	f.BoolVar(&o.runTool, "run-tool", false, "for agents whose shell is not captured: the MCP tool capture_run, too, to which rules for shell commands do not apply")
	cmd.MarkFlagsMutuallyExclusive("user", "project")
	cmd.MarkFlagsMutuallyExclusive("run-tool", "remove", "check")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "remove", "check")
	return cmd
}

func runInit(a *app, cmd *cobra.Command, o initOptions) error {
	s, err := a.surroundings(cmd, o.project)
	if err != nil {
		return err
	}
	s.RunTool = o.runTool
	names, err := o.names(cmd, s)
	if err != nil {
		return err
	}
	if o.check {
		return a.checkInit(cmd, s, names)
	}
	plan, err := setup.Make(s, names, o.remove)
	if err != nil {
		return err
	}
	a.showPlan(plan)
	driver, err := a.diffDriver(cmd.Context(), o.remove)
	if err != nil {
		return err
	}
	switch {
	case plan.Empty() && driver == nil:
		fmt.Fprintln(a.out, "nothing to change")
		return nil
	case o.dryRun:
		return nil
	case !o.yes:
		if err := a.ask(cmd); err != nil {
			return err
		}
	}
	if err := plan.Apply(); err != nil {
		return err
	}
	if driver != nil {
		if err := driver(); err != nil {
			return err
		}
	}
	return nil
}

// diffDriver shows what is to be changed in the clone around the working directory so
// that git log -p shows captures, and gives what changes it; nil for nothing.
func (a *app) diffDriver(ctx context.Context, remove bool) (do func() error, err error) {
	repo, err := gitrepo.Discover(ctx, a.dir)
	if err != nil {
		return nil, nil // outside a repository, or without git: there is no log to show
	}
	todo, err := diffdriver.Plan(ctx, repo)
	switch {
	case err != nil:
		return nil, err
	case remove && len(todo) < 2: // one of its two settings is there, or both
		fmt.Fprintln(a.out, "this clone: git log -p shows captures as JSON again")
		return func() error { return diffdriver.Remove(ctx, repo) }, nil
	case remove || len(todo) == 0:
		return nil, nil
	}
	for _, line := range todo {
		fmt.Fprintln(a.out, "this clone: "+line)
	}
	return func() error { return diffdriver.Install(ctx, repo) }, nil
}

// surroundings says where things are: the project is the repository's root.
func (a *app) surroundings(cmd *cobra.Command, project bool) (setup.Surroundings, error) {
	program, err := os.Executable()
	if err != nil {
		return setup.Surroundings{}, fmt.Errorf("finding this program: %w", err)
	}
	if a.env.Home == "" {
		return setup.Surroundings{}, errors.New("there is no home directory: set HOME")
	}
	s := setup.Surroundings{Program: filepath.Clean(program), Home: a.env.Home, Dir: a.dir, Project: project, Getenv: os.Getenv}
	if project {
		s.Dir = place.Workspace(cmd.Context(), a.dir, a.env).Root
	}
	return s, nil
}

// names are the agents that are meant.
func (o initOptions) names(cmd *cobra.Command, s setup.Surroundings) ([]string, error) {
	known := setup.Names()
	if slices.Contains(o.agents, "all") || len(o.agents) == 0 && (o.remove || o.check) {
		return known, nil
	}
	for _, name := range o.agents {
		if !slices.Contains(known, name) {
			return nil, usageError{cmd, fmt.Errorf("--agent %s: agents are %s and all", name, strings.Join(known, ", "))}
		}
	}
	if len(o.agents) > 0 {
		return o.agents, nil
	}
	if found := setup.Found(s); len(found) > 0 {
		return found, nil
	}
	return nil, notFound{fmt.Errorf("found none of %s: name one with --agent", strings.Join(known, ", "))}
}

func (a *app) showPlan(plan *setup.Plan) {
	for _, c := range plan.Changes {
		if !c.Same() {
			fmt.Fprint(a.out, c.Diff())
		}
		for _, note := range c.Notes {
			fmt.Fprintln(a.out, note)
		}
	}
	for _, note := range plan.Notes { // before the question: what is not so as one may expect
		fmt.Fprintln(a.out, note)
	}
}

// ask asks once, on a terminal.
func (a *app) ask(cmd *cobra.Command) error {
	if !isTerminal(a.in) {
		return usageError{cmd, errors.New("nobody can be asked here: look at the changes, and give --yes")}
	}
	a.flush()
	fmt.Fprint(a.stdout, "make these changes? [y/N] ")
	answer, _ := bufio.NewReader(a.in).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}

func (a *app) checkInit(cmd *cobra.Command, s setup.Surroundings, names []string) error {
	ways, err := setup.Check(cmd.Context(), s, names, a.environ)
	if err != nil {
		return err
	}
	if len(ways) == 0 {
		return notFound{errors.New("nothing is installed: run cairn init")}
	}
	broken := 0
	for _, w := range ways {
		verdict := "works"
		if w.What == "skill" || w.What == "instructions" {
			verdict = "is there"
		}
		if w.What == "package file" && w.Err == nil { // the package says that it works
			continue
		}
		if w.Err != nil {
			verdict = "DOES NOT WORK: " + w.Err.Error()
			broken++
		}
		fmt.Fprintf(a.out, "%-9s %-13s %s: %s\n", w.Agent, w.What, w.Path, verdict)
	}
	if broken > 0 {
		return fmt.Errorf("%d of %d ways do not work", broken, len(ways))
	}
	return nil
}
