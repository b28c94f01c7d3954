package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

// standingOptions say what a failed run is compared with.
type standingOptions struct {
	against, failOn string
}

// Values of --fail-on.
const (
	failOnAny = "any"
	failOnNew = "new"
)

func (o *standingOptions) flags(cmd *cobra.Command) {
	o.failOn = failOnAny
	cmd.Flags().StringVar(&o.against, "against", "", "compare a failing run with `WHAT`: last, branch (the default), main, on:BRANCH, a run id, a tag or a commit")
	oneOf(cmd, &o.failOn, "fail-on", "`WHICH` failures count in the exit status, all or those that the run compared with did not have: ", failOnAny, failOnNew)
}

// stand compares a failed run with an earlier one, and any run with one on the same
// tree. If the history cannot be read, the result stays unchanged; a user who asked for
// the comparison is warned.
func (a *app) stand(cmd *cobra.Command, o standingOptions, out *capture.Outcome) {
	if out.Site() == nil || out.Result == nil {
		return
	}
	defer func() {
		recall.MarkSameTree(cmd.Context(), out.Site(), out.Record, out.Result)
		recall.MarkTests(cmd.Context(), out.Site(), out.Record, out.Result)
	}()
	if out.Status == 0 && !failing(out.Result) {
		return
	}
	b, err := recall.Standing(cmd.Context(), out.Site(), out.Record, out.Result, o.against)
	switch {
	case err != nil && o.against != "":
		a.warn(fmt.Sprintf("comparing with %s: %v", o.against, err))
	case o.against != "" && (b == nil || b.Run == ""):
		a.warn(fmt.Sprintf("not compared: no earlier run of this command fits --against %s and accounts for all of its output", o.against))
	}
	out.Result.Baseline = b
}

func failing(r *result.ToolResult) bool { return r.Status != result.Passed && r.Status != result.OK }

// answer is the text that is printed for a capture.
func answer(format render.Format, out *capture.Outcome) ([]byte, error) {
	b := out.Result.Baseline
	if format != render.FormatCompact {
		return render.Result(format, out.Result, out.Raw)
	}
	text := ""
	if b != nil && b.Unchanged != "" {
		text = render.Unchanged(out.Result)
	} else {
		text = render.Compact(out.Result, out.Raw)
	}
	text += out.Hidden
	if b != nil {
		if line := render.Baseline(b); line != "" {
			text += line + "\n"
		}
	}
	return []byte(text + render.SameTree(out.Result)), nil
}

// statusOf is the exit status: the command's own, unless only new failures count and
// certainly no failure is new.
func (a *app) statusOf(o standingOptions, out *capture.Outcome) int {
	if o.failOn != failOnNew || out.Status == 0 {
		return out.Status
	}
	if why := whyNotForgiven(out); why != "" {
		a.warn(fmt.Sprintf("exit %d: --fail-on new, and %s", out.Status, why))
		return out.Status
	}
	a.warn(fmt.Sprintf("exit 0 instead of %d: --fail-on new, and nothing that failed is new", out.Status))
	return 0
}

// whyNotForgiven says why a failure counts; "" if the earlier run had all of it. A
// command that something other than its findings ended always counts.
func whyNotForgiven(out *capture.Outcome) string {
	r := out.Result
	isNew := func(f result.Finding) bool {
		return f.Severity != result.SevInfo && f.Baseline != result.BaselineStill
	}
	switch {
	case r == nil || r.Status != result.Failed || r.Signal != "" || r.TimedOut || len(r.Findings) == 0:
		return "the command did not fail by its findings alone"
	case out.Trouble != nil:
		return "the run could not be fully recorded"
	case r.Baseline == nil || r.Baseline.Run == "":
		return "there is no earlier run that is certain to compare with"
	case len(r.Findings) < r.Truncated.FindingsTotal:
		return "not all findings are known"
	case slices.ContainsFunc(r.Findings, isNew):
		return fmt.Sprintf("%d are new", max(r.Baseline.New, 1))
	}
	return ""
}

// statusRunning is the word of --status and of lists for running captures. It is not a
// status of a result.
const statusRunning = "running"

// follow shows a running capture until it ends.
func (a *app) follow(cmd *cobra.Command, r *capture.Running, o recallObjectOptions) error {
	if !o.follow {
		return notFound{fmt.Errorf("%s is still running; watch it: cairn recall object %s --follow", r.Record.ID, render.ShortRun(r.Record.ID))}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	if err := r.Follow(ctx, a.stdout); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return status(130)
	}
	if res, err := r.Record.Result(); err == nil && res != nil {
		a.warn("it has ended: " + render.Verdict(res))
	}
	return nil
}

// running lists running captures, unless the question is about facts that are known
// only at the end. In JSON and YAML they are listed only on request, since their
// records have no result.
func (l *lister) running(q recall.Query) (n int, err error) {
	f := q.Filters
	if !l.live && (f.Status != "" || l.format != render.FormatCompact) || f.Tool+f.Kind+f.Fingerprint+f.Rule+f.File != "" || f.Grep != "" || l.format == formatCSV {
		return 0, nil
	}
	made, err := recall.Made(l.cmd.Context(), l.site, f)
	if err != nil {
		return 0, err
	}
	all, err := capture.InProgress(l.site)
	if err != nil {
		return 0, err
	}
	for _, r := range all {
		if !made(r.Record) {
			continue
		}
		if err := l.printRunning(r); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (l *lister) printRunning(r *capture.Running) error {
	rec := r.Record
	switch {
	case l.format != render.FormatCompact:
		return l.a.printRecord(l.format, rec)
	case l.table == nil:
		return l.a.say("%s %s %s: %s\n", rec.ID, rec.Time.Format("2006-01-02 15:04:05"), screens.OneLine(recall.CommandLine(rec), 60), statusRunning)
	}
	row := render.Row{ID: rec.ID, Time: rec.Time, Status: statusRunning, Summary: screens.Bytes(r.Size()) + " so far", Dir: rec.Dir, Command: screens.OneLine(recall.CommandLine(rec), 400)}
	_, err := io.WriteString(l.screen, l.table.Row(row)+"\n")
	return err
}
