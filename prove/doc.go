// Package prove answers whether the checks of a repository are proven for a tree: whether
// each of the commands that it requires was run on exactly that tree, completely, and passed.
//
// A check that is not proven gets one word, and the reasons in full. The words, the first
// that applies:
//
//	missing   it was not run on this tree, and the last run on another one did not pass
//	stale     it passed on another tree, and these files that it answers for changed since
//	failed    the newest run of it on this tree did not pass
//	weakened  it passed, and something takes the worth from that: see Reason
//	unread    it passed by its exit status alone: cairn could not read what it printed,
//	          and its declaration does not say that this is enough
//	proven    none of these
//
// What it promises: a run on another tree, a record without an exit status, output that was
// handed in and not captured, and a command that differs in a word prove nothing. The same
// record and the same tree give the same answer.
//
// What it does not promise: that a record is honest. Who owns the machine can write any record
// (see docs/proof.md). It runs nothing, and changes nothing.
package prove
