package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

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
