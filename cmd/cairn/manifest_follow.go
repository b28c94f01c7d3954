package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/capture"
	"cairn/capture/recovery"
	"cairn/internal/detach"
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

// later starts a process that folds what waits in a site. The first record of a
// repository is folded at once, so that there is a branch to look at. It is nil where a
// capture shall be on the branch when it ends: where that was asked for, and in
// CI, where the next step may push.
func (a *app) later(now bool) func(*place.Site, *os.File) error {
	if ci := strings.ToLower(os.Getenv("CI")); now || ci != "" && ci != "false" && ci != "0" {
		return nil
	}
	return func(s *place.Site, lock *os.File) error {
		if s.Manifest.First() {
			return errors.New("the first capture folds itself") // it is done here then
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		args := []string{self, "manifest", "follow", "--dir", s.Workspace.Dir, "--store", s.Dir, "--lock", strconv.Itoa(detach.Extra)}
		return detach.Start(args, a.environ, lock)
	}
}
