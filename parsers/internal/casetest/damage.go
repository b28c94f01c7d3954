package casetest

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"testing"

	"cairn/internal/racing"
	"cairn/parsers/text/term"
)

// CutEverywhere cuts stdout at every byte and checks each result with CannotHide.
func CutEverywhere(t *testing.T, c Case) {
	t.Helper()
	for i := range Cuts(c.Stdout) {
		c.CannotHide(t, c.ParseOf(c.Stdout[:i]), fmt.Sprint("cut at ", i))
	}
}

// Damage cuts short cases at every byte, and drops and doubles each line.
func Damage(t *testing.T, cases []Case) {
	for _, c := range cases {
		if len(c.Stdout) > 1000 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			for i := range Cuts(c.Stdout) {
				c.CannotHide(t, c.ParseAs(term.Separate(c.Stdout[:i], c.Stderr)), fmt.Sprint("cut at ", i))
			}
			for i := range Cuts(c.Stderr) {
				c.CannotHide(t, c.ParseAs(term.Separate(c.Stdout, c.Stderr[:i])), fmt.Sprint("stderr cut at ", i))
			}
			lines := bytes.SplitAfter(c.Stdout, []byte("\n"))
			for i := range lines {
				without := bytes.Join(append(slices.Clone(lines[:i]), lines[i+1:]...), nil)
				c.CannotHide(t, c.ParseAs(term.Separate(without, c.Stderr)), fmt.Sprint("without line ", i))
				twice := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
				c.CannotHide(t, c.ParseAs(term.Separate(twice, c.Stderr)), fmt.Sprint("twice line ", i))
			}
		})
	}
}

// Cuts yields the offsets at which an output is cut: every byte, but every fiftieth under the race detector, which
// makes parsing five times as slow.
func Cuts(out []byte) iter.Seq[int] {
	step := 1
	if racing.Enabled {
		step = 50
	}
	return func(yield func(int) bool) {
		for i := 0; i < len(out) && yield(i); i += step {
		}
	}
}
