// Package tap reads the Test Anything Protocol, versions 12 to 14, as node, ava, mocha, vitest, tape, bats and
// perl's Test::More write it:
//
//	TAP version 13
//	1..3
//	ok 1 - adds
//	not ok 2 - divides # SKIP later
//	# Subtest: inner
//	    not ok 1 - sub
//	      ---
//	      message: sub says no
//	      at: test/a.js:3:7
//	      ...
//	    1..1
//	not ok 3 - inner
//
// A test point that is not ok is a finding, unless it is marked as still to be done or contains another point that
// is not ok. Its id is its description, preceded by those of the tests that contain it, joined by " › ". The reason
// and the place come from the block of YAML or the comments below, and from comments on the other stream that name
// the test ("Failed test 'adds'"). "Bail out!" and a plan that was not kept are findings of their own. An output is
// complete if its plan was kept.
//
// What only one producer writes belongs in the room of that tool, not here.
package tap
