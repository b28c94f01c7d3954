package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallFlakyLong = `List the tests that failed and did not fail on one and the same tree, under one
and the same command. Only captures of a commit without changes count, or of a tree
whose files are all known, and only those whose output is accounted for: a tree that
changed proves nothing. In the first case files that git does not track may differ. The rates are over the runs on
those trees. How many test runs were left out, and why, is said at the end: of a
command of a moment it is often not known whether the tree was changed.
` + onTerminal + `` + aboutFindings

func newRecallFlaky(a *app) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "flaky",
		Short: "tests with different verdicts on the same tree",
		Long:  recallFlakyLong + exitHelp("there are some", "the manifest could not be read", "there are none"),
		Example: `  cairn recall flaky --since 30d --file tests/integration
  cairn recall flaky --format json | jq -r .test`,
		Args: noArgs,
		RunE: a.asking(&q, func(cmd *cobra.Command, screen *render.Screen, site *place.Site, _ []string) error {
			found, err := recall.Flaky(cmd.Context(), site, q.filters)
			if err != nil {
				return asNotFound(err)
			}
			if len(found.Tests) == 0 {
				return notFound{fmt.Errorf("no test failed and passed on the same tree; %d of %s prove something: those of a commit known to be unchanged, with all output accounted for%s", found.Evidence, result.Count(found.Captures, "capture"), leftOut(found.Left))}
			}
			if q.format == formatCSV {
				rows := [][]string{flakyColumns}
				for _, t := range found.Tests {
					rows = append(rows, slices.Concat([]string{nameOf(t.Finding), t.Group, strconv.Itoa(t.Failed), strconv.Itoa(t.Runs), strconv.Itoa(t.Trees), t.Command,
						t.LastFailed, t.LastPassed, t.Last.Format(manifest.TimeLayout)}, findingRow(t.Finding)))
				}
				return a.printRows(rows...)
			}
			if screen != nil {
				if err := a.paint(flakyScreen(screen, found)); err != nil {
					return err
				}
				found.Tests = nil
			}
			for _, t := range found.Tests {
				if err := a.print(q.format, flakyTest{nameOf(t.Finding), t, t.Last.Format(manifest.TimeLayout)}, flakyText(t)); err != nil {
					return err
				}
			}
			if found.More > 0 && q.format == render.FormatCompact {
				fmt.Fprintf(a.out, "[… %d more: --limit 0]\n", found.More)
			}
			if left := leftOut(found.Left); left != "" && q.format == render.FormatCompact {
				fmt.Fprintf(a.out, "[%s]\n", strings.TrimPrefix(left, "; "))
			}
			return nil
		}),
	}
	a.questionFlags(cmd, &q, 20)
	colorFlag(cmd, &q.color)
	return cmd
}

// flakyTest is recall.FlakyTest as printed.
type flakyTest struct {
	Test string `json:"test"`
	recall.FlakyTest
	Last string `json:"last_seen"`
}

var flakyColumns = slices.Concat([]string{"test", "group", "failed", "runs", "trees", "command", "last_failed", "last_passed", "last_seen"}, findingColumns)

// leftOut says how many test runs did not count, and why.
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
		nameOf(t.Finding), t.Failed, t.Runs, trees, screens.OneLine(t.Finding.Message, 120), screens.OneLine(t.Command, 120), render.ShortRun(t.LastFailed), render.ShortRun(t.LastPassed), t.Group))
}
