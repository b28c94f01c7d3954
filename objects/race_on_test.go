//go:build race

package objects_test

// raced says that the race detector watches, which makes zstd ten times slower:
// it is after the interleavings, so fault positions are sampled and CI runs
// them all without it.
const raced = true
