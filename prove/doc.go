// Package prove answers whether the checks of a repository are proven for a tree: whether each required command was run
// on exactly that tree, completely, and passed.
//
// A check has the first of these states that applies, with reasons if it is not proven:
//
//	missing   no run on this tree, and the last run on another tree did not pass
//	stale     it passed on another tree, but these files that it depends on changed since
//	failed    the newest run on this tree did not pass
//	weakened  it passed, but a Reason makes the run worth less as proof
//	unread    its exit status was 0, but cairn could not parse the output,
//	          and the declaration does not say that the status is enough
//	proven    none of these
//
// What it promises: a run on another tree, a record without an exit status, output that was passed in instead of
// captured, and a command that differs in one word prove nothing. The same record and the same tree give the same
// answer.
//
// What it does not promise: that a record is honest. The owner of the machine can write any record (see docs/proof.md).
// The package runs nothing and changes nothing.
package prove
