package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/capture/recovery"
	"cairn/internal/place"
	"cairn/objects"
)

// newManifestFollow is what a capture leaves behind: it is for no one to type.
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

// compressNoted compresses what came too fast to be compressed, until somebody
// captures again: the helper of that capture goes on with it.
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

// later is capture.Following with this program; nil where a capture was asked to be on the branch when it ends.
func (a *app) later(now bool) capture.Later {
	self, err := os.Executable()
	if now || err != nil {
		return nil
	}
	return capture.Following(self, a.environ)
}
