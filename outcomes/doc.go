// Package outcomes is the list of all tests of a run with their outcomes: its form, its bytes,
// and the forms in which others read it.
//
// # A list
//
// A list has one entry a test, in the order of the ids. Its bytes are JSON Lines, one entry a
// line, keys in this order, empty ones left out; equal lists have equal bytes.
//
//	{"id":"tests/test_a.py::test_b[1-2]","outcome":"passed","duration_ms":12,"at":"tests/test_a.py:7"}
//
//	id           the test as its runner selects it, and as a finding's id names it: with its
//	             file, package or binary, so that tests of two suites are never one entry
//	tool         the tool that ran the test, where an output has tests of several tools
//	outcome      passed, failed, error, skipped, xfailed, xpassed, flaky, not_run
//	duration_ms  if the runner printed it, at least 1
//	at           path:line, if the runner printed it
//	times        how many tests the runner ran under this id, where it was more than one
//	came         the outcomes of these tests with their counts, where the outcomes differ
//	parent       true for a test with subtests, which have their own entries; not counted
//
// An error is a failure of what is around the test: its setup, its collection, its process. A
// flaky test passed after it had failed. A test that is not_run was selected, and the run ended
// before it. If several tests have one id, as rows of data that the runner does not number, the
// entry has the worst outcome, and "came" counts all of them. If two reports of one output
// differ about a test, the entry has the worse outcome, so that a failure never becomes a pass.
//
// # What a result says about its list
//
// A result and a record count the tests by outcome (counts), the tests that a runner counts
// without a name (unnamed: "41 passed" of a line of dots), and whether the list is complete: it
// names every test that the runner counts, each with an outcome, and these agree with the
// runner's counts and with its exit status. Otherwise the reason says why it is not. Only a
// complete list can show that a test is gone.
package outcomes
