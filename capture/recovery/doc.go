// Package recovery keeps what is needed to finish a capture whose process died, and
// finishes it.
//
// # What it promises
//
// A capture that has a journal gets exactly one record, at whatever moment its process
// dies: that process appends the record, or the next command that looks for journals
// does. A capture is never taken from a process that is alive. Output is never thrown
// away: it is an object that a record names, or it is kept in a directory where a
// person can look at it.
//
// # The journal
//
// A capture that is running has a journal, <cairn dir>/running/<run id>, and a spool of
// the same name in the object store, which is created at the first byte of output. The
// capturing process holds an exclusive lock on the journal (package lockfile) from its
// creation to its removal, so that a free lock means that the process is gone. The
// journal is text, one entry a line:
//
//	RECORD        the record as known at the start: JSON, as in the manifest, in
//	              base64, so that no search in the repository finds its own words
//	ORDER         any number of lines of the stream order (package streams),
//	              each written before the bytes it describes
//	ENDING        when the command has ended: JSON with exit, signal,
//	              timed_out, duration_ms, open_pipes, size (bytes in the
//	              spool), partial (more was read than is in the spool) and
//	              artifacts (files that the run wrote, objects already)
//	COPY          when the command has ended and its output is short, instead of
//	              ENDING: JSON with record (as in the manifest), output (base64) and
//	              stages (a list of the outputs of the line's commands, base64)
//
// A last line without a newline was cut off while it was written, and is ignored. After
// an order line that could not be written there are no more order lines; an ENDING then
// begins with a newline, to end the line that was cut off. A reader takes order lines
// up to the first line that is not one, and skips lines of kinds that it does not know.
//
// When the command has ended: ENDING is written and the spool gets a second name, <run
// id>.spool beside the journal → spool and order become objects → the record is
// appended → the second name and the journal are removed → the record is brought into
// the branch. When a spool becomes an object, it loses its first name; until the record
// names the object, its bytes are found by the second name.
//
// # A capture of few bytes
//
// If a helper follows and the output is at most 16 KiB with few changes of stream, one
// wait for the disk is enough: COPY is written and synced → the spool becomes an object
// and the record is appended, both without a sync → the journal moves to <cairn
// dir>/settling/<run id> → the capture is acknowledged. From then on the capture is not
// running any more. Every reader sees object and record at once, since they are files
// like all others, and the death of any process loses none of it. The helper, a
// question or gc settles it: object and shard are synced, or, if a power cut took them,
// written again from COPY; then the journal is removed. It relies on the file system to
// keep the name of a new file that was fsynced: ext4, xfs, btrfs and APFS do; POSIX
// does not say so.
//
// # A capture that was cut short
//
// A journal whose lock is free was left behind by a process that died. The next capture
// or question takes the lock and finishes it. If a record of that id exists, the
// journal is merely removed. Otherwise the bytes of the spool, or of its second name,
// become an object, and a record is appended:
//
//   - with a COPY, the record and the bytes are those that it holds; if it is damaged,
//     an existing object and record are used, and otherwise the journal is set aside at once;
//   - with an ENDING and all the bytes that it counts, the record is the one that
//     the dead process would have written, with its status;
//   - without, the record is marked partial. Its status is unknown unless there
//     is an ENDING, and its duration reaches to the last bytes that were read.
//
// Before the spool becomes an object it gets its second name, which is removed when the
// record exists: so a recovery that is itself killed, however often, loses nothing. The
// journal is removed last, so that a crash on the way makes no second record. An empty
// journal younger than a minute may have just been created, and is left alone; an older
// one holds nothing and is removed.
//
// A journal that cannot be finished, or whose reading panics, is not tried again: what
// is known is recorded, with the output if that is an object by then, and journal and
// spool are moved to <cairn dir>/set-aside for a person to look at. Cairn never touches
// them again. Only if no record can be written, as on a full disk, does the journal
// stay for the next command.
//
// # What goes in
//
// Writing and reading journals, and finishing those that were left behind. Only package
// objects knows the layout of a spool. The caller decides what a record says of the
// output, in Finisher.Record.
package recovery
