package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

const recallSearchLong = `Look for TEXT in everything that was run: commands, findings, and the bytes of the
newest outputs that are in this clone; across branches, worktrees and clones. Case
counts if TEXT has a capital letter. Findings come first, then commands, then
outputs; what has TEXT as a word of its own comes before what has it as a part.

Exit status:
  0  found
  1  the manifest could not be read
  2  the command line is not right
  3  found nothing`

type recallSearchOptions struct {
	recall.Search
	format, since string
}

func newRecallSearch(a *app) *cobra.Command {
	var o recallSearchOptions
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "look for text in all that was run",
		Long:  recallSearchLong,
		Example: `  cairn recall search 'connection refused'
  cairn recall search test_login --outputs 0
  cairn recall search OOMKilled --outputs 5000 --since 30d`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return usageError{cmd, errors.New("give one TEXT")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Text = args[0]
			return runRecallSearch(a, cmd, o)
		},
	}
	f := cmd.Flags()
	formatFlag(f, &o.format)
	f.IntVar(&o.Limit, "limit", 20, "at most `N` answers; 0 is all")
	f.IntVar(&o.Outputs, "outputs", 200, "look into the bytes of the newest `N` outputs; 0 is none")
	f.StringVar(&o.since, "since", "", "captures from this `TIME` on: 2h, 30d, 2026-11-20")
	return cmd
}

// found is recall.Found as it is printed.
type found struct {
	Kind     string          `json:"kind"`
	Text     string          `json:"text"`
	Finding  *result.Finding `json:"finding,omitempty"`
	Captures int             `json:"captures"`
	Last     sighting        `json:"last_seen"`
	Context  []string        `json:"context,omitempty"`
}

func runRecallSearch(a *app, cmd *cobra.Command, o recallSearchOptions) error {
	format, err := render.ParseFormat(o.format)
	if err == nil {
		o.Since, err = parseTime(o.since, time.Now())
	}
	if err == nil && (o.Limit < 0 || o.Outputs < 0) {
		err = errors.New("--limit and --outputs cannot be below zero")
	}
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	all, report, err := o.Run(cmd.Context(), site)
	if err != nil {
		return err
	}
	for _, f := range all {
		out := found{Kind: f.Kind, Text: f.Text, Captures: f.Captures, Last: sightingOf(f.Last), Context: f.Context}
		if f.Kind == "finding" {
			out.Finding = &f.Finding
		}
		if err := a.print(format, out, foundText(f)); err != nil {
			return err
		}
	}
	if report.Left > 0 && format == render.FormatCompact {
		fmt.Fprintf(a.out, "[… %d more: --limit 0]\n", report.Left)
	}
	if report.More > 0 || report.Elsewhere > 0 {
		a.warn(fmt.Sprintf("outputs looked into: %d; not in this clone: %d; older captures left: %d (--outputs N)", report.Outputs, report.Elsewhere, report.More))
	}
	if len(all) == 0 {
		return notFound{fmt.Errorf("nothing has %q", o.Text)}
	}
	return nil
}

func foundText(f recall.Found) string {
	var b strings.Builder
	switch f.Kind {
	case "finding":
		fmt.Fprintf(&b, "%s %s\n", f.Finding.Fingerprint, render.Line(f.Finding))
	case "command":
		fmt.Fprintf(&b, "$ %s\n", oneLine(f.Text, 300))
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
