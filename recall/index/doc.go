// Package index is a derived, disposable index of the captures of a manifest,
// for questions about all of them: which captures have a finding, a text, a
// status; counts over everything. It answers with rows, a few numbers and texts
// a capture; to get more, read the record, whose place a row gives.
//
// What it promises: rows are those of the records that lie in the shards now.
// Every Open compares the index with the shards by size and time of change,
// reads what is new or changed, and passes over what is gone; it takes no older
// state for the present one. It is never an authority: the folder can be deleted
// at any time, a file in it that is damaged, or of another version, is left out
// and what it held is read again. Nothing is written while fewer than a
// hundred captures are new, and while the list knows most folders. A writer never
// waits for another: what it could not write, the next one does. Nothing that
// captures opens it.
//
// What it does not promise: that a shard which was changed in place, at the same
// size and in the same nanosecond, is noticed; and that a disk which fails while a
// segment is looked at, which is mapped into memory, ends in an error rather than in
// a signal.
//
// # Format
//
// A folder of segments, <n>.idx, each with the rows of some shards, and the file
// "segments" that lists those that count, a name a line. A segment is
//
//	magic, a table of sections (offset, length, CRC-32C each), the sections
//
// in little-endian numbers of a fixed width; its sections are columns, with an
// entry a row, ordered by time and then by a hash of the id; a table of texts
// that columns refer to by number; a table of the distinct findings, and for each
// row the numbers of those that it has; and the shards that the rows come from, by
// folder, each with its size and time of change when it was read. A segment is never
// changed. Small ones are joined when there are many.
//
// What may go in: what is needed to choose captures, count them and order them.
// Not what a record means: the caller makes a row of a record.
package index
