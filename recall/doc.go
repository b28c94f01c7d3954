// Package recall answers questions about what was run: which captures there are, what a
// capture printed, when a finding was seen, and what changed between two runs.
//
// What it promises: answers come from the records and, where asked for, from the exact
// bytes, which are checked before any is returned. No object and no record is changed;
// Pin and Evict append records. Besides these, two things are written, and both can be
// deleted: an index (package index), and a count of the bytes that were read again
// (NoteRecalled). If not all findings of a run fit into its record, they are read from
// the full result; if this clone does not have that, the answer says so. A finding is
// called fixed or gone only because of a run that would have shown it and whose output
// was fully accounted for. A shortened id that fits several runs or objects is an error
// that lists them. A search takes bounded memory, however long an output or a line is.
//
// What it does not promise: the history of findings beyond the 2,000 of one run that a
// record can name; a match of more than 4 KiB in a line of more than 1 MiB; that a file
// which git does not track is as it was, unless a finding names it. Lines that a list
// shows are redacted; an output that is asked for by its id is exact.
//
// What goes in: queries. Packages cmd and render print the answers.
package recall
