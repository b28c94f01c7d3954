package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture/recovery"
	"cairn/internal/place"
	"cairn/objects"
	"cairn/recall"
	"cairn/recall/filter"
	"cairn/recall/screens"
	"cairn/result"
)

const objectsPackLong = `Move small objects, up to 64 KiB, into pack files: those of one command lie side by
side and are compressed together, and none of them takes an inode and a disk block of
its own. A larger output is compressed against an earlier one of its command, where that
saves at least half. Every object keeps its id. What is written is read back and
compared with the ids before anything is removed, gc and fsck look into pack files, and
--undo gives every object a file of its own again. Captures may run meanwhile. Fewer than
eight small objects are left as they are.

The helper that brings records into the branch does this too, once a day at most and
for a few seconds; git config cairn.pack=off keeps it from doing so.`

type objectsPackOptions struct {
	dryRun, undo bool
	olderThan    string
}

func newObjectsPack(a *app) *cobra.Command {
	var o objectsPackOptions
	cmd := &cobra.Command{
		Use:   "pack",
		Short: "put small objects into pack files, compress outputs against earlier ones",
		Long:  objectsPackLong + exitHelp("done, or there was nothing to do", "something could not be read or written, another process packs or collects, or a newer cairn wrote to the store"),
		Example: `  cairn objects pack --dry-run
  cairn objects pack --older-than 7d`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPack(a, cmd, o) },
	}
	f := cmd.Flags()
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "say what it would save, change nothing")
	f.BoolVar(&o.undo, "undo", false, "unpack everything")
	f.StringVar(&o.olderThan, "older-than", "1d", "leave alone what was put within this `AGE`: 0s, 12h, 7d")
	cmd.MarkFlagsMutuallyExclusive("undo", "dry-run")
	cmd.MarkFlagsMutuallyExclusive("undo", "older-than")
	return cmd
}

func runPack(a *app, cmd *cobra.Command, o objectsPackOptions) error {
	before, err := filter.Time("older-than", o.olderThan, time.Now())
	if err != nil {
		return usageError{cmd, err}
	}
	site, err := a.recallSite(cmd)
	if err != nil {
		return err
	}
	defer site.Close()
	if site.ReadOnly {
		return errors.New("the store is in a place that may only be read")
	}
	if o.undo {
		r, err := site.Objects.Unpack(cmd.Context(), 0)
		return errors.Join(a.say("unpacked %s: %s became %s\n", result.Count(r.Packed, "object"), screens.Bytes(r.Before), screens.Bytes(r.After)), packError(err))
	}
	r, err := recall.Pack(cmd.Context(), site, packOptions(site, before, o.dryRun))
	return errors.Join(a.say("%s\n", packed(r)), packError(err))
}

// packed is a report in one line.
func packed(r objects.PackReport) string {
	pack, became := "packed", "became"
	if r.DryRun {
		pack, became = "would pack", "would become"
	}
	sizes := ""
	if r.Packed > 0 {
		sizes = fmt.Sprintf(": %s %s %s", screens.Bytes(r.Before), became, screens.Bytes(r.After))
	}
	if r.InFiles > 0 {
		sizes += fmt.Sprintf(" (%d in %s)", r.InFiles, result.Count(r.Files, "pack file"))
	}
	return fmt.Sprintf("%s %s%s; %s left as they are", pack, result.Count(r.Packed, "object"), sizes, result.Count(r.Left, "output"))
}

func packOptions(site *place.Site, before time.Time, dryRun bool) objects.PackOptions {
	return objects.PackOptions{Before: before, DryRun: dryRun, InFlight: func() (time.Time, error) { return recovery.InFlight(site.Dir) }}
}

func packError(err error) error {
	if errors.Is(err, objects.ErrBusy) {
		return fmt.Errorf("another process packs or collects in this store; try again when it is done: %w", err)
	}
	return err
}

// What the helper packs: once a day, objects that are a day old, and so many that it
// takes only seconds. The rest is packed on later days.
const (
	packEvery = 24 * time.Hour
	packStamp = "packed" // its modification time is when the helper last packed
	packMost  = 64 << 20 // bytes of output
)

// packDaily packs, if the last time was packEvery ago.
func packDaily(ctx context.Context, site *place.Site, now time.Time) error {
	stamp := filepath.Join(site.Dir, packStamp)
	if last, err := os.Stat(stamp); err == nil && now.Sub(last.ModTime()) < packEvery {
		return nil
	}
	if !site.Packs(ctx) {
		return nil
	}
	if err := os.WriteFile(stamp, nil, 0o600); err != nil {
		return nil // the store was removed meanwhile, or is read-only
	}
	if err := os.Chtimes(stamp, now, now); err != nil {
		return err
	}
	o := packOptions(site, now.Add(-packEvery), false)
	o.Most = packMost
	if _, err := recall.Pack(ctx, site, o); err != nil && !errors.Is(err, objects.ErrBusy) {
		return err
	}
	return nil
}
