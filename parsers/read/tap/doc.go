// Package tap reads the Test Anything Protocol, versions 12 to 14, as node, ava,
// mocha, vitest, tape, bats and perl's Test::More write it:
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
// A test point that is not ok is a finding, unless it is marked as still to be done, or holds another
// that is not ok. Its id is the description behind those of the tests it is part
// of, " › " between them. What a block of YAML or the comments below say of the
// reason and the place belongs to it; so do comments on the other stream that
// name the test ("Failed test 'adds'"). "Bail out!" and a plan that was not kept
// are findings of their own. An output is complete when its plan was kept.
//
// What one producer alone writes belongs to the room of that tool, not here.
package tap
