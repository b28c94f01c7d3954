package casetest

import (
	"iter"

	"cairn/internal/racing"
)

// Cuts are the places at which an output is cut short: every byte, and under the race detector, with which parsing takes
// five times as long, every fifteenth.
func Cuts(out []byte) iter.Seq[int] {
	step := 1
	if racing.Enabled {
		step = 15
	}
	return func(yield func(int) bool) {
		for i := 0; i < len(out) && yield(i); i += step {
		}
	}
}
