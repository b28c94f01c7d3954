package main

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/prove"
	"cairn/render"
)

const proveLong = `Tell of each check that the repository declares whether it is proven for a tree: whether
its command was run on exactly that tree, completely, and passed. Without an argument the
tree is that of all files here that git does not ignore; else it is a commit's, or the end
of a range A..B.

Checks stand in .cairn/checks.toml:

  [[check]]
  name = "unit"
  command = "pytest -q"
  paths = ["src", "tests", "pyproject.toml"]   # the files it answers for; without: all
  config = ["ci/limits.json"]                  # further files that decide what it does
  dir = "."                                    # where it is run, below the root
  fresh = "commit"                             # an equal tree of another commit is not enough
  exit_is_enough = true                        # of a command whose output cairn cannot read

Each check is proven, failed, stale (it passed, then files that it answers for changed),
weakened (it passed, but was narrower than declared, its exit status was thrown away, what
configures it or its declaration was changed, tests are gone or newly skipped, it failed on
the same tree, too, ...), unread (it passed by its exit status alone) or missing. What is
weakened is found by comparing with a base: where the branch left the default branch, the
first parent of a commit, the beginning of a range, or --base.

Nothing is run without --run, which runs what a run could prove. No record says more than
who owns the machine lets it say: see docs/proof.md.`

type proveOptions struct {
	format                 render.Format
	base                   string
	run, suggest, trailers bool
}

func newProve(a *app) *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove [flags] [COMMIT | A..B]",
		Short: "which of the checks are proven for this tree",
		Long:  proveLong + exitHelp("all checks are proven", "the question could not be answered; a checks file that is broken proves nothing", "some check is not proven, or none is declared"),
		Example: `  cairn prove
  cairn prove --run
  cairn prove --format json origin/main..HEAD
  cairn prove --suggest`,
		Args: takes(0, 1, "one commit, or one range A..B"),
		RunE: func(cmd *cobra.Command, args []string) error { return runProve(a, cmd, o, args) },
	}
	f := cmd.Flags()
	formatFlag(cmd, &o.format)
	f.StringVar(&o.base, "base", "", "compare with this `COMMIT`")
	f.BoolVar(&o.run, "run", false, "run the checks that are not proven and that a run could prove, then tell")
	f.BoolVar(&o.trailers, "trailers", false, "print a trailer a check for a commit's message: Checked: NAME RUN STATE")
	f.BoolVar(&o.suggest, "suggest", false, "show what could be declared, from CI files and the record; change nothing")
	return cmd
}

func runProve(a *app, cmd *cobra.Command, o proveOptions, args []string) error {
	switch {
	case o.run && len(args) > 0:
		return usageError{cmd, errors.New("--run runs on the files that are here: leave the commit out")}
	case o.suggest:
		return a.suggest(cmd)
	}
	ask := prove.Options{Base: o.base, Now: time.Now()}
	ask.Rev = strings.Join(args, "")
	answer, err := a.prove(cmd, ask)
	if err == nil && o.run && !answer.Proven {
		a.runChecks(cmd, answer)
		ask.Now = time.Now()
		answer, err = a.prove(cmd, ask)
	}
	switch {
	case errors.Is(err, prove.ErrNoChecks):
		return notFound{err}
	case err != nil:
		return err
	}
	text := answer.Text()
	if o.trailers {
		o.format, text = render.FormatCompact, answer.Trailers()
	}
	if err := a.print(o.format, answer, text); err != nil || answer.Proven {
		return err
	}
	return status(statusNotFound)
}

func (a *app) prove(cmd *cobra.Command, o prove.Options) (*prove.Answer, error) {
	site, err := a.recallSite(cmd)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	return prove.Ask(cmd.Context(), site, o)
}

// runChecks runs the commands of those checks that a run could prove.
func (a *app) runChecks(cmd *cobra.Command, answer *prove.Answer) {
	for _, c := range answer.Checks {
		if !c.WouldHelp() {
			continue
		}
		root, err := a.root(cmd)
		if err != nil {
			a.warn(err.Error())
			return
		}
		argv, line := c.Argv()
		options := captureRunOptions{shell: line}.capturing(a, argv)
		options.Command.Dir, options.Progress = filepath.Join(root, filepath.FromSlash(c.Dir)), nil
		out := capture.Run(cmd.Context(), options)
		_ = a.show(cmd, render.FormatCompact, standingOptions{}, out) // the checks report how it ended
	}
}

// root is the top of the working tree.
func (a *app) root(cmd *cobra.Command) (string, error) {
	site, err := a.recallSite(cmd)
	if err != nil {
		return "", err
	}
	defer site.Close()
	return site.Workspace.Root, nil
}

func (a *app) suggest(cmd *cobra.Command) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	found, err := prove.Suggest(cmd.Context(), site)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return notFound{errors.New("neither CI files nor the record show a check")}
	}
	return a.put(render.FormatCompact, []byte(prove.SuggestedText(found)))
}
