package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
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

// around prints the output around a finding.
func (a *app) around(out *recall.Output, fingerprint string) error {
	f, err := out.FindingOf(fingerprint)
	if err == nil {
		err = out.Around(a.stdout, f)
	}
	return asNotFound(err)
}

// openPlace opens the place of a finding in the editor.
func (a *app) openPlace(site *place.Site, out *recall.Output, fingerprint string) error {
	f, err := out.FindingOf(fingerprint)
	if err != nil {
		return asNotFound(err)
	}
	if f.At == nil || f.At.Path == "" || f.At.External {
		return notFound{fmt.Errorf("finding %s has no place in the workspace", result.CleanLine(f.Fingerprint))}
	}
	editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
	file := filepath.Join(site.Workspace.Root, filepath.FromSlash(f.At.Path))
	if rel, err := filepath.Rel(site.Workspace.Root, file); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("the place of finding %s lies outside the workspace", f.Fingerprint)
	}
	cmd := exec.Command("sh", "-c", editor+` "$@"`, editor, "+"+strconv.Itoa(max(f.At.Line, 1)), file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.stdout, a.stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running %s: %w", editor, err)
	}
	return nil
}

// noteRecalled counts the bytes that an agent reads again, for the statistics. Those of
// a person at a terminal do not count.
func (a *app) noteRecalled(site *place.Site, bytes int64) {
	if bytes > 0 && !isTerminal(a.stdout) {
		recall.NoteRecalled(site, bytes, time.Now())
	}
}

// counter counts the bytes written through it.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

const recallLastLong = `Tell what the newest run of a command said of exactly the tree that is here now, before it
is run again: everything that git does not ignore is as it was then. If there is no such run,
tell the newest one on another tree, and which files were written since.

Nothing is run, and nothing is stored. A run may differ all the same in what is not in the
tree: ignored files, the time, the network.`

func newRecallLast(a *app) *cobra.Command {
	var format render.Format
	var line string
	cmd := &cobra.Command{
		Use:   "last [flags] (--shell LINE | -- CMD ARGS...)",
		Short: "what this command said of exactly this tree",
		Long:  recallLastLong + exitHelp("there is a run of this command on exactly this tree", "the manifest could not be read", "there is none"),
		Example: `  cairn recall last -- pytest -q
  cairn recall last --shell 'npm test 2>&1 | tail -20'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 0) == (line == "") {
				return usageError{cmd, errors.New("give one command: after --, or as a line with --shell")}
			}
			return runRecallLast(a, cmd, format, args, line)
		},
	}
	f := cmd.Flags()
	formatFlag(cmd, &format)
	f.StringVar(&line, "shell", "", "the shell `LINE` that was run")
	return cmd
}

func runRecallLast(a *app, cmd *cobra.Command, format render.Format, args []string, line string) error {
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	last, err := recall.Last(cmd.Context(), site, capture.KeysOf(site, args, line))
	if err != nil {
		return err
	}
	if last.Record == nil {
		return notFound{errors.New("this command was never captured here")}
	}
	seconds := int64(time.Since(last.Record.Time) / time.Second)
	if err := a.print(format, lastOf(last), lastText(last, seconds)); err != nil || last.Same {
		return err
	}
	return notFound{errors.New("there is no run of this command on exactly this tree")}
}

// lastRun is recall.LastRun as printed.
type lastRun struct {
	Run      string             `json:"run"`
	Time     time.Time          `json:"time"`
	SameTree bool               `json:"same_tree"`
	Unknown  string             `json:"tree_unknown,omitempty"`
	Changed  []string           `json:"written_since,omitempty"`
	More     int                `json:"written_more,omitempty"`
	Result   *result.ToolResult `json:"result,omitempty"`
}

func lastOf(l *recall.LastRun) lastRun {
	return lastRun{l.Record.ID, l.Record.Time, l.Same, l.Unknown, l.Changed, l.More, l.Result}
}

func lastText(l *recall.LastRun, seconds int64) string {
	ago := render.Span(max(seconds, 0)) + " ago (" + render.ShortRun(l.Record.ID) + ")"
	where := "on exactly this tree, " + ago
	switch {
	case l.Same:
	case l.Unknown != "":
		where = "not known whether on this tree (" + result.CleanLine(l.Unknown) + "), " + ago
	case len(l.Changed) == 0:
		where = "on another tree, " + ago
	default:
		where = "on another tree, " + ago + "; written since: " + strings.Join(result.CleanLines(l.Changed), ", ")
		if l.More > 0 {
			where += fmt.Sprintf(" and %d more", l.More)
		}
	}
	text := ""
	if l.Result != nil {
		text = render.Compact(l.Result, nil)
	}
	return text + "[" + where + "]\n"
}
