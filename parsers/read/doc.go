// Package read holds the shapes that many tools share: diagnostics of one line,
// numbered failures, counts, crashes of node. A reader takes an input or a line
// and says what it found; it names no tool and decides no status. A shape that
// needs types of its own has a folder below.
package read
