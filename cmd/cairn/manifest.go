package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/capture/recovery"
	"cairn/internal/place"
	"cairn/manifest"
	"cairn/objects"
	"cairn/recall"
	"cairn/render"
	"cairn/result"
)

func newManifestLog(a *app) *cobra.Command {
	var format render.Format
	var limit int
	cmd := &cobra.Command{
		Use:   "log",
		Short: "every record, newest first",
		Long: `List records of every kind, newest first: captures, pins, corrections. In JSON a
record is one line, as it stands in the manifest.` + exitHelp("listed", "the manifest could not be read", "there are no records"),
		Example: `  cairn manifest log --limit 5
  cairn manifest log --format json --limit 0 | jq -r .id`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runManifestLog(a, cmd, format, limit) },
	}
	formatFlag(cmd, &format)
	cmd.Flags().IntVar(&limit, "limit", 50, "at most `N` records; 0 is all")
	return cmd
}

func runManifestLog(a *app, cmd *cobra.Command, format render.Format, limit int) error {
	if limit < 0 {
		return usageError{cmd, fmt.Errorf("--limit %d is below zero", limit)}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	n := 0
	for rec, err := range site.Manifest.Records(cmd.Context(), manifest.Query{Newest: true, Limit: limit}) {
		if err != nil {
			return err
		}
		if err := a.printAny(format, rec); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return notFound{fmt.Errorf("no records in %s", site.Dir)}
	}
	a.hintDiff(cmd, site)
	return nil
}

// printAny prints a record of any kind.
func (a *app) printAny(format render.Format, rec *manifest.Record) error {
	if format != render.FormatCompact {
		return a.printRecord(format, rec)
	}
	if rec.Type != manifest.TypeCapture {
		return a.say("%s %s %s %s %s\n", rec.ID, rec.Time.Format("2006-01-02 15:04:05"), string(rec.Type), rec.Target, rec.Reason)
	}
	r, err := rec.Result()
	if err != nil {
		return err
	}
	return a.put(format, []byte(hitLines(&recall.Hit{Record: rec, Result: r}, "")))
}

func newManifestFold(a *app) *cobra.Command {
	var merge, check bool
	cmd := &cobra.Command{
		Use:   "fold",
		Short: "bring what is pending into the branch",
		Long: `Commit every record that still waits to the branch. With --merge, records that
were fetched from remotes are merged into it too, so that "git push origin
cairn" is a fast-forward.` + exitHelp("nothing waits any more", "records still wait; the reason is printed"),
		Example: `  cairn manifest fold
  git fetch && cairn manifest fold --merge && git push origin cairn`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runManifestFold(a, cmd, merge, check) },
	}
	cmd.Flags().BoolVar(&merge, "merge", false, "merge the records of remotes into the branch")
	cmd.Flags().BoolVar(&check, "check", false, "compare every shard with the branch, whatever is remembered")
	return cmd
}

func runManifestFold(a *app, cmd *cobra.Command, merge, check bool) error {
	site, err := a.site(cmd.Context())
	if err != nil {
		return err
	}
	defer site.Close()
	if _, _, err := capture.Recover(cmd.Context(), site); err != nil {
		a.warn(err.Error())
	}
	r, err := site.Manifest.Fold(cmd.Context(), manifest.FoldOptions{Wait: true, Check: check})
	if err == nil && r.Why == "" && merge {
		folded := r.Folded
		r, err = site.Manifest.Merge(cmd.Context())
		r.Folded += folded
	}
	if err != nil {
		return err
	}
	if r.Why != "" {
		return fmt.Errorf("%s not in the branch yet: %s", result.Count(r.Pending, "record"), r.Why)
	}
	return a.say("%s folded, none waits\n", result.Count(r.Folded, "record"))
}

func newManifestShow(a *app) *cobra.Command {
	var color string
	format := render.FormatJSON
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "one record, whole",
		Long: `Print the record of a run, of any kind. ID is a run id or its beginning. On a terminal it is
what a person asks for: how it ended, where and when, and each finding; elsewhere, and with
--format json, it is the record as it stands in the manifest.` + exitHelp("printed", "the manifest could not be read, or ID is ambiguous", "nothing is called ID"),
		Example: `  cairn manifest show 01KAJ4 --format yaml`,
		Args:    takes(1, 1, "one ID"),
		RunE: a.onSite(func(cmd *cobra.Command, site *place.Site, args []string) error {
			asked := format
			if !cmd.Flags().Changed("format") {
				asked = render.FormatCompact
			}
			screen := a.screen(color, asked)
			out, err := recall.Find(cmd.Context(), site, args[0])
			if err != nil {
				return asNotFound(err)
			}
			if out.Record == nil {
				return notFound{fmt.Errorf("%s is an object of no capture", out.ID)}
			}
			if screen != nil && out.Record.Type == manifest.TypeCapture {
				r, err := out.Record.Result()
				if err != nil {
					return err
				}
				a.linked(screen, site)
				return a.paint(runScreen(screen, out.Record, r))
			}
			return a.printAny(format, out.Record)
		}),
	}
	oneOfForms(cmd, &format, render.FormatJSON, render.FormatYAML, render.FormatCompact)
	colorFlag(cmd, &color)
	cmd.ValidArgsFunction = a.completeRuns
	return cmd
}

// catchUp does the work that can wait, and prints its notes for the user.
func (a *app) catchUp(ctx context.Context, site *place.Site) {
	for _, note := range capture.CatchUp(ctx, site, false, nil) {
		a.warn(note)
	}
}

// newManifestFollow makes the hidden command of the helper that a capture starts.
func newManifestFollow(a *app) *cobra.Command {
	var dir, store string
	var lock int
	cmd := &cobra.Command{
		Use:    "follow",
		Short:  "bring what is pending into the branch when the burst is over",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			site, err := place.Open(cmd.Context(), dir, a.env, nil)
			if err != nil || site.Dir != store || site.Branch == nil {
				return nil // removed or moved meanwhile; a process that is there now folds
			}
			var held *os.File
			if lock > 0 {
				held = os.NewFile(uintptr(lock), "follow.lock")
			}
			if err := site.Manifest.Follow(cmd.Context(), held, capture.Settler(site)); err != nil {
				return err
			}
			capture.Snapshot(cmd.Context(), site)
			if err := compressNoted(cmd.Context(), site); err != nil {
				return err
			}
			return packDaily(cmd.Context(), site, time.Now())
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "working `DIRECTORY` of the capture")
	cmd.Flags().StringVar(&store, "store", "", "cairn `DIRECTORY` that it is kept in")
	cmd.Flags().IntVar(&lock, "lock", 0, "open `DESCRIPTOR` of the lock")
	return cmd
}

// compressNoted compresses objects that came too fast to be compressed, until another
// capture starts, whose helper goes on with it.
func compressNoted(ctx context.Context, site *place.Site) error {
	_, err := site.Objects.CompressNoted(ctx, func() bool {
		since, err := recovery.InFlight(site.Dir)
		return err != nil || !since.IsZero()
	})
	if errors.Is(err, objects.ErrBusy) {
		return nil // the next helper tries again
	}
	return err
}

// later is capture.Following with this program; nil if the record has to be on the branch when the capture ends.
func (a *app) later(now bool) capture.Later {
	self, err := os.Executable()
	if now || err != nil {
		return nil
	}
	return capture.Following(self, a.environ)
}
