// Package capture runs a command, keeps every byte it prints, and records what
// happened.
//
// # What it promises
//
// The child's exit is recorded as it was and passed on as it was. What was
// read is in a file before the next byte is read, so that the death of this
// process (kill -9 included) loses nothing that was read. A record is appended
// only when the objects that it names are on stable storage, and a capture is
// acknowledged (Run returns without Trouble) only when its record is. What is short is
// on stable storage in its journal first, objects and record at once, so that it costs
// one wait for the disk (package recovery). Where the
// store or the manifest cannot be written, the command runs all the same, the
// answer is whole as far as 16 MiB hold it, Outcome.Trouble says once what was
// lost, and the child's status stands.
//
// Memory is bounded whatever the size of the output. A command that prints faster than
// its output is understood waits for that now and then, but never so long that it could not
// print 250 MB in a second (package recent). The state of the repository is
// read before the command starts, from files as a rule. Where git has to be asked
// the command waits for it, for two seconds at most; a git that does not answer
// costs the branch and the facts of the repository: the capture is then kept in
// CAIRN_DIR, or waits in the user's own store until a question takes it back. What the working
// tree was at the start, and whether it was dirty, is found out beside the command, and nothing
// waits for it longer than a tenth of the time that the command took; where that cannot be known
// any more, since the command has changed the same files, the record says so (tree.go).
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
// # A capture that is cut short
//
// While a command runs, a journal and a spool hold what is needed to record it
// should this process die: the format of the journal, and who finishes a capture
// that was cut short, is package recovery. This package tells it how a record is
// made of what is left.
//
// # What goes in
//
// The pipeline from argv to record. How a child is run is package child; how a
// run is finished whose process died, recovery; how bytes are kept, objects; how
// output is understood, parsers.
package capture
