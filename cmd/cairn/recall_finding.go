package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/manifest"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallFindingLong = `Tell the history of one finding: first seen, last seen, how often, where, whether
the same command was run since without it, how often it passed in between, the
commits that made it go away, and the findings that always come with it.

A finding is named by its fingerprint (12 hex digits, or the first 6 or more), by
its group (the same test, or the same rule in the same place, whatever it says), by
the id of a test or its last words, by a rule, or by a file or a directory. The
history of a rule or a file is that of all its findings. The id of a capture stands
for its command: the history is that of all failures of it.
` + aboutFindings

// oneSubject names the argument of "recall finding" in an error.
const oneSubject = "one FINGERPRINT, test, rule or file"

func newRecallFinding(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "finding FINGERPRINT|TEST|RULE|FILE",
		Short: "the history of one finding",
		Long:  recallFindingLong + exitHelp("told", "the manifest could not be read, or what was named is ambiguous", "no capture has this finding"),
		Example: `  cairn recall finding 3f9a1c22b7de
  cairn recall finding test_total --branch main
  cairn recall finding src/shop/cart.py --since 'last month'`,
	}
	return asksAbout(a, cmd, recall.Finding, historyRows, historyText)
}

// asksAbout makes a command ask about one finding, and print the answer.
func asksAbout[T any](a *app, cmd *cobra.Command, ask func(context.Context, *place.Site, string, filter.Filters) (*T, error), rows func(*T) [][]string, text func(*T) string) *cobra.Command {
	var q question
	cmd.Args, cmd.ValidArgsFunction = takes(1, 1, oneSubject), a.completeFinding
	cmd.RunE = a.asking(&q, func(cmd *cobra.Command, _ *render.Screen, site *place.Site, args []string) error {
		told, err := ask(cmd.Context(), site, args[0], q.filters)
		if err != nil {
			return asNotFound(err)
		}
		if q.format == formatCSV {
			return a.printRows(rows(told)...)
		}
		return a.print(q.format, told, text(told))
	})
	a.questionFlags(cmd, &q, 0)
	return cmd
}

// historyRows are the captures of a history, each with its role in it.
func historyRows(h *recall.History) [][]string {
	rows := [][]string{append([]string{"what"}, sightingColumns...)}
	add := func(what string, s recall.Sighting) { rows = append(rows, append([]string{what}, sightingRow(s)...)) }
	add("first_seen", h.First)
	add("last_seen", h.Last)
	if h.Since != nil {
		add("run_since", *h.Since)
	}
	for _, c := range h.Cures {
		add("before_cure", c.Before)
		add("after_cure", c.After)
	}
	return rows
}

func historyText(h *recall.History) string {
	var b strings.Builder
	if h.Subject != "fingerprint" {
		fmt.Fprintf(&b, "%s %s\n", h.Subject, result.CleanLine(h.Name))
	}
	switch {
	case h.Latest.Fingerprint != "":
		fmt.Fprintf(&b, "%s %s\n", h.Latest.Fingerprint, render.Line(h.Latest))
	case h.Subject != "command":
		fmt.Fprintf(&b, "%s\n", h.Fingerprint)
	}
	fmt.Fprintf(&b, "first seen %s\n", sightingText(h.First))
	fmt.Fprintf(&b, "last seen  %s\n", sightingText(h.Last))
	fmt.Fprintf(&b, "in %s of %s\n", result.Count(h.Captures, "capture"), someOf(result.CleanLines(h.Commands), 3, "; "))
	if len(h.Branches) > 1 || len(h.Agents) > 1 {
		fmt.Fprintf(&b, "on %s%s\n", someOf(result.CleanLines(h.Branches), 5, ", "), byAgents(result.CleanLines(h.Agents)))
	}
	if h.Passes > 0 {
		fmt.Fprintf(&b, "not there in %s in between\n", result.Count(h.Passes, "run"))
	}
	switch {
	case h.Since == nil:
		b.WriteString("not run again since\n")
	case h.Gone:
		fmt.Fprintf(&b, "gone since %s\n", sightingText(*h.Since))
	default:
		fmt.Fprintf(&b, "not seen in %s, which does not account for all of its output\n", sightingText(*h.Since))
	}
	if h.RunsSince > 0 {
		fmt.Fprintf(&b, "runs since it was last seen: %d\n", h.RunsSince)
	}
	for _, c := range h.Cures {
		fmt.Fprintf(&b, "went away with %s (%s), after %s\n", c.After.Commit[:min(len(c.After.Commit), 12)], sightingText(c.After), c.Before.Commit[:min(len(c.Before.Commit), 12)])
	}
	if n := h.Cured - len(h.Cures); n > 0 {
		fmt.Fprintf(&b, "[… and %d times more, earlier]\n", n)
	}
	for _, f := range h.With {
		fmt.Fprintf(&b, "always with %s %s\n", f.Fingerprint, render.Line(f))
	}
	return b.String()
}

func byAgents(agents []string) string {
	if len(agents) == 0 {
		return ""
	}
	return " by " + someOf(agents, 5, ", ")
}

// someOf joins the first most elements of a list, and says how many more there are.
func someOf(list []string, most int, between string) string {
	if n := len(list) - most; n > 0 {
		return strings.Join(list[:most], between) + fmt.Sprintf("%sand %d more", between, n)
	}
	return strings.Join(list, between)
}

func sightingText(s recall.Sighting) string {
	words := []string{s.Time.Format("2006-01-02 15:04:05"), result.CleanLine(s.Run)}
	if s.Branch != "" {
		words = append(words, "on "+result.CleanLine(s.Branch))
	}
	if s.Commit != "" {
		words = append(words, "at "+s.Commit[:min(len(s.Commit), 12)])
	}
	return strings.Join(words, " ")
}

// asNotFound turns "no such record" into its exit status.
func asNotFound(err error) error {
	if errors.Is(err, manifest.ErrNotFound) {
		return notFound{err}
	}
	return err
}

const recallBlameLong = `Tell where a finding came from: the last run of its command on a branch that proves
it was not there, the first after it that shows it, and the commits between the
two. A finding is named as for "cairn recall finding": by its fingerprint, by a test,
a rule or a file. Where runs on one and the same tree differ about it, it is flaky:
that is said first, since then no commit explains it.
` + aboutFindings

func newRecallBlame(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "blame FINGERPRINT|TEST|RULE|FILE",
		Short: "the commits between passed and failed",
		Long:  recallBlameLong + exitHelp("told", "the manifest could not be read, or what was named is ambiguous", "no capture has this finding, or none before it proves that it was not there"),
		Example: `  cairn recall blame 3f9a1c22b7de
  cairn recall blame tests/test_shop.py::test_total --branch main`,
	}
	return asksAbout(a, cmd, recall.Blame, blamedRows, blamedText)
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
