package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/recall"
	"cairn/recall/filter"
	"cairn/report"
)

const reportLong = `Write what came of some runs for others to read: what is new, fixed, known, flaky or
gone against the record, with the ids of the runs. It is made of the record alone.

RUN... are ids or their beginnings. --since and --range A..B (commits, as git takes
them) take all runs of a time or of commits, compare the newest of each command with
the last one before, and tell the others by their verdict. Without any, the newest
run of each command at the commit that is checked out is taken, and where there is
none, the newest run.

Forms: %s.

html is of the newest 1,000 runs of those, or of all: one file with the outputs of the
newest run of each command, redacted. "cairn serve" has the same with every output.`

type reportOptions struct {
	format, since, commits, against string
	prove                           bool
}

func newReport(a *app) *cobra.Command {
	var o reportOptions
	names, abouts := report.Formats()
	var forms []string
	for i := range names {
		forms = append(forms, names[i]+" ("+abouts[i]+")")
	}
	cmd := &cobra.Command{
		Use:   "report [RUN...]",
		Short: "what came of runs, for pull requests, CI, editors and browsers",
		Long:  fmt.Sprintf(reportLong, strings.Join(forms, ", ")) + exitHelp("written, whatever the runs came to", "the record could not be read, or RUN is ambiguous", "nothing matched"),
		Example: `  cairn report --format markdown
  cairn report --since yesterday --format sarif > cairn.sarif
  cairn report --range main..HEAD --format junit > junit.xml
  vim -q <(cairn report --format vim)`,
		RunE: func(cmd *cobra.Command, args []string) error { return runReport(a, cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "markdown", "`FORM` of the report: "+strings.Join(names, ", "))
	f.StringVar(&o.since, "since", "", "runs from this `TIME` on: 2h, yesterday, 2026-11-20")
	f.StringVar(&o.commits, "range", "", "runs of these commits: `A..B`")
	f.StringVar(&o.against, "against", "", "compare with the last run of `WHAT`: branch (the default), last, main, on:BRANCH, a run id, a tag or a commit")
	f.BoolVar(&o.prove, "prove", false, "say, too, which of the repository's checks are proven, for this tree or the last of --range: markdown and html")
	cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runReport(a *app, cmd *cobra.Command, o reportOptions, args []string) error {
	switch err := report.Check(o.format); {
	case err != nil:
		return usageError{cmd, err}
	case len(args) > 0 && o.since+o.commits != "":
		return usageError{cmd, fmt.Errorf("give runs, or --since and --range, not both")}
	case len(args) > 0 && o.format == report.HTML:
		return usageError{cmd, errors.New("the page is of many runs, not of those that are named: use --since or --range")}
	}
	if o.prove && o.format != report.HTML && o.format != "markdown" {
		return usageError{cmd, fmt.Errorf("--prove has a place in markdown and html, not in %s", o.format)}
	}
	c := report.Choice{Prove: o.prove, IDs: args, Filters: recall.Filters{Since: o.since, Commit: filter.List(o.commits)}, Head: o.since+o.commits == "", Against: o.against}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	if o.format == report.HTML {
		h, err := report.GatherHistory(cmd.Context(), site, c.Filters, false)
		if err != nil {
			return err
		}
		if o.prove {
			if h.Proof, err = report.ProofOf(cmd.Context(), site, o.commits, time.Now()); err != nil {
				return err
			}
		}
		return h.Page(a.out, "")
	}
	r, err := report.Gather(cmd.Context(), site, c)
	if err != nil {
		return asNotFound(err)
	}
	return report.Write(a.out, o.format, r)
}
