// Package recall answers questions about what was run: which captures, what
// one printed, when a finding was seen, and what changed between two runs.
//
// What it promises: answers come from the records and, where asked for, from
// the exact bytes, which are checked before any is returned. It never writes,
// but for folding what is pending. A record whose findings did not all fit is
// looked up in its full result; where that is not in this clone, the answer
// says so instead of passing over it. "Fixed" is said only of runs whose
// output was fully accounted for.
//
// What goes in: queries. How an answer is printed is package cmd's and
// render's affair.
package recall
