// Package capture runs a command, keeps every byte it prints, and records what
// happened.
//
// # What it promises
//
// The child's exit status is recorded and passed on unchanged. Bytes that were read are
// in a file before the next byte is read, so that the death of this process (kill -9
// included) loses none of them. A record is appended only when the objects that it
// names are on stable storage, and a capture is acknowledged (Run returns without
// Trouble) only when its record is. A short capture is first put on stable storage in
// its journal, objects and record at once, so that there is one wait for the disk
// (package recovery). If the store or the manifest cannot be written, the command runs
// all the same, the answer is complete up to 16 MiB of output, Outcome.Trouble says
// once what was lost, and the child's status is kept.
//
// Memory is bounded whatever the size of the output. A command that prints faster than
// its output is parsed waits now and then, but never so long that it could not print
// 250 MB in a second (package recent). The state of the repository is read before the
// command starts, usually from files alone. If git has to be asked, the command waits
// for it, for two seconds at most; if git does not answer, the branch and the facts of
// the repository are missing: the capture is then kept in CAIRN_DIR, or waits in the
// user's own store until a question takes it back. The tree of the working directory at
// the start, and whether it was dirty, is found out while the command runs, and nothing
// waits for it longer than a tenth of the command's time; if it cannot be known any
// more, since the command has changed the same files, the record says so (tree.go).
//
// Text for a record or an answer is redacted before it is cut, so that no half of a
// secret stays. A record fits on a line of the manifest whatever the command and the
// tool printed; what it leaves out is in the full result, whose object it names.
//
// Not promised: the bytes of a running command after a power cut, since neither spool
// nor journal is synced before the command has ended; and that the record is on the
// branch at the exit. It is in the shards then, and a helper (Later) or the next
// command that reads folds it.
//
// # What a run writes to files
//
// Reports that the command line names (package parsers knows the flags of the tools,
// and redirections in a shell line), and JUnit reports in the places where the program
// is known to write them, are kept as objects and parsed with the output. Only files
// that this run wrote count: a file that was there before the command started must have
// another size, modification time or inode after it. If only the output reveals that
// there are reports, there is no earlier state to compare with, and a file must be
// younger than the start of the command.
//
// A command that is not known to write reports causes no access to the file system. For
// the others directories are listed, never walked: at most 20,000 entries, 2,000 files,
// 100 MiB. Links are followed out of the workspace only if the command line names the
// file, and only regular files are opened. The first 16 files are objects of their own;
// smaller ones beyond that are packed, in order of name, into tars called reports.tar,
// which are one object each.
//
// A file that cannot be kept is reported once on stderr and listed in the result, under
// extra.artifacts_missed. It changes no status.
//
// # A capture that is cut short
//
// While a command runs, a journal and a spool hold what is needed to record it should
// this process die. Package recovery specifies the journal and finishes such captures;
// this package makes the record from what is left.
//
// # What goes in
//
// The pipeline from argv to record. Running a child is package child; finishing a run
// whose process died, recovery; keeping bytes, objects; understanding output, parsers.
package capture
