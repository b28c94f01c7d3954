package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/internal/place"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/render"
	"cairn/report"
	"cairn/report/ci"
)

const ciLong = `Run a command of a job of CI, keep it as "capture run" does, and show what came of
it where the host shows such things:

  GitHub    annotations and the summary of the job (also Gitea, Forgejo)
  GitLab    cairn-report/codequality-*.json and junit-*.xml, for artifacts:reports
  TeamCity  service messages

The output passes through as it comes. What is new is told against the record of the
branch that the change goes into, or else of the branch itself; it is fetched first,
its last commit alone, and read only. No token is needed for that but the one with
which the job fetched its code. With --push the record of this run is shared
afterwards, where the job may push.

Any other host: --report FORM=FILE writes a report in a form of "cairn report".

Exit status:
  0-255  the command's own, as of "cairn capture run"
  125    cairn itself failed before the command ran`

type ciOptions struct {
	shell         string
	reports       []string
	prove         bool
	push, offline bool
	timeout       time.Duration
	standing      standingOptions
}

func newCI(a *app) *cobra.Command {
	var o ciOptions
	cmd := &cobra.Command{
		Use:   "ci [flags] (--shell LINE | -- CMD ARGS...)",
		Short: "run a command of a job of CI, and annotate what it came to",
		Long:  ciLong,
		Example: `  cairn ci -- pytest -q
  cairn ci --report sarif=cairn.sarif -- ruff check
  cairn ci --fail-on new --push -- go test ./...`,
		RunE: func(cmd *cobra.Command, args []string) error { return runCI(a, cmd, o, args) },
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVar(&o.shell, "shell", "", "run this `LINE` with your shell instead of CMD")
	f.StringArrayVar(&o.reports, "report", nil, "write a report, too: `FORM=FILE`; may be given again")
	f.BoolVar(&o.prove, "prove", false, "say in the summary, too, which of the repository's checks are proven for this tree")
	f.BoolVar(&o.push, "push", false, "share the record of this run afterwards, where the job may push")
	f.BoolVar(&o.offline, "offline", false, "do not fetch the record of the branch first")
	f.DurationVar(&o.timeout, "timeout", 0, "end the command and all it started after this `DURATION`")
	o.standing.flags(cmd)
	return cmd
}

// fetchPatience bounds the wait for others' records, which should not delay a job.
const fetchPatience = time.Minute

func runCI(a *app, cmd *cobra.Command, o ciOptions, args []string) error {
	if (len(args) == 0) == (o.shell == "") {
		return usageError{cmd, errors.New("give one command: after --, or as a line with --shell")}
	}
	forms, err := splitReports(o.reports)
	if err != nil {
		return usageError{cmd, err}
	}
	host := ci.Find(os.Getenv)
	if base := host.Base(); base != "" && o.standing.against == "" {
		o.standing.against = recall.AgainstOn + base
	}
	if !o.offline {
		a.fetchRecord(cmd.Context())
	}
	out := capture.Run(cmd.Context(), captureRunOptions{shell: o.shell, timeout: o.timeout, live: true, fold: true}.capturing(a, args))
	seen(out)
	ended := a.showAside(cmd, host, o.standing, out)
	if out.Record != nil && out.Trouble == nil {
		if err := a.publish(cmd, host, forms, report.Choice{IDs: []string{out.Record.ID}, Against: o.standing.against, Prove: o.prove}); err != nil {
			a.warn(err.Error())
		}
	}
	if o.push {
		if err := runSync(a, cmd, nil); err != nil {
			a.warn(fmt.Sprintf("the record of this run is not shared: %v", err))
		}
	}
	return ended
}

// form is a report to write to a file.
type form struct{ format, file string }

func splitReports(all []string) (forms []form, err error) {
	for _, text := range all {
		format, file, ok := strings.Cut(text, "=")
		if !ok || file == "" {
			return nil, fmt.Errorf("--report %s: give FORM=FILE, such as junit=junit.xml", text)
		}
		if err := report.Check(format); err != nil {
			return nil, fmt.Errorf("--report %s: %w", text, err)
		}
		forms = append(forms, form{format, file})
	}
	return forms, nil
}

// showAside prints the answer below the output, so that the CI host does not take a line of it for one of its
// commands.
func (a *app) showAside(cmd *cobra.Command, host ci.Host, o standingOptions, out *capture.Outcome) error {
	token := "cairn"
	if out.Record != nil {
		token = out.Record.ID // a text that the command cannot have known
	}
	begin, end := host.Aside(token)
	fmt.Fprint(a.out, begin)
	ended := a.show(cmd, render.FormatCompact, o, out)
	fmt.Fprint(a.out, end)
	return ended
}

// publish reports to the CI host, and writes the files that were asked for.
func (a *app) publish(cmd *cobra.Command, host ci.Host, forms []form, c report.Choice) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	r, err := report.Gather(cmd.Context(), site, c)
	if err != nil {
		return fmt.Errorf("reporting on the run: %w", err)
	}
	err = host.Publish(r, a.out)
	for _, f := range forms {
		err = errors.Join(err, ci.WriteFile(f.format, f.file, r))
	}
	return err
}

// fetchRecord fetches others' records, as far as a comparison needs them. If it fails,
// no finding is called new.
func (a *app) fetchRecord(ctx context.Context) {
	site, err := a.site(ctx)
	if err != nil {
		return
	}
	defer site.Close()
	if site.Home == nil {
		return
	}
	remote, err := remoteOf(ctx, site.Home, nil)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fetchPatience)
	defer cancel()
	branch, err := site.Home.Config(ctx, "cairn.branch")
	if err == nil {
		_, err = site.Home.FetchTip(ctx, remote, cmp.Or(branch, place.DefaultBranch))
	}
	if err != nil {
		a.warn(fmt.Sprintf("the record of others is not here, so findings are not compared with it: %v", err))
	}
}

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
