package capture

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
)

// settlePatience bounds what a command still does after its answer. What is not
// done in time is done by the next command.
const settlePatience = 10 * time.Second

// Settle finishes captures that were cut short and brings all records that wait
// into the branch, at once. Before a question it takes the time it needs. The
// notes are for the user; there are none when all is well.
func Settle(ctx context.Context, s *place.Site, question bool) (notes []string) {
	if !question {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, settlePatience)
		defer cancel()
	}
	return settle(ctx, newFinisher(s, newBackend(s)), nil)
}

// Later starts a process that brings into the branch what waits in a place: it
// calls Follow of the manifest with the lock.
type Later func(s *place.Site, lock *os.File) error

func settle(ctx context.Context, f *finisher, later Later) (notes []string) {
	if err := f.all(ctx); err != nil {
		notes = append(notes, err.Error())
	}
	if f.recorded > 0 {
		notes = append(notes, fmt.Sprintf("recorded what was read of earlier captures that had been cut short: %d (see: cairn recall objects --status unknown)", f.recorded))
	}
	if f.site.Branch == nil {
		return notes // there is no branch to fold into, by choice or for want of git
	}
	report, err := fold(ctx, f.site, later)
	if err != nil {
		return append(notes, err.Error())
	}
	if report.Trouble {
		notes = append(notes, fmt.Sprintf("recorded, but not yet on the branch: %s", report.Why))
	}
	return notes
}

// fold leaves the branch to a process of its own, if there is one to leave it
// to. Where none can be started, what waits is folded here.
func fold(ctx context.Context, s *place.Site, later Later) (manifest.Report, error) {
	if later != nil {
		report, err := s.Manifest.FoldLater(func(lock *os.File) error { return later(s, lock) })
		if err == nil {
			return report, nil
		}
	}
	return s.Manifest.Fold(ctx, manifest.FoldOptions{Wait: true})
}

// FoldsNow says whether git config cairn.fold asks that every capture is on the
// branch when it ends.
func FoldsNow(ctx context.Context, s *place.Site) bool {
	if s == nil || s.Home == nil {
		return false
	}
	when, err := s.Home.Config(ctx, "cairn.fold")
	return err == nil && strings.EqualFold(when, "now")
}
