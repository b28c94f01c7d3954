// Package capture runs a command, keeps every byte it prints, and records what
// happened.
//
// # What it promises
//
// The child's exit is recorded as it was and passed on as it was. What was
// read is in a file before the next byte is read, so that the death of this
// process (kill -9 included) loses nothing that was read. A record is appended
// only when the objects that it names are on stable storage, and a capture is
// acknowledged (Run returns without Trouble) only when its record is. Where the
// store or the manifest cannot be written, the command runs all the same, the
// answer is whole as far as 16 MiB hold it, Outcome.Trouble says once what was
// lost, and the child's status stands.
//
// Memory is bounded whatever the size of the output. The state of the repository is
// read before the command starts, from files as a rule. Where git has to be asked
// the command waits for it, for two seconds at most; a git that does not answer
// costs the branch and the facts of the repository: the capture is then kept in
// CAIRN_DIR, or waits in the user's own store until a question takes it back. Whether the working tree was dirty
// at the start is decided beside the command; where that cannot be known any more,
// since the command has changed the same files, the record says nothing of it.
//
// What goes into a record or an answer is redacted before it is cut, so that
// no half of a secret stays. A record fits on a line of the manifest whatever
// the command and the tool said; what it leaves out is in the full result,
// whose object it names.
//
// Not promised: the bytes of a run in flight after a power cut, since neither
// spool nor journal is synced before the command has ended; and that the record is
// on the branch at the exit. It is in the shards then, and a helper (Later) or the
// next command that reads folds it.
//
// # What a run writes to files
//
// Reports that the command line names (package parsers knows the flags of the
// tools, and redirections in a shell line), and JUnit reports in the places
// where the program that is run is known to leave them, are kept as objects and
// parsed with the output. Only what this run wrote counts: a file that was
// there before the command started must show another size, modification time or
// inode after it. Where the program said nothing of reports and only its output
// does, there is nothing to compare with, and a file must be younger than the
// start of the command.
//
// A command that is not known to write reports costs no look at the file system.
// For the others directories are listed, never walked: at most 20,000 entries,
// 2,000 files, 100 MiB. Links are followed out of the workspace only where the
// command line names the file, and nothing but a regular file is opened. The
// first 16 files are objects of their own; smaller ones beyond that are packed,
// in order of name, into tars called reports.tar, which are one object each.
//
// A file that cannot be kept is said once on stderr and stands in the result,
// under extra.artifacts_missed. It changes no status.
//
// # A capture in flight
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
// The pipeline from argv to record. How a child is run is package child; how
// bytes are kept, objects; how output is understood, parsers.
package capture
