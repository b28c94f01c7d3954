// Package manifest keeps the records: append, read, fold into the branch, merge. This
// comment specifies the format; a program that follows it can read and write the same
// manifest.
//
// # Promise
//
// A record whose Append returned nil is on stable storage (after AppendUnsynced, once
// Sync has returned too). From then on every reader sees it, whatever happens to the
// process, and it survives torn tails, folds, resets of the branch and merges of any
// number of clones. A record whose Append failed was not written. Nothing here changes
// or deletes a record: corrections, evictions, pins, timelines and attestations are
// records of their own.
//
// Not promised: that every clone has seen a record yet; that a record is on the branch
// (Report.Pending and Report.Why say so); that a record is free of secrets, which its
// writer must remove before Append; protection from someone who rewrites the branch on
// purpose, though no clone that still has its shards loses a line by that: the next
// fold puts it back.
//
// # Line
//
// A record is one line: a JSON object in UTF-8 without a newline in it, ended by a
// newline, at most 65,536 bytes including the newline. This package writes keys in the
// order of the fields of Record, leaves out empty optional ones, escapes no HTML, and
// begins the line of a capture with
//
//	{"v":3,"id":"01JD5Z2V6Q8T9W0XABCDEFGHJK","time":"2026-11-20T23:24:54.123456Z","says":"pytest failed: 1 failed, 120 passed",
//	"tool":"pytest","status":"failed","exit":1,"counts":{"failed":1,"passed":120},"argv":["pytest","-q"],
//
// id is a ulid in upper case, unique to the record, and begins with its time. time is
// UTC with six digits of a second. A record about something else has a type, and names
// its subject in target. A reader accepts any order and spacing, needs only id and
// time, and passes on keys that it does not know byte for byte.
//
// A line that a reader cannot read hides no other line: the reader passes over it,
// warns once by shard and line number, and keeps it. Such a line is not a record, has a
// v above 3, a result of another shape or of a newer schema, an object id that is not
// "sha256:" and 64 digits, or is too long. A shard of more than 8 MiB is not read.
//
// # Facts
//
// Every fact has a key of its own, so that no reader has to take it out of a sentence:
// says is for people. So any program can ask a shard:
//
//	jq -c 'select(.status=="failed") | {time, tool, counts}'
//
//	says          the verdict in one line; missing where a run went well and the
//	              verdict is "TOOL STATUS: COUNTS"
//	tool, status, counts   as in a ToolResult; status is never passed or ok unless exit
//	              is 0
//	exit          missing: no exit was observed
//	parser        the version of the parser of tool; missing where a run went well and
//	              only its counts are kept
//	signal, timed_out, timeout_ms, interrupted, forced, partial   how the run ended
//	dir           missing: ".", the root of the repository
//	git           dirty is there only if it is true, and dirty_unknown if git did not
//	              answer in time; with neither, no tracked file differed from the commit.
//	              worktree is the tree that a commit of everything not ignored would have had
//	              at the start, the output of "git add -A && git write-tree". If it is
//	              missing, worktree_moved says that files (not ignored ones) changed while it was read,
//	              and worktree_unknown gives another reason: late (the command ended first), large
//	              (more than 20,000 files or 64 MiB changed or untracked) or refused (git
//	              could not add everything)
//	env           a digest of the variables that decide which programs run (PATH and
//	              others), to tell two environments of one clone apart; it does not include versions
//	              of tools: to ask for one starts the tool, and another version mostly has another PATH
//	from          the kind of file the record was imported from (junit, github-log, …): cairn did not
//	              see the run, so there is no git, and time is that of the import
//	raw           order missing: all output came on stdout, within a tenth of a second;
//	              "lost": it could not be kept; lines missing where the run went well
//	result        the values of the ToolResult that are neither above nor defaults
//
// The defaults of a result: kind is test where there are counts, else generic;
// parser_confidence is parsed, of kind generic generic; exit_meaning is findings for
// failed of another kind than generic; status_source is timeout, signal, exit_code or
// none, according to how the run ended; summary is made of status, counts and end
// (result.Summarise). A finding is a test_failure of severity failure where kind is
// test, else a diagnostic of severity error; the name of a test is the text after the
// last "::" of its id. "at" is "path:line:column", or an object where that would be
// ambiguous; expected and actual are missing where the message has both.
//
// stages is a list of those external commands of a shell line that have facts of their
// own, in the order of the line, each with the keys that it would have if it alone had
// been captured: argv, exit, signal, tool, status, counts, raw, result, …; before names
// the command that read its output, and running says that the line left it running. raw
// is missing where the output of a stage is part of the line's. "unread" instead of the
// list says that the line was not understood.
//
// outcomes describes the list of all tests, which is an object (see package outcomes):
// whether it is complete and why not, counts where they differ from those of the
// record, and unnamed: how many tests the runner counts and does not name. A run whose
// output names no passed test has no outcomes. Readers keep keys that they do not know.
//
// Lines of version 2 have no tool, status or counts: says holds them, and a rule or a
// path can be left out of a finding that holds it elsewhere. Version 1 has all of the
// ToolResult in result. Both will always be read.
//
// Texts around a finding (detail, diff, frames, suggestions) and the text of a run that
// went well are not in the line: parsing the raw object again restores them. A result
// that is longer than 8 KiB even so loses findings from its end; then result_oid names
// the object with all of it, and more lists their fingerprints.
//
// # Shard
//
// Records lie in
//
//	manifest/YYYY/MM/DD/<writer>-<n>.jsonl
//
// by the UTC day of their time. The writer is a random id, made once per clone and kept
// in the file "writer"; linked worktrees share it. n counts from 1 without a gap. A
// line that would make a shard larger than 65,536 bytes opens the next one, so a fold
// rewrites one small file. A shard that came out of a merge may be larger. A reader
// takes any name of letters, digits, '.', '_' and '-' that ends in .jsonl.
//
// # Append
//
// Under an exclusive lock (manifest-local/append.lock) a writer finds the last shard of
// the day, puts a newline before its line if the last byte is not a newline, writes all
// of that with one write, and syncs; a new shard's folder is synced too. AppendUnsynced
// leaves the sync out, for a caller who keeps the record on stable storage elsewhere
// until it has called Sync. Only the last shard of a day can hold unsynced lines, since
// it is synced before the next one is opened; and a fold syncs a shard before it folds
// it. After a failed write or sync the writer cuts the shard back. So a torn line is
// always a line of its own: it stays visible, every reader skips it with a warning that
// names file and line, and no later record is lost to it. A last line without a newline
// counts as a record if it is complete.
//
// # Branch
//
// A branch has two layers. The upper is the interface Branch of this package: commits
// of shards, the union of several tips, lists and contents of files. It promises that
// no commit of anybody is lost, and knows no git. The lower is gitrepo.Branch, which
// does that with git. The upper layer decides what a shard is, when to fold, and whose
// branch it is; the lower one how a ref moves and objects are written.
//
// The branch has the same tree of shards. A fold commits the complete lines that the
// branch does not have yet; a line that a crash tore stays in its shard. The lock
// manifest-local/fold.lock makes it a group commit: the process that holds it commits
// the lines of all processes, in one commit, and looks once more before it ends. A
// capture leaves folding to a helper, a process of its own of which there is at most
// one (manifest-local/follow.lock): it waits until nothing was appended for 300 ms, but
// no longer than 1.5 s, folds the burst as one commit, and ends when nothing is
// pending. If the helper is killed, the next capture starts another, and a reader folds
// at once. Until then a line is in the shards, durable and read like all others.
//
// The subject of a commit is the verdict of its one capture, or the number and kinds of
// several; the body has findings, at most twenty lines of a capture with the rest
// counted, and trailers (Run, Command, Directory, Commit, Agent, Session).
//
// A branch of the configured name that holds no shard is someone else's and is never
// written to. If a branch names objects that are gone, it is removed and made again
// from all lines that this clone has, its own and those it has seen; its history is
// lost, but no record.
//
// manifest-local/fold.json remembers what was folded. If it is missing, or the branch
// is not where it was left, shards are compared with the branch, and lines that the
// branch lacks are pending again. Otherwise a fold looks only at days with a file in
// manifest-local/pending, so it costs the same however long the manifest is.
//
// # Merge
//
// Versions of a shard merge by Union: every line of any version once, sorted by id and
// then by bytes. It is commutative, associative and idempotent, so clones agree in
// whatever order they meet, and a copied clone that writes under the same writer id
// loses nothing. Lines that have the same id and differ all stay. Every reader shows
// the same one of them: the finished over the partial, the higher v, the failed over
// the passed, the larger bytes. A reader warns of two that differ in more than being
// partial.
//
// # Read
//
// The records are the union by id of the shards of this clone, of the branch and of
// refs/remotes/*/<branch>, ordered by time, then id, within their day. Newest first, a
// day of more than 16 shards is read from its last shard backwards; its order then
// trusts each writer's clock to a minute. Shards of other clones are measured before
// they are read: a shard over 8 MiB is refused by name, and a branch with such a shard
// is not merged. Those that hold lines this clone has not are copied to
// manifest-local/seen, once for each time a branch moves. The folder manifest-local
// holds only such derived state and locks: with no cairn running, it can be deleted.
//
// # Heal
//
// Heal notices a lost shard: it compares the branch with the shards and gives each the
// lines that only the other has. A line of this clone goes back to the end of its
// shard; lines of other clones are copied to manifest-local/seen again. Heal runs
// before unnamed objects are deleted.
//
// # What may go in
//
// Lines and where they lie: encoding, locking, folding, merging, selecting by time and
// by bytes. Not what a record means (recall), not the objects it names (objects), not
// how git is asked (internal/gitrepo), and nothing that reads a result to decide on a
// record.
package manifest
