package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/agents/setup"
	"cairn/internal/gitrepo"
	"cairn/internal/place"
	"cairn/result"
)

const initLong = `Install cairn for the coding agents that are there: the shell that captures, where
the host has a setting for it; the MCP server with the tool recall, which only reads,
or the package for pi; the skill; a marked paragraph in AGENTS.md, CLAUDE.md or
GEMINI.md, which says what is on record there; and, in the clone around the
working directory, the diff driver by which git log -p shows captures. What
would be changed is said first, a line a file; the answer d shows the exact changes,
as --dry-run does.

--project installs for everyone who works on the project: its files start cairn by
its name, and none that a team commits names a path of your home. What only you can
have, the shell of pi and OpenCode, is left to an init without --project.

Where the shell is captured (claude, opencode, pi; gemini and qwen, if started with
the PATH that is told) the host decides on the user's own line as ever, and nothing
becomes permitted that was not. For codex, copilot and cursor no such way is known:
there only what goes through "cairn capture run" is on record. --run-tool adds the MCP
tool capture_run for these. It is a second shell: rules for shell commands (deny, ask,
sandbox) do not apply to it, only what is said of the tool itself.

--prove adds hooks for claude, codex, gemini, opencode and pi: where the agent stops, the user is
warned (warn, the default) or the agent sent back (block) if it changed files and a check of
.cairn/checks.toml is not proven for them.

--git-hooks writes hooks of git to this clone: prepare-commit-msg and commit-msg put a trailer
a check into the messages of commits (Checked: NAME RUN STATE), and pre-push says what is not
proven of what is pushed; with --git-hooks=block it ends the push. A hook that is there stays as
it is, and the line to add to it is told. Without --agent and --prove it touches nothing else.

What is not cairn's stays as it is, comments and order too. No permission is
granted. --remove restores the files byte for byte, as long as nobody else has
changed them since; else it takes out what is cairn's.

--check runs a capture through each way that is installed. A shell that an agent has to
be started with is said to work if it is. It also says whether what commands print behind a
pipe is kept, and of what that is not so.

Exit status:
  0  done, or nothing to do; --check: all of it works
  1  a file could not be read or written, or cairn lies where it will not stay (Go's
     build cache, a temporary directory); --check: something does not work
  2  the command line is not right, or --yes is needed
  3  no agent was found outside a repository, or nothing is installed`

type initOptions struct {
	agents                     []string
	user, project              bool
	dryRun, remove, check, yes bool
	runTool                    bool
	prove, gitHooks            string
}

func newInit(a *app) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "install cairn for coding agents, or take it away",
		Long:  initLong,
		Example: `  cairn init --dry-run
  cairn init --agent claude --agent codex --yes
  cairn init --git-hooks=block
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
	f.StringVar(&o.prove, "prove", "", "hooks that say, where an agent stops, which checks are not proven: `MODE` is warn or block; see cairn prove")
	f.Lookup("prove").NoOptDefVal = setup.ProveWarn
	f.StringVar(&o.gitHooks, "git-hooks", "", "hooks of git in this clone, for trailers in commits and before a push: `MODE` is warn or block")
	f.Lookup("git-hooks").NoOptDefVal = asProve
	cmd.MarkFlagsMutuallyExclusive("git-hooks", "remove", "check")
	cmd.MarkFlagsMutuallyExclusive("git-hooks", "project")
	cmd.MarkFlagsMutuallyExclusive("user", "project")
	cmd.MarkFlagsMutuallyExclusive("prove", "remove", "check")
	cmd.MarkFlagsMutuallyExclusive("run-tool", "remove", "check")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "remove", "check")
	return cmd
}

func runInit(a *app, cmd *cobra.Command, o initOptions) error {
	s, err := a.surroundings(cmd, o.project)
	if err != nil {
		return err
	}
	if s.RunTool, s.Prove = o.runTool, o.prove; s.Prove != "" && s.Prove != setup.ProveWarn && s.Prove != setup.ProveBlock {
		return usageError{cmd, fmt.Errorf("--prove is warn or block, and not %q", s.Prove)}
	}
	switch o.gitHooks {
	case asProve:
		o.gitHooks = cmp.Or(o.prove, setup.ProveWarn)
	case "", setup.ProveWarn, setup.ProveBlock:
	default:
		return usageError{cmd, fmt.Errorf("--git-hooks is warn or block, and not %q", o.gitHooks)}
	}
	names, err := o.names(cmd, s)
	if err != nil {
		return err
	}
	switch {
	case o.check:
		return a.checkInit(cmd, s, names)
	case !o.remove && len(names)+len(o.gitHooks) > 0:
		if err := s.Stays(); err != nil {
			return err
		}
	}
	plan, err := setup.Make(s, names, o.remove)
	if err != nil {
		return err
	}
	whose := ""
	if len(names) > 0 && !o.remove {
		whose = ", for " + strings.Join(names, ", ")
	}
	a.showPlan(plan, whose)
	clone, err := a.planClone(cmd.Context(), o, s.Program)
	if err != nil {
		return err
	}
	if len(names) == 0 && !o.onlyGit() {
		if !clone.inRepo {
			return notFound{errors.New(noneFound())}
		}
		fmt.Fprintln(a.out, noneFound())
	}
	switch {
	case plan.Empty() && len(clone.do) == 0:
		fmt.Fprintln(a.out, "nothing to change")
		if o.dryRun {
			return nil
		}
	case o.dryRun:
		return a.showDiffs(cmd, plan, clone)
	case !o.yes:
		if err := a.ask(cmd, plan, clone); err != nil {
			return err
		}
	}
	return a.apply(plan, clone, o)
}

// apply makes the planned changes.
func (a *app) apply(plan *setup.Plan, clone clonePlan, o initOptions) error {
	changes := !plan.Empty()
	if err := plan.Apply(); err != nil {
		return err
	}
	for _, do := range clone.do {
		if err := do(); err != nil {
			return err
		}
	}
	if changes && !o.remove {
		scope := ""
		if o.project {
			scope = " --project"
		}
		fmt.Fprintf(a.out, "done; to try what is installed: cairn init --check%s\n", scope)
	}
	return nil
}

// surroundings are the directories for setup; the project's is the repository's root.
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
		if repo, err := gitrepo.Discover(cmd.Context(), a.dir); err == nil {
			s.GitDir = repo.CommonDir
		}
	}
	return s, nil
}

// names are the agents that the user chose.
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
	if len(o.agents) > 0 || o.onlyGit() {
		return o.agents, nil
	}
	return setup.Found(s), nil
}

func noneFound() string {
	return fmt.Sprintf("found none of %s: name one with --agent", strings.Join(setup.Names(), ", "))
}

// showPlan lists what will be changed, and what will be left as it is.
func (a *app) showPlan(plan *setup.Plan, whose string) {
	if lines := plan.Summary(); len(lines) > 0 {
		fmt.Fprintf(a.out, "%s%s:\n", result.Count(len(lines), "change"), whose)
		for _, line := range lines {
			fmt.Fprintln(a.out, "  "+line)
		}
	}
	for _, note := range append(plan.Left(), plan.Notes...) { // before the question, since they say what the user may not expect
		fmt.Fprintln(a.out, note)
	}
}

// showDiffs shows the exact changes.
func (a *app) showDiffs(cmd *cobra.Command, plan *setup.Plan, clone clonePlan) error {
	colors := a.colored(colorAuto)
	return a.page(cmd, nil, func(screen io.Writer) error {
		for line := range strings.Lines(result.Clean(plan.Diffs())) {
			if _, err := io.WriteString(screen, diffLine(line, colors)); err != nil {
				return err
			}
		}
		for _, line := range clone.exact {
			if _, err := fmt.Fprintln(screen, "this clone: "+result.CleanLine(line)); err != nil {
				return err
			}
		}
		return nil
	})
}

// diffLine is a line of a unified diff, coloured as git does.
func diffLine(line string, colors bool) string {
	code := ""
	switch {
	case !colors || line == "":
	case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "diff "):
		code = "1"
	case line[0] == '+':
		code = "32"
	case line[0] == '-':
		code = "31"
	case line[0] == '@':
		code = "36"
	}
	if code == "" {
		return line
	}
	return "\x1b[" + code + "m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
}

// ask asks on a terminal. Without a terminal it shows the changes, and makes none.
func (a *app) ask(cmd *cobra.Command, plan *setup.Plan, clone clonePlan) error {
	if !isTerminal(a.in) {
		if err := a.showDiffs(cmd, plan, clone); err != nil {
			return err
		}
		return usageError{cmd, errors.New("nobody can be asked here: look at the changes, and give --yes")}
	}
	answers := bufio.NewReader(a.in)
	for {
		a.flush()
		fmt.Fprint(a.stdout, "make these changes? [y/N, d shows them] ")
		answer, err := answers.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			return nil
		case "d", "diff":
			if err == nil {
				err = a.showDiffs(cmd, plan, clone)
			}
			if err == nil {
				continue
			}
		}
		return errors.New("nothing was changed")
	}
}

func (a *app) checkInit(cmd *cobra.Command, s setup.Surroundings, names []string) error {
	ways, err := setup.Check(cmd.Context(), s, names, a.environ)
	if err != nil {
		return err
	}
	ways = append(ways, a.gitHookWays(cmd.Context(), s.Program)...)
	if len(ways) == 0 {
		return notFound{errors.New("nothing is installed: run cairn init")}
	}
	broken, ready := 0, 0
	for _, w := range ways {
		verdict := "works"
		switch {
		case w.Err != nil:
			verdict = "DOES NOT WORK: " + w.Err.Error()
			broken++
		case w.Agent == "git" || w.What == "skill" || w.What == "instructions" || w.What == "exclude":
			verdict = "is there"
		case w.If != "":
			verdict = "works if it is started as " + w.If
			ready++
		}
		fmt.Fprintf(a.out, "%-9s %-13s %s: %s\n", w.Agent, w.What, s.Short(w.Path), verdict)
	}
	fmt.Fprintln(a.out, setup.Piped(cmd.Context(), s, a.environ))
	if broken > 0 {
		return fmt.Errorf("%d of %d ways in do not work", broken, len(ways))
	}
	text := result.Count(len(ways), "way") + " in, all of them in order"
	if ready > 0 {
		text += fmt.Sprintf("; %d of them only if the agent is started as said", ready)
	}
	fmt.Fprintln(a.out, text)
	return nil
}
