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

const recallFindingLong = `Tell the history of one finding: first seen, last seen, how often, where, whether
the same command was run since without it, how often it passed in between, the
commits that made it go away, and the findings that always come with it.
FINGERPRINT is 12 hex digits, or the first 6 or more of them.

With --group, the argument is the group of a finding: the same test, or the same
rule in the same place, whatever its message. With --command, it is a capture, and
the history is that of all failures of its command.

Exit status:
  0  told
  1  the manifest could not be read, or FINGERPRINT is ambiguous
  2  the command line is not right
  3  no capture has this finding`

func newRecallFinding(a *app) *cobra.Command {
	var o recallFindingOptions
	cmd := &cobra.Command{
		Use:   "finding FINGERPRINT",
		Short: "the history of one finding",
		Long:  recallFindingLong,
		Example: `  cairn recall finding 3f9a1c22b7de
  cairn recall finding --group 77aa01c2d3e4
  cairn recall finding --command 01KAJ4`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{cmd, errors.New("give one FINGERPRINT")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRecallFinding(a, cmd, o, args[0]) },
	}
	f := cmd.Flags()
	formatFlag(f, &o.format)
	f.BoolVar(&o.group, "group", false, "FINGERPRINT is that of a group")
	f.BoolVar(&o.command, "command", false, "FINGERPRINT is a capture: tell of all failures of its command")
	cmd.MarkFlagsMutuallyExclusive("group", "command")
	cmd.ValidArgsFunction = a.completeFinding
	return cmd
}

type recallFindingOptions struct {
	format         string
	group, command bool
}

func runRecallFinding(a *app, cmd *cobra.Command, o recallFindingOptions, fingerprint string) error {
	format, err := render.ParseFormat(o.format)
	if err != nil {
		return usageError{cmd, err}
	}
	if !o.command && !isHex(fingerprint, minFingerprint, maxFingerprint) {
		return usageError{cmd, fmt.Errorf("%q is not a fingerprint: give %d to %d hex digits", fingerprint, minFingerprint, maxFingerprint)}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	ask := recall.Finding
	switch {
	case o.group:
		ask = recall.Group
	case o.command:
		ask = recall.CommandHistory
	}
	h, err := ask(cmd.Context(), site, fingerprint)
	if err != nil {
		return asNotFound(err)
	}
	return a.print(format, historyOf(h), historyText(h))
}

// history is recall.History as it is printed.
type history struct {
	Fingerprint string           `json:"fingerprint"`
	Finding     *result.Finding  `json:"finding,omitempty"`
	First       sighting         `json:"first_seen"`
	Last        sighting         `json:"last_seen"`
	Captures    int              `json:"captures"`
	Passes      int              `json:"passes_between"`
	Branches    []string         `json:"branches,omitempty"`
	Agents      []string         `json:"agents,omitempty"`
	Commands    []string         `json:"commands,omitempty"`
	Since       *sighting        `json:"run_since,omitempty"`
	RunsSince   int              `json:"runs_since"`
	Gone        bool             `json:"gone"`
	Cured       int              `json:"cured,omitempty"`
	Cures       []cure           `json:"cures,omitempty"`
	With        []result.Finding `json:"always_with,omitempty"`
}

type cure struct {
	Before sighting `json:"before"`
	After  sighting `json:"after"`
}

type sighting struct {
	Run    string        `json:"run"`
	Time   string        `json:"time"`
	Commit string        `json:"commit,omitempty"`
	Branch string        `json:"branch,omitempty"`
	Agent  string        `json:"agent,omitempty"`
	Status result.Status `json:"status,omitempty"`
}

func sightingOf(s recall.Sighting) sighting {
	return sighting{s.Run, s.Time.Format(manifest.TimeLayout), s.Commit, s.Branch, s.Agent, s.Status}
}

func historyOf(h *recall.History) history {
	out := history{
		Fingerprint: h.Fingerprint, First: sightingOf(h.First), Last: sightingOf(h.Last), Captures: h.Captures, Passes: h.Passes,
		Branches: h.Branches, Agents: h.Agents, Commands: h.Commands, RunsSince: h.RunsSince, Gone: h.Gone, Cured: h.Cured, With: h.With,
	}
	if h.Latest.Fingerprint != "" {
		out.Finding = &h.Latest
	}
	if h.Since != nil {
		since := sightingOf(*h.Since)
		out.Since = &since
	}
	for _, c := range h.Cures {
		out.Cures = append(out.Cures, cure{sightingOf(c.Before), sightingOf(c.After)})
	}
	return out
}

func historyText(h *recall.History) string {
	var b strings.Builder
	if fmt.Fprint(&b, h.Fingerprint); h.Latest.Fingerprint != "" {
		fmt.Fprint(&b, " ", render.Line(h.Latest))
	}
	fmt.Fprintf(&b, "\nfirst seen %s\n", sightingText(h.First))
	fmt.Fprintf(&b, "last seen  %s\n", sightingText(h.Last))
	fmt.Fprintf(&b, "in %s of %s\n", result.Count(h.Captures, "capture"), someOf(cleanLines(h.Commands), 3, "; "))
	if len(h.Branches) > 1 || len(h.Agents) > 1 {
		fmt.Fprintf(&b, "on %s%s\n", someOf(cleanLines(h.Branches), 5, ", "), byAgents(cleanLines(h.Agents)))
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

// someOf joins the first few of a list, and says how many there are more.
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
