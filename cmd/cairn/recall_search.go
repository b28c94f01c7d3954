package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/place"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

const recallSearchLong = `Look for TEXT in everything that was run: commands, findings, and the bytes of the
newest outputs that are in this clone; across branches, worktrees and clones. Case
counts if TEXT has a capital letter. Findings come first, then commands, then
outputs; what has TEXT as a word of its own comes before what has it as a part.
` + aboutFindings

type recallSearchOptions struct {
	question
	outputs int
}

func newRecallSearch(a *app) *cobra.Command {
	var o recallSearchOptions
	search := a.asking(&o.question, func(cmd *cobra.Command, _ *render.Screen, site *place.Site, args []string) error {
		all, report, err := recall.Search{Text: args[0], Filters: o.filters, Outputs: o.outputs}.Run(cmd.Context(), site)
		if err != nil {
			return err
		}
		if err := a.printFound(o.format, all); err != nil {
			return err
		}
		if report.Left > 0 && o.format == render.FormatCompact {
			fmt.Fprintf(a.out, "[… %d more: --limit 0]\n", report.Left)
		}
		if report.More > 0 || report.Elsewhere > 0 {
			a.warn(fmt.Sprintf("outputs looked into: %d; not in this clone: %d; older captures left: %d (--outputs N)", report.Outputs, report.Elsewhere, report.More))
		}
		if len(all) == 0 {
			return notFound{fmt.Errorf("nothing has %q", args[0])}
		}
		return nil
	})
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "look for text in all that was run",
		Long:  recallSearchLong + exitHelp("found", "the manifest could not be read", "found nothing"),
		Example: `  cairn recall search 'connection refused'
  cairn recall search test_login --outputs 0
  cairn recall search OOMKilled --outputs 5000 --since 30d`,
		Args: takes(1, 1, "one TEXT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.outputs < 0 {
				return usageError{cmd, errors.New("--outputs cannot be below zero")}
			}
			return search(cmd, args)
		},
	}
	f := cmd.Flags()
	a.questionFlags(cmd, &o.question, 20)
	f.IntVar(&o.outputs, "outputs", 200, "look into the bytes of the newest `N` outputs; 0 is none")
	return cmd
}

func (a *app) printFound(format render.Format, all []recall.Found) error {
	if format == formatCSV && len(all) > 0 {
		return a.printRows(foundRows(all)...)
	}
	for _, f := range all {
		if err := a.print(format, f, foundText(f)); err != nil {
			return err
		}
	}
	return nil
}

func foundRows(all []recall.Found) [][]string {
	rows := [][]string{slices.Concat([]string{"what", "text", "captures"}, sightingColumns, findingColumns)}
	for _, f := range all {
		rows = append(rows, slices.Concat([]string{f.Kind, f.Text, strconv.Itoa(f.Captures)}, sightingRow(f.Last), findingRow(f.Finding)))
	}
	return rows
}

func foundText(f recall.Found) string {
	var b strings.Builder
	switch f.Kind {
	case "finding":
		fmt.Fprintf(&b, "%s %s\n", f.Finding.Fingerprint, render.Line(f.Finding))
	case "command":
		fmt.Fprintf(&b, "$ %s\n", screens.OneLine(f.Text, 300))
	default:
		fmt.Fprintf(&b, "%s\n", f.Text)
		for _, line := range f.Context {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	captures := "1 capture"
	if f.Captures != 1 {
		captures = fmt.Sprintf("%d captures", f.Captures)
	}
	fmt.Fprintf(&b, "    in %s, last %s", captures, sightingText(f.Last))
	if f.Last.Status != "" {
		fmt.Fprintf(&b, " (%s)", f.Last.Status)
	}
	return result.Clean(b.String() + "\n")
}
