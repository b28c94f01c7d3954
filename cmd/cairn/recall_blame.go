package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallBlameLong = `Tell where a finding came from: the last run of its command on a branch that proves
it was not there, the first after it that shows it, and the commits between the
two. A finding is named as for "cairn recall finding": by its fingerprint, by a test,
a rule or a file. Where runs on one and the same tree differ about it, it is flaky:
that is said first, since then no commit explains it.
` + aboutFindings

func newRecallBlame(a *app) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "blame FINGERPRINT|TEST|RULE|FILE",
		Short: "the commits between passed and failed",
		Long:  recallBlameLong + exitHelp("told", "the manifest could not be read, or what was named is ambiguous", "no capture has this finding, or none before it proves that it was not there"),
		Example: `  cairn recall blame 3f9a1c22b7de
  cairn recall blame tests/test_shop.py::test_total --branch main`,
		Args: takes(1, 1, oneSubject),
		RunE: a.asking(&q, func(cmd *cobra.Command, _ *render.Screen, site *place.Site, args []string) error {
			b, err := recall.Blame(cmd.Context(), site, args[0], q.filters)
			if err != nil {
				return asNotFound(err)
			}
			if q.format == formatCSV {
				return a.printRows(blamedRows(b)...)
			}
			return a.print(q.format, b, blamedText(b))
		}),
	}
	a.questionFlags(cmd, &q, 0)
	cmd.ValidArgsFunction = a.completeFinding
	return cmd
}

func blamedRows(b *recall.Blamed) [][]string {
	row := func(what string, s recall.Sighting) []string {
		return append(append([]string{what}, sightingRow(s)...), "")
	}
	rows := [][]string{slices.Concat([]string{"what"}, sightingColumns, []string{"subject"})}
	if b.Flaky != nil {
		rows = append(rows, row("flaky_failed", b.Flaky.Failed), row("flaky_passed", b.Flaky.Passed))
	}
	rows = append(rows, row("last_passed", b.Passed), row("first_failed", b.Failed))
	for _, c := range b.Commits {
		hash, subject, _ := strings.Cut(c, " ")
		rows = append(rows, []string{"commit", "", "", "", hash, "", "", subject})
	}
	return rows
}

func blamedText(b *recall.Blamed) string {
	var w strings.Builder
	if f := b.Flaky; f != nil {
		trees := ""
		if f.Trees > 1 {
			trees = fmt.Sprintf(", and runs differ on %s more", result.Count(f.Trees-1, "tree"))
		}
		fmt.Fprintf(&w, "flaky: on one tree it was there in %d of %d runs%s; no commit explains that\n  there     %s\n  not there %s\n",
			f.Fails, f.Runs, trees, sightingText(f.Failed), sightingText(f.Passed))
	}
	fmt.Fprintf(&w, "$ %s\nlast passed  %s\nfirst failed %s\n", screens.OneLine(b.Command, 200), sightingText(b.Passed), sightingText(b.Failed))
	for _, c := range b.Commits {
		hash, subject, _ := strings.Cut(c, " ")
		fmt.Fprintf(&w, "    %s %s\n", hash[:min(len(hash), 12)], screens.OneLine(subject, 120))
	}
	if b.More {
		fmt.Fprintf(&w, "    [… and more: git log %s..%s]\n", b.Passed.Commit[:12], b.Failed.Commit[:12])
	}
	if b.Why != "" {
		fmt.Fprintf(&w, "[%s]\n", b.Why)
	}
	return result.Clean(w.String())
}
