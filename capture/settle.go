package capture

import (
	"context"
	"fmt"

	"cairn/internal/place"
	"cairn/manifest"
)

// Settle finishes captures that were cut short and brings records that wait
// into the branch. A lone capture is folded at once; while others are in
// flight, records may wait for the last of them, which folds them together.
// Before a question everything is folded. The notes are for the user; there
// are none when all is well.
func Settle(ctx context.Context, s *place.Site, question bool) (notes []string) {
	n, alive, err := Recover(ctx, s)
	if err != nil {
		notes = append(notes, err.Error())
	}
	if n > 0 {
		notes = append(notes, fmt.Sprintf("recorded what was read of earlier captures that had been cut short: %d (see: cairn recall objects --status unknown)", n))
	}
	if s.Home == nil {
		return notes // there is no branch to fold into, by choice or for want of git
	}
	report, err := s.Manifest.Fold(ctx, manifest.FoldOptions{Lazy: alive > 0 && !question, Wait: question})
	if err != nil {
		return append(notes, err.Error())
	}
	if report.Why != "" && !question {
		notes = append(notes, fmt.Sprintf("recorded, but not yet on the branch: %s", report.Why))
	}
	return notes
}
