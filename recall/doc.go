// Package recall answers questions about what was run: which captures, what
// one printed, when a finding was seen, and what changed between two runs.
//
// What it promises: answers come from the records and, where asked for, from
// the exact bytes, which are checked before any is returned. It never writes,
// but for a pin. A record whose findings did not all fit is looked up in its
// full result; where that is not in this clone, the answer says so instead of
// passing over it. "Fixed" and "gone" are said only on the word of a run whose
// output was fully accounted for and that would have shown the finding. The
// beginning of an id that may mean several things is an error that lists them.
// Searching takes bounded memory whatever the size of an output or of a line.
//
// What it does not promise: the history of findings beyond the 2,000 of one
// run that a record can name; a match of more than 4 KiB in a line of more than
// 1 MiB; that a file which git does not track is as it was, unless a finding
// names it. Lines that a list shows are redacted; one output asked for by its
// id is exact.
//
// What goes in: queries. How an answer is printed is package cmd's and
// render's affair.
package recall
