package main

import (
	"cmp"
	"errors"
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

const recallTestLong = `Tell what one test came to in the runs that kept a list of their tests, the newest first:
run, time, outcome, duration and tree; then how often it came to what, when it failed first
and last, how long it takes, and whether it is flaky. ID is the test's id as recall tests
prints it, or what of it only one test has: its own name without the file or the suite, or a part of that.
Runs that passed and kept no list, as of pytest -q, are counted beside them.
` + onTerminal + `` + filtersHelp + `They choose the runs, and --limit is of runs.`

func newRecallTest(a *app) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "test ID",
		Short: "what one test came to, run by run",
		Long:  recallTestLong + exitHelp("printed", "the manifest could not be read", "no run that the filters leave names a test of that id"),
		Example: `  cairn recall test 'tests/test_a.py::test_login[a b]'
  cairn recall test tests/test_a.py::test_login --branch main --format json`,
		Args: takes(1, 1, "the ID of one test"),
		RunE: a.asking(&q, func(cmd *cobra.Command, screen *render.Screen, site *place.Site, args []string) error {
			id := args[0]
			past, err := recall.TestHistory(cmd.Context(), site, id, q.filters)
			if err == nil && len(past.Near) == 1 {
				a.warn("no test is named exactly so; this is " + result.CleanLine(past.Near[0]))
				id = past.Near[0]
				past, err = recall.TestHistory(cmd.Context(), site, id, q.filters)
			}
			if err != nil {
				return err
			}
			if past.Away > 0 {
				a.warn(fmt.Sprintf("the lists of %s are not in this clone, or were collected: the test may have run there, too", result.Count(past.Away, "further run")))
			}
			runs := past.Runs
			if len(runs) == 0 {
				return notFound{noSuchTest(id, past.Near)}
			}
			switch {
			case screen != nil:
				return a.paint(testScreen(screen, id, past))
			case q.format == formatCSV:
				return a.printRows(testRows(past)...)
			case q.format != render.FormatCompact:
				return a.print(q.format, testRunsOf(id, past), "")
			}
			for _, r := range runs {
				took := "-"
				if r.Test.DurationMS > 0 {
					took = fmt.Sprint(r.Test.DurationMS, " ms")
				}
				fmt.Fprintf(a.out, "%s  %s  %-7s %10s  tree %s\n", render.ShortRun(r.Run.ID), r.Run.Time.UTC().Format("2006-01-02 15:04:05"), r.Test.Outcome, took, manifest.ShortTree(cmp.Or(screens.TreeOf(r), "-")))
			}
			_, err = fmt.Fprintln(a.out, screens.TestCounts(past))
			return err
		}),
	}
	a.questionFlags(cmd, &q, 100)
	colorFlag(cmd, &q.color)
	return cmd
}

// noSuchTest says that no run names a test, and lists similar ones.
func noSuchTest(id string, near []string) error {
	text := "no run names a test " + result.CleanLine(id)
	if len(near) > 0 {
		text += "; is it one of these?"
	}
	for _, other := range near {
		text += "\n  " + result.CleanLine(other)
	}
	return errors.New(text)
}

// oneTest is the history of a test as printed.
type oneTest struct {
	ID          string         `json:"id"`
	Counts      map[string]int `json:"counts"`
	Flaky       bool           `json:"flaky"`
	FirstFailed string         `json:"first_failed,omitempty"`
	LastFailed  string         `json:"last_failed,omitempty"`
	Took        recall.Took    `json:"took,omitzero"`
	Quiet       int            `json:"passed_without_list,omitempty"` // further runs of the same commands, without a list
	Runs        []oneRun       `json:"runs"`
}

type oneRun struct {
	Run        string `json:"run"`
	Time       string `json:"time"`
	Outcome    string `json:"outcome"`
	DurationMS int64  `json:"duration_ms,omitempty"`
	Branch     string `json:"branch,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Tree       string `json:"tree,omitempty"`
	Command    string `json:"command"`
}

func testRunsOf(id string, past recall.TestPast) oneTest {
	sum := recall.SumOf(past.Runs)
	t := oneTest{ID: id, Quiet: past.Quiet, Counts: sum.Counts, Flaky: sum.Flaky, FirstFailed: sum.FirstFailed, LastFailed: sum.LastFailed, Took: sum.Took}
	for _, r := range past.Runs {
		one := oneRun{Run: r.Run.ID, Time: r.Run.Time.UTC().Format(manifest.TimeLayout), Outcome: string(r.Test.Outcome), DurationMS: r.Test.DurationMS, Tree: screens.TreeOf(r), Command: recall.CommandLine(r.Run)}
		if r.Run.Git != nil {
			one.Branch, one.Commit = r.Run.Git.Branch, r.Run.Git.Commit
		}
		t.Runs = append(t.Runs, one)
	}
	return t
}

func testRows(past recall.TestPast) [][]string {
	rows := [][]string{{"run", "time", "outcome", "duration_ms", "branch", "commit", "tree", "command"}}
	for _, r := range testRunsOf("", past).Runs {
		rows = append(rows, []string{r.Run, r.Time, r.Outcome, known(r.DurationMS), r.Branch, r.Commit, r.Tree, r.Command})
	}
	return rows
}

// known is a number, or "" for 0, which means unknown.
func known(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

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
						t.LastFailed, t.LastPassed, t.Last.Format(manifest.TimeLayout)}, slices.Delete(findingRow(t.Finding), 4, 5)))
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

var flakyColumns = slices.Concat([]string{"test", "group", "failed", "runs", "trees", "command", "last_failed", "last_passed", "last_seen"}, findingColumns[:4], findingColumns[5:])

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
	return cmp.Or(f.ID, f.Message)
}

func flakyText(t recall.FlakyTest) string {
	trees := "1 tree"
	if t.Trees > 1 {
		trees = fmt.Sprintf("%d trees", t.Trees)
	}
	return result.Clean(fmt.Sprintf("%s failed %d of %d runs on %s: %s\n    $ %s\n    failed in %s, not in %s; group %s\n",
		nameOf(t.Finding), t.Failed, t.Runs, trees, screens.OneLine(t.Finding.Message, 120), screens.OneLine(t.Command, 120), render.ShortRun(t.LastFailed), render.ShortRun(t.LastPassed), t.Group))
}
