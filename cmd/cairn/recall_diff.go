package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/outcomes"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallDiffLong = `Compare two captures of one command: which findings are new, which are fixed,
which still fail. A and B are run ids or their beginnings, branches, or whatever git
resolves to a commit: of branches and commits the newest captures of one command are
compared. Without A and B the last two captures of the newest command that has
findings, or is a test, lint, type check or build, are compared; with A alone A and
the newest capture of its command.

A finding that is not there any more is called fixed only if the later capture
accounts for all of its output; otherwise it is called missing.

Of tests, where both runs name all of theirs: those that ran in A and are gone in B, are
skipped in B only, are expected to fail in B only, passed in B only, were added; and those of
which it is guessed that they were renamed, moved or given other parameters. Where a runner
names only failures, its numbers are compared.
` + onTerminal + `` + aboutFindings

func newRecallDiff(a *app) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "diff [A [B]]",
		Short: "new, fixed, still failing",
		Long:  recallDiffLong + exitHelp("compared, whatever the difference", "the captures cannot be compared, or A or B is ambiguous", "there are not two captures"),
		Example: `  cairn recall diff
  cairn recall diff 01KAJ4 01KAJ9
  cairn recall diff main feature/cart --tool pytest`,
		Args: takes(0, 2, "two captures at most"),
		RunE: a.asking(&q, func(cmd *cobra.Command, screen *render.Screen, site *place.Site, args []string) error {
			args = append(args, "", "")
			d, err := recall.Diff(cmd.Context(), site, args[0], args[1], q.filters)
			if err != nil {
				return asNotFound(err)
			}
			if q.format == formatCSV {
				return a.printRows(differenceRows(d)...)
			}
			fresh := recall.Freshness(cmd.Context(), site, d.After.Record, d.After.Result)
			if screen != nil {
				a.linked(screen, site)
				return a.paint(differenceScreen(screen, d, fresh))
			}
			return a.print(q.format, differenceOf(d), differenceText(d, fresh))
		}),
	}
	a.questionFlags(cmd, &q, 0)
	colorFlag(cmd, &q.color)
	cmd.ValidArgsFunction = a.completeTwoRuns
	return cmd
}

func differenceRows(d *recall.Difference) [][]string {
	rows := [][]string{slices.Concat([]string{"change", "before", "after"}, findingColumns)}
	for _, list := range screens.TestsOf(d.Tests) {
		for _, t := range list.Tests {
			rows = append(rows, slices.Concat([]string{list.Word, d.Before.Record.ID, d.After.Record.ID}, findingRow(result.Finding{ID: t.ID, Location: t.At})))
		}
	}
	for _, list := range screens.Changes(d) {
		for _, f := range list.Findings {
			rows = append(rows, slices.Concat([]string{list.Word, d.Before.Record.ID, d.After.Record.ID}, findingRow(f)))
		}
	}
	return rows
}

// difference is recall.Difference as printed.
type difference struct {
	Before  string           `json:"before"`
	After   string           `json:"after"`
	New     []result.Finding `json:"new"`
	Fixed   []result.Finding `json:"fixed"`
	Still   []result.Finding `json:"still"`
	Missing []result.Finding `json:"missing,omitempty"`
	Why     string           `json:"why_missing,omitempty"`
	Tests   *testsDiffer     `json:"tests,omitempty"`
}

// testsDiffer is recall.TestsThen as printed.
type testsDiffer struct {
	Gone    []outcomes.Test `json:"gone"`
	Skipped []outcomes.Test `json:"newly_skipped"`
	XFailed []outcomes.Test `json:"newly_expected_to_fail"`
	Passed  []outcomes.Test `json:"newly_passed"`
	Added   []outcomes.Test `json:"added"`
	Moved   []testMoved     `json:"guessed_renamed"`
	// For runners that do not name all tests.
	Fewer       int `json:"fewer,omitempty"`
	MoreSkipped int `json:"more_skipped,omitempty"`
}

type testMoved struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func testsDifferOf(t *recall.TestsThen) *testsDiffer {
	if t == nil {
		return nil
	}
	list := func(l outcomes.List) []outcomes.Test { return append([]outcomes.Test{}, l...) }
	c := t.Change
	if c == nil {
		c = &outcomes.Change{}
	}
	out := &testsDiffer{
		Gone: list(c.Gone), Skipped: list(c.Skipped), XFailed: list(c.XFailed), Passed: list(c.Passed), Added: list(c.New),
		Moved: []testMoved{}, Fewer: t.Fewer, MoreSkipped: t.Skipped,
	}
	for _, m := range c.Moved {
		out.Moved = append(out.Moved, testMoved{m.From.ID, m.To.ID})
	}
	return out
}

func differenceOf(d *recall.Difference) difference {
	list := func(f []result.Finding) []result.Finding { return append([]result.Finding{}, f...) }
	out := difference{
		Before: d.Before.Record.ID, After: d.After.Record.ID,
		New: list(d.New), Fixed: list(d.Fixed), Still: list(d.Still), Missing: d.Missing,
		Tests: testsDifferOf(d.Tests),
	}
	if len(d.Missing) > 0 {
		out.Why = d.Why
	}
	return out
}

func differenceText(d *recall.Difference, fresh string) string {
	var b strings.Builder
	b.WriteString("before " + hitLines(d.Before, ""))
	b.WriteString("after  " + hitLines(d.After, fresh))
	b.WriteString(screens.CountChanges(d) + "\n" + screens.TestChanges(d.Tests) + changesText(screens.Changes(d)))
	return b.String()
}

func changesText(all []screens.Change) string {
	var b strings.Builder
	for _, list := range all {
		for _, f := range list.Findings {
			fmt.Fprintf(&b, "%-7s %s\n", list.Word, render.Line(f))
		}
	}
	return b.String()
}

// print prints text as the compact form, and v as JSON or YAML.
func (a *app) print(format render.Format, v any, text string) error {
	out := []byte(text)
	if format != render.FormatCompact {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if format == render.FormatYAML {
			line, err = render.YAML(line)
		} else {
			line = append(line, '\n')
		}
		if err != nil {
			return err
		}
		out = line
	}
	return a.put(format, out)
}
