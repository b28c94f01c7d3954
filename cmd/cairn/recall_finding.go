package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/manifest"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

const recallFindingLong = `Tell the history of one finding: first seen, last seen, how often, where, and
whether the same command was run since without it. FINGERPRINT is 12 hex digits,
or the first 6 or more of them.

Exit status:
  0  told
  1  the manifest could not be read, or FINGERPRINT is ambiguous
  2  the command line is not right
  3  no capture has this finding`

func newRecallFinding(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "finding FINGERPRINT",
		Short:   "the history of one finding",
		Long:    recallFindingLong,
		Example: `  cairn recall finding 3f9a1c22b7de`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{cmd, errors.New("give one FINGERPRINT")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRecallFinding(a, cmd, format, args[0]) },
	}
	formatFlag(cmd.Flags(), &format)
	return cmd
}

func runRecallFinding(a *app, cmd *cobra.Command, form, fingerprint string) error {
	format, err := render.ParseFormat(form)
	if err != nil {
		return usageError{cmd, err}
	}
	if !isHex(fingerprint, minFingerprint, maxFingerprint) {
		return usageError{cmd, fmt.Errorf("%q is not a fingerprint: give %d to %d hex digits", fingerprint, minFingerprint, maxFingerprint)}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	h, err := recall.Finding(cmd.Context(), site, fingerprint)
	if err != nil {
		return asNotFound(err)
	}
	return a.print(format, historyOf(h), historyText(h))
}

// history is recall.History as it is printed.
type history struct {
	Fingerprint string          `json:"fingerprint"`
	Finding     *result.Finding `json:"finding,omitempty"`
	First       sighting        `json:"first_seen"`
	Last        sighting        `json:"last_seen"`
	Captures    int             `json:"captures"`
	Branches    []string        `json:"branches,omitempty"`
	Commands    []string        `json:"commands,omitempty"`
	Since       *sighting       `json:"run_since,omitempty"`
	Gone        bool            `json:"gone"`
}

type sighting struct {
	Run    string        `json:"run"`
	Time   string        `json:"time"`
	Commit string        `json:"commit,omitempty"`
	Branch string        `json:"branch,omitempty"`
	Status result.Status `json:"status,omitempty"`
}

func sightingOf(s recall.Sighting) sighting {
	return sighting{s.Run, s.Time.Format(manifest.TimeLayout), s.Commit, s.Branch, s.Status}
}

func historyOf(h *recall.History) history {
	out := history{
		Fingerprint: h.Fingerprint, First: sightingOf(h.First), Last: sightingOf(h.Last),
		Captures: h.Captures, Branches: h.Branches, Commands: h.Commands, Gone: h.Gone,
	}
	if h.Latest.Fingerprint != "" {
		out.Finding = &h.Latest
	}
	if h.Since != nil {
		since := sightingOf(*h.Since)
		out.Since = &since
	}
	return out
}

func historyText(h *recall.History) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", h.Fingerprint, render.Line(h.Latest))
	fmt.Fprintf(&b, "first seen %s\n", sightingText(h.First))
	fmt.Fprintf(&b, "last seen  %s\n", sightingText(h.Last))
	fmt.Fprintf(&b, "in %s of %s\n", plural(h.Captures, "capture"), strings.Join(cleanLines(h.Commands), "; "))
	switch {
	case h.Since == nil:
		b.WriteString("not run again since\n")
	case h.Gone:
		fmt.Fprintf(&b, "gone since %s\n", sightingText(*h.Since))
	default:
		fmt.Fprintf(&b, "not seen in %s, which does not account for all of its output\n", sightingText(*h.Since))
	}
	return b.String()
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
