// Package index is a derived, disposable index of the captures of a manifest, for
// questions about all of them: which captures have a finding, a text, a status; counts
// over everything. It answers with rows, each a few numbers and texts of one capture
// and the place of its record.
//
// What it promises: rows are those of the records that lie in the shards now. Every
// Open compares the index with the shards by size and modification time, reads those
// that are new or changed, and passes over those that are gone; it takes no older state
// for the present one. It is never an authority: the folder can be deleted at any time,
// and a file in it that is damaged or of another version is left out and its shards are
// read again. Nothing is written while fewer than a hundred captures are new and the
// list knows most folders. A writer never waits for another: what it could not write,
// the next one does. No capture opens the index.
//
// What it does not promise: that a shard which was changed in place, at the same size
// and in the same nanosecond, is noticed; and that a disk which fails while a mapped
// segment is read ends in an error rather than in a signal.
//
// # Format
//
// A folder of segments, <n>.idx, each with the rows of some shards, and the file
// "segments", which lists the names of the valid segments, one a line. A segment is
//
//	magic, a table of sections (offset, length, CRC-32C each), the sections
//
// in little-endian numbers of a fixed width. Its sections are: columns, with an entry a
// row, ordered by time and then by a hash of the id; a table of texts that columns
// refer to by number; a table of the distinct findings, and for each row the numbers of
// its findings; and the shards that the rows come from, by folder, each with its size
// and modification time when it was read. A segment is never changed. Small ones are
// joined when there are many.
//
// What may go in: what is needed to choose captures, count them and order them. Not
// what a record means: the caller makes a row of a record.
package index
