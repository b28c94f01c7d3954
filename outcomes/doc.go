// Package outcomes is the list of what every test of a run came to: its form, its
// bytes, and the forms in which others read it.
//
// # A list
//
// A list has one entry a test, in the order of the ids. Its bytes are JSON Lines, one
// entry a line, keys in this order, empty ones left out; equal lists have equal bytes.
//
//	{"id":"tests/test_a.py::test_b[1-2]","outcome":"passed","duration_ms":12,"at":"tests/test_a.py:7"}
//
//	id           the test as its runner selects it, and as a finding's id names it: with its
//	             file, package or binary, so that tests of two suites are never one entry
//	tool         which of several tools of one output ran it
//	outcome      passed, failed, error, skipped, xfailed, xpassed, flaky, not_run
//	duration_ms  as far as the runner told it, at least 1
//	at           path:line, as far as the runner told it
//	times        how many tests the runner ran under this id, where it was more than one
//	came         how many of these came to what, where not all came to the same
//	parent       it has subtests, which have entries of their own. It is not counted
//
// An error is a failure of what is around the test: its setup, its collection, its
// process. A flaky test passed after it had failed. A test that is not_run was selected,
// and the run ended before it. Of several tests with one id, as rows of data that the runner
// gives no number, the entry has the worst outcome, and "came" counts all of them; an entry
// about which two accounts differ has the worse one: nothing makes a failure a pass.
//
// # What is said of a list
//
// A result and a record say how many tests came to what (counts), how many a runner
// counts without a name (unnamed: "41 passed" of a line of dots), and whether the list is
// complete: it names every test that the runner counts, each with an outcome, and these
// agree with the runner's counts and with its exit status. Otherwise the reason says why
// it is not. Who wants to know that a test is gone may ask a complete list only.
package outcomes
