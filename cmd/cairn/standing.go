package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/recall"
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
