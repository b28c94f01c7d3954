package casetest

import "iter"

// Cuts are the places at which an output is cut short: every byte, and under the race detector, with which parsing takes
// five times as long, every fifth.
func Cuts(out []byte) iter.Seq[int] {
	step := 1
	if raceEnabled {
		step = 5
	}
	return func(yield func(int) bool) {
		for i := 0; i < len(out) && yield(i); i += step {
		}
	}
}
