// Package racing says whether a test runs under the race detector, which makes a test up to ten times slower. A test
// with much input then uses a sample of it: .ci/run runs the same test with all input without the detector. Only tests
// import it.
package racing

// Skips reports whether input i of many is left out: under the race detector one in n is tried.
func Skips(i, n int) bool { return Enabled && i%n != 0 }
