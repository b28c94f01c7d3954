package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/recall"
	"cairn/recall/screens"
	"cairn/render"
)

// statusRunning is the word of --status and of lists for running captures. It is not a
// status of a result.
const statusRunning = "running"

// follow shows a running capture until it ends.
func (a *app) follow(cmd *cobra.Command, r *capture.Running, o recallObjectOptions) error {
	if !o.follow {
		return notFound{fmt.Errorf("%s is still running; watch it: cairn recall object %s --follow", r.Record.ID, render.ShortRun(r.Record.ID))}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	if err := r.Follow(ctx, a.stdout); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return status(130)
	}
	if res, err := r.Record.Result(); err == nil && res != nil {
		a.warn("it has ended: " + render.Verdict(res))
	}
	return nil
}

// running lists running captures, unless the question is about facts that are known
// only at the end. In JSON and YAML they are listed only on request, since their
// records have no result.
func (l *lister) running(q recall.Query) (n int, err error) {
	f := q.Filters
	if !l.live && (f.Status != "" || l.format != render.FormatCompact) || f.Tool+f.Kind+f.Fingerprint+f.Rule+f.File != "" || f.Grep != "" || l.format == formatCSV {
		return 0, nil
	}
	made, err := recall.Made(l.cmd.Context(), l.site, f)
	if err != nil {
		return 0, err
	}
	all, err := capture.InProgress(l.site)
	if err != nil {
		return 0, err
	}
	for _, r := range all {
		if !made(r.Record) {
			continue
		}
		if err := l.printRunning(r); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (l *lister) printRunning(r *capture.Running) error {
	rec := r.Record
	switch {
	case l.format != render.FormatCompact:
		return l.a.printRecord(l.format, rec)
	case l.table == nil:
		return l.a.say("%s %s %s: %s\n", rec.ID, rec.Time.Format("2006-01-02 15:04:05"), screens.OneLine(recall.CommandLine(rec), 60), statusRunning)
	}
	row := render.Row{ID: rec.ID, Time: rec.Time, Status: statusRunning, Summary: screens.Bytes(r.Size()) + " so far", Dir: rec.Dir, Command: screens.OneLine(recall.CommandLine(rec), 400)}
	_, err := io.WriteString(l.screen, l.table.Row(row)+"\n")
	return err
}
