// Package recovery keeps what is needed to finish a capture whose process died,
// and finishes it.
//
// # What it promises
//
// A capture that has a journal gets exactly one record, whenever its process
// dies: by that process, or by the next command that looks. Nobody takes a
// capture from a process that is alive. Output is never thrown away: it is an
// object that a record names, or it lies where a person can look at it.
//
// # The journal
//
// A capture that is running has a journal, <cairn dir>/running/<run id>, and a
// spool of the same name in the object store, made at its first byte. The
// journal's owner holds an exclusive lock on it (package lockfile) from its
// making to its end. It is text, one line each:
//
//	RECORD        the record as known at the start: JSON, as in the manifest
//	ORDER         any number of lines of the stream order (package streams),
//	              each written before the bytes it speaks of
//	ENDING        when the command has ended: JSON with exit, signal,
//	              timed_out, duration_ms, open_pipes, size (bytes in the
//	              spool), partial (more was read than is in the spool) and
//	              artifacts (files that the run wrote, objects already)
//	"tried"       for each time that finishing it failed
//
// A line without its newline was not written. When an order line could not be
// written, no other follows; an ENDING then begins with a newline of its own.
// A reader takes order lines up to the first line that is none, and passes
// over what it does not know.
//
// When the command has ended: ENDING is written and the spool gets a second
// name, <run id>.spool beside the journal → spool and order become objects →
// the record is appended → the second name and the journal are removed → the
// branch follows. The second name keeps the bytes findable between the
// moment the spool becomes an object, which takes its name away, and the record.
//
// # A capture that was cut short
//
// A journal whose lock is free was left behind. The next capture or question
// finishes it, holding its lock: if a record of that id exists, nothing is left
// to do; else the bytes of the spool, or of its second name, become an object,
// and a record is appended. With an ENDING and all its bytes it is the record
// that was meant, status and all; otherwise it is marked partial, its status
// unknown unless ENDING tells it, its duration reckoned to the last bytes that
// were read. The journal is removed last, so that a crash in between makes no
// second record. An empty journal younger than a minute is just being made, and
// is left alone; older, it says nothing and is removed.
//
// A journal that cannot be finished while other records can be written is
// tried three times, each time with a note. Then what is known is recorded
// without output, and journal and spool are moved to <cairn dir>/set-aside for
// a person to look at. Nothing there is ever touched again.
//
// # What goes in
//
// Journals: writing them, reading them, and what becomes of those that were left
// behind. What a spool holds is asked of package objects. What a record says
// of the output is the affair of the caller, who hands over Finisher.Record.
package recovery
