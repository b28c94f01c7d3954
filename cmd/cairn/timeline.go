package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/agents/shell"
	"cairn/agents/timeline"
	"cairn/agents/timeline/kept"
	"cairn/internal/ambiguous"
	"cairn/internal/build"
	"cairn/internal/place"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/render"
	"cairn/result"
)

func newTimelineList(a *app) *cobra.Command {
	var format render.Format
	var limit int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "subagents, those that run first",
		Long:  `List what subagents did: those that run, then those on the record, newest first.` + exitHelp("there are some", "the record could not be read", "there are none"),
		Example: `  cairn timeline list
  cairn timeline list --format json | jq -r 'select(.status == "error") | .agentId'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTimelineList(a, cmd, format, limit) },
	}
	formatFlag(cmd, &format)
	cmd.Flags().IntVar(&limit, "limit", 20, "at most `N`; 0 is all")
	return cmd
}

func runTimelineList(a *app, cmd *cobra.Command, format render.Format, limit int) error {
	if limit < 0 {
		return usageError{cmd, fmt.Errorf("--limit %d is below zero", limit)}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	all, err := kept.List(cmd.Context(), site, limit)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return notFound{fmt.Errorf("no timelines in %s", site.Dir)}
	}
	for _, w := range all {
		if err := a.print(format, w.Head, headLine(w)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// headLine is a timeline in one line, with its id first.
func headLine(w *kept.Whole) string {
	d := w.Head
	began := time.UnixMilli(d.Began).UTC().Format("2006-01-02 15:04:05")
	if w.Away != "" {
		return fmt.Sprintf("%s %s %s", d.AgentID, began, w.Says)
	}
	line := fmt.Sprintf("%s %s %s: %s", d.AgentID, began, d.Status, d.DisplayName)
	if d.Description != "" {
		line += ", " + d.Description
	}
	line += fmt.Sprintf(" (%s, %s, %s tokens, %s)", result.Count(d.EntryCount, "step"), result.Count(d.ToolUses, "tool"), d.TokensText, time.Duration(d.DurationMS)*time.Millisecond)
	if d.Error != "" {
		line += ": " + screens.OneLine(d.Error, 200)
	}
	return screens.OneLine(line, 500)
}

func newTimelineShow(a *app) *cobra.Command {
	var format render.Format
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "what one subagent did, step by step",
		Long: `Show the steps of a subagent: what it said, the tools it used, and of each output
its beginning, its size and the id by which "cairn recall object" gives all of
it. ID is the subagent's, or the beginning or end of it. In JSON the first line
is the head, and each other line a step.` + exitHelp("shown", "it could not be read, or its steps are in another clone", "there is none of this id"),
		Example: `  cairn timeline show 01JD5Z2V6Q8T9W0XABCDEFGHJK
  cairn timeline show EFGHJK --format json | jq -r 'select(.isError) | .output.oid'`,
		Args: takes(1, 1, "one ID"),
		RunE: a.onSite(func(cmd *cobra.Command, site *place.Site, args []string) error {
			w, err := kept.Open(cmd.Context(), site, args[0])
			var several *ambiguous.Error
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return notFound{err}
			case errors.As(err, &several):
				return usageError{cmd, err}
			case err != nil:
				return err
			}
			if err := a.print(format, w.Head, headText(w)); err != nil {
				return err
			}
			if w.Away != "" {
				return fmt.Errorf("its steps are not here: %s", w.Away)
			}
			for n, step := range w.Steps {
				if err := a.print(format, step, stepText(n, step)); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	formatFlag(cmd, &format)
	return cmd
}

func headText(w *kept.Whole) string {
	d := w.Head
	text := headLine(w) + "\n"
	if d.Model != "" {
		text += "model " + strings.TrimSpace(d.Model+" "+d.Thinking) + "\n"
	}
	if d.MDPath != "" {
		text += fmt.Sprintf("defined in %s (%s)\n", d.MDPath, d.MDSource)
	}
	return text
}

// stepText is a step; its content is indented, so that no line of it looks like another step.
func stepText(n int, e timeline.Entry) string {
	var b strings.Builder
	name := e.Kind
	if e.Kind == "tool" {
		name = e.Tool
	}
	fmt.Fprintf(&b, "%d %s", n+1, screens.OneLine(name, 80))
	if len(e.Input) > 0 {
		fmt.Fprintf(&b, " %s", screens.OneLine(string(e.Input), 400))
	}
	if e.IsError {
		b.WriteString(" FAILED")
	}
	b.WriteString("\n")
	indented := func(text string) {
		for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
			b.WriteString("    " + line)
		}
	}
	if e.Text != "" {
		indented(e.Text)
	}
	switch o := e.Output; {
	case e.Kind != "tool":
	case o == nil:
		b.WriteString("    (no answer yet)\n")
	case o.Bytes == 0:
		b.WriteString("    (no output)\n")
	default:
		indented(o.Preview)
		fmt.Fprintf(&b, "    [%s %s]\n", result.Count(o.Bytes, "byte"), o.OID)
	}
	return b.String()
}

func newTimelineServe(a *app) *cobra.Command {
	return newServing(a, serving{use: "serve", short: "timelines in a browser, as they go", example: "  cairn timeline serve\n  cairn timeline serve --listen 127.0.0.1:8080",
		long: `Show timelines in a browser: steps, tokens and durations, subagents within
subagents, and each output by its id, as they go and afterwards.`})
}

func newServe(a *app) *cobra.Command {
	return newServing(a, serving{use: "serve", short: "the record in a browser", page: "record", example: "  cairn serve\n  cairn serve --listen 127.0.0.1:8080",
		long: `Show the record in a browser: what passes now and since when, runs with their
output, tests over time, flaky tests, trends, and two runs compared. It is the page
of "cairn report --format html" over the newest 1,000 runs, read anew each time, and
with every output that is in this clone, exact.`})
}

// serving describes a command that serves one of the pages.
type serving struct{ use, short, long, page, example string }

const servingLong = ` The address
is printed; it holds a secret, so that only who sees it can open it. Nothing
can be changed from there. It ends when it is interrupted.

The server is the program cairn-timeline, which is installed beside cairn.`

func newServing(a *app, s serving) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use: s.use, Short: s.short, Long: s.long + servingLong + exitHelp("it was interrupted", "cairn-timeline is not there, the address cannot be listened on, or the record cannot be read"), Example: s.example,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(a, cmd, listen, s.page) },
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "`ADDRESS` of this machine; port 0 is any that is free")
	return cmd
}

func runServe(a *app, cmd *cobra.Command, listen, page string) error {
	server, err := build.Companion("cairn-timeline")
	if err != nil {
		return err
	}
	site, err := a.recallSite(cmd) // finishes and folds pending records first, and reports problems
	if err != nil {
		return err
	}
	site.Close()
	a.flush()
	argv := []string{server, listen}
	if page != "" {
		argv = append(argv, page)
	}
	return shell.Exec(argv, a.environ)
}

const uiLong = `Browse what was run, on the whole terminal: a list of runs, what each found, what its tests
came to and since when, and the exact bytes that it printed. The filters choose the runs of the list at
first; f changes them, by the same words, and ? tells all keys.

It reads the record as "cairn recall" does, and changes nothing. What tools printed is shown as text, of
whose escape sequences only colours are kept. NO_COLOR and --color are obeyed.
` + aboutCaptures + `

Exit status:
  0  it was left
  1  the record could not be read
  2  the command line is not right, or this is no terminal`

func newUI(a *app) *cobra.Command {
	var f filter.Filters
	var color string
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "browse runs, findings and outputs on the whole terminal",
		Long:  uiLong,
		Example: `  cairn ui
  cairn ui --status failed --since 7d`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := f.Read("objects", time.Now()); err != nil {
				return usageError{cmd, err}
			}
			return runUI(a, cmd, f, a.colored(color))
		},
	}
	a.filterFlags(cmd, &f, "objects")
	colorFlag(cmd, &color)
	return cmd
}

// runUI brings the record up to date, as every question does, and starts the terminal browser.
func runUI(a *app, cmd *cobra.Command, f filter.Filters, colors bool) error {
	if !isTerminal(a.in) || !isTerminal(a.stdout) {
		return usageError{cmd, errors.New(`it needs a terminal for its input and its output: "cairn recall objects" lists the runs anywhere`)}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	site.Close()
	request, err := json.Marshal(map[string]any{"filters": f, "color": colors})
	if err != nil {
		return fmt.Errorf("writing the filters: %w", err)
	}
	a.flush()
	return a.hand(cmd, "cairn-ui", a.in, string(request))
}
