package capture

import (
	"context"
	"fmt"
	"time"

	"cairn/internal/place"
	"cairn/manifest"
)

// settlePatience bounds what a command still does after its answer: a fold
// takes some ten milliseconds, unless git hangs. What is not done in time is
// done by the next command.
const settlePatience = 10 * time.Second

// Settle finishes captures that were cut short and brings records that wait
// into the branch. Before a question everything is folded. The notes are for
// the user; there are none when all is well.
//
// Captures in flight at the same time share folds, and the last of them folds
// all. For that a capture first appends its record, then removes its journal,
// and only then looks for the journals of others. Whoever looks last finds
// none, and waits for the lock of the fold if it must; whoever finds one in
// flight may leave its record to it. Two processes that look at once may take
// each other's hold on an abandoned journal for one in flight; so whoever had
// such a hold leaves nothing to others.
func Settle(ctx context.Context, s *place.Site, question bool) (notes []string) {
	return settle(ctx, newFinisher(s, newBackend(s)), question)
}

func settle(ctx context.Context, f *finisher, question bool) (notes []string) {
	if !question {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, settlePatience)
		defer cancel()
	}
	if err := f.all(ctx); err != nil {
		notes = append(notes, err.Error())
	}
	if f.recorded > 0 {
		notes = append(notes, fmt.Sprintf("recorded what was read of earlier captures that had been cut short: %d (see: cairn recall objects --status unknown)", f.recorded))
	}
	if f.site.Home == nil {
		return notes // there is no branch to fold into, by choice or for want of git
	}
	lazy := f.alive > 0 && !f.stale && !question
	report, err := f.site.Manifest.Fold(ctx, manifest.FoldOptions{Lazy: lazy, Wait: !lazy})
	if err != nil {
		return append(notes, err.Error())
	}
	if report.Trouble {
		notes = append(notes, fmt.Sprintf("recorded, but not yet on the branch: %s", report.Why))
	}
	return notes
}
