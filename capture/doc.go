// Package capture runs a command, keeps every byte it prints, and records what
// happened.
//
// # What it promises
//
// The child's exit is recorded as it was and passed on as it was. What was
// read is in a file before the next byte is read, so that the death of this
// process (kill -9 included) loses nothing that was read. A record is appended
// only when the objects that it names are on stable storage, and a capture is
// acknowledged (Run returns) only when its record is. Where the store or the
// manifest cannot be written, the command runs all the same, Outcome.Trouble
// says what was lost, and the child's status stands.
//
// Memory is bounded whatever the size of the output.
//
// # A capture in flight
//
// A capture that is running has a journal, <cairn dir>/running/<run id>, and a
// spool in the object store of the same name. The journal's first line is the
// capture's record as known at its start, in JSON; the lines after it are the
// stream order (package streams). Its owner holds a lock on it. A journal
// whose lock is free was left behind: the next capture finishes it as a
// record marked partial, with the bytes of its spool, and removes it
// (Recover). The record is appended before the journal is removed, and
// recovery first looks whether a record of that id exists, so a crash between
// the two makes no second record.
//
// # What goes in
//
// The pipeline from argv to record. How a child is run is package child; how
// bytes are kept, objects; how output is understood, parsers.
package capture
