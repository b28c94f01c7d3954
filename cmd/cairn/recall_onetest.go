package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

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
