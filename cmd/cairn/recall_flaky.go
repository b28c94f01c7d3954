package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/manifest"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

const recallFlakyLong = `List the tests that failed and did not fail on one and the same tree, under one
and the same command. Only captures of a commit without changes count, and only
those whose output is accounted for: a tree that changed proves nothing. Files
that git does not track may differ all the same. The rates are over the runs on
those trees. How many test runs were left out, and why, is said at the end: of a
command of a moment it is often not known whether the tree was changed.

Exit status:
  0  there are some
  1  the manifest could not be read
  2  the command line is not right
  3  there are none`

func newRecallFlaky(a *app) *cobra.Command {
	var format, since string
	var limit int
	cmd := &cobra.Command{
		Use:   "flaky",
		Short: "tests with different verdicts on the same tree",
		Long:  recallFlakyLong,
		Example: `  cairn recall flaky --since 30d
  cairn recall flaky --format json | jq -r .test`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runRecallFlaky(a, cmd, format, since, limit) },
	}
	formatFlag(cmd.Flags(), &format)
	cmd.Flags().StringVar(&since, "since", "", "captures from this `TIME` on: 2h, 30d, 2026-11-20")
	cmd.Flags().IntVar(&limit, "limit", 20, "at most `N` tests; 0 is all")
	return cmd
}

// flakyTest is recall.FlakyTest as it is printed.
type flakyTest struct {
	Test       string         `json:"test"`
	Group      string         `json:"group"`
	Failed     int            `json:"failed"`
	Runs       int            `json:"runs"`
	Trees      int            `json:"trees"`
	Command    string         `json:"command"`
	LastFailed string         `json:"last_failed"`
	LastPassed string         `json:"last_passed"`
	Last       string         `json:"last_seen"`
	Finding    result.Finding `json:"finding"`
}

func runRecallFlaky(a *app, cmd *cobra.Command, form, since string, limit int) error {
	format, err := render.ParseFormat(form)
	var from time.Time
	if err == nil {
		from, err = parseTime(since, time.Now())
	}
	if err == nil && limit < 0 {
		err = fmt.Errorf("--limit %d is below zero", limit)
	}
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	found, err := recall.Flaky(cmd.Context(), site, from, limit)
	if err != nil {
		return err
	}
	if len(found.Tests) == 0 {
		return notFound{fmt.Errorf("no test failed and passed on the same tree; %d of %s prove something: those of a commit known to be unchanged, with all output accounted for%s", found.Evidence, result.Count(found.Captures, "capture"), leftOut(found.Left))}
	}
	for _, t := range found.Tests {
		if err := a.print(format, flakyOf(t), flakyText(t)); err != nil {
			return err
		}
	}
	if found.More > 0 && format == render.FormatCompact {
		fmt.Fprintf(a.out, "[… %d more: --limit 0]\n", found.More)
	}
	if left := leftOut(found.Left); left != "" && format == render.FormatCompact {
		fmt.Fprintf(a.out, "[%s]\n", strings.TrimPrefix(left, "; "))
	}
	return nil
}

// leftOut says which test runs were not looked at, and why.
func leftOut(l recall.LeftOut) string {
	var why []string
	for _, reason := range []struct {
		n    int
		text string
	}{
		{l.Unsure, "of which it is not known whether the tree was changed (a command of a moment ends before git has said)"},
		{l.Changed, "ran on a tree with changes, or outside of a commit"},
		{l.Partly, "did not account for all of their output, or did not run all tests"},
	} {
		if reason.n > 0 {
			why = append(why, fmt.Sprintf("%d %s", reason.n, reason.text))
		}
	}
	if len(why) == 0 {
		return ""
	}
	return fmt.Sprintf("; left out: %s: %s", result.Count(l.Unsure+l.Changed+l.Partly, "test run"), strings.Join(why, ", "))
}

func flakyOf(t recall.FlakyTest) flakyTest {
	return flakyTest{
		Test: nameOf(t.Finding), Group: t.Group, Failed: t.Failed, Runs: t.Runs, Trees: t.Trees, Command: t.Command,
		LastFailed: t.LastFailed, LastPassed: t.LastPassed, Last: t.Last.Format(manifest.TimeLayout), Finding: t.Finding,
	}
}

func nameOf(f result.Finding) string {
	if f.ID != "" {
		return f.ID
	}
	return f.Message
}

func flakyText(t recall.FlakyTest) string {
	trees := "1 tree"
	if t.Trees > 1 {
		trees = fmt.Sprintf("%d trees", t.Trees)
	}
	return result.Clean(fmt.Sprintf("%s failed %d of %d runs on %s: %s\n    $ %s\n    failed in %s, not in %s; group %s\n",
		nameOf(t.Finding), t.Failed, t.Runs, trees, oneLine(t.Finding.Message, 120), oneLine(t.Command, 120), render.ShortRun(t.LastFailed), render.ShortRun(t.LastPassed), t.Group))
}

const recallBlameLong = `Tell where a finding came from: the last run of its command on a branch that proves
it was not there, the first after it that shows it, and the commits between the
two. FINGERPRINT is 12 hex digits, or the first 6 or more of them.

Exit status:
  0  told
  1  the manifest could not be read, or FINGERPRINT is ambiguous
  2  the command line is not right
  3  no capture has this finding, or none before it proves that it was not there`

func newRecallBlame(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "blame FINGERPRINT",
		Short:   "the commits between passed and failed",
		Long:    recallBlameLong,
		Example: `  cairn recall blame 3f9a1c22b7de`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{cmd, errors.New("give one FINGERPRINT")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRecallBlame(a, cmd, format, args[0]) },
	}
	formatFlag(cmd.Flags(), &format)
	cmd.ValidArgsFunction = a.completeFinding
	return cmd
}

// blamed is recall.Blamed as it is printed.
type blamed struct {
	Command string   `json:"command"`
	Passed  sighting `json:"last_passed"`
	Failed  sighting `json:"first_failed"`
	Commits []string `json:"commits"`
	More    bool     `json:"more,omitempty"`
	Why     string   `json:"why,omitempty"`
}

func runRecallBlame(a *app, cmd *cobra.Command, form, fingerprint string) error {
	format, err := render.ParseFormat(form)
	if err == nil && !isHex(fingerprint, minFingerprint, maxFingerprint) {
		err = fmt.Errorf("%q is not a fingerprint: give %d to %d hex digits", fingerprint, minFingerprint, maxFingerprint)
	}
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	b, err := recall.Blame(cmd.Context(), site, fingerprint)
	if err != nil {
		return asNotFound(err)
	}
	out := blamed{b.Command, sightingOf(b.Passed), sightingOf(b.Failed), append([]string{}, b.Commits...), b.More, b.Why}
	return a.print(format, out, blamedText(b))
}

func blamedText(b *recall.Blamed) string {
	var w strings.Builder
	fmt.Fprintf(&w, "$ %s\nlast passed  %s\nfirst failed %s\n", oneLine(b.Command, 200), sightingText(b.Passed), sightingText(b.Failed))
	for _, c := range b.Commits {
		hash, subject, _ := strings.Cut(c, " ")
		fmt.Fprintf(&w, "    %s %s\n", hash[:min(len(hash), 12)], oneLine(subject, 120))
	}
	if b.More {
		fmt.Fprintf(&w, "    [… and more: git log %s..%s]\n", b.Passed.Commit[:12], b.Failed.Commit[:12])
	}
	if b.Why != "" {
		fmt.Fprintf(&w, "[%s]\n", b.Why)
	}
	return result.Clean(w.String())
}
