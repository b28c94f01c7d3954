// Package racing says whether a test runs under the race detector, which makes a test up to ten times as long. A test of much
// input takes a sample of it then: .ci/run runs the same test whole without the detector. Only tests import it.
package racing
