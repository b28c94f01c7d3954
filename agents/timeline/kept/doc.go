// Package kept is where timelines of subagents are: in a file while they run, and on the
// record afterwards.
//
// # What it promises
//
//   - A timeline that ended is a record of type "timeline": its document (see
//     timeline.Document) is an object, which the record names as target and raw;
//     the session of "by" is the subagent's id, the parent the session that
//     started it; the reason says how it ended in one line, redacted.
//   - One that runs is <cairn directory>/timelines/<id>.jsonl, lines that are appended: {"head":…} is the newest
//     head, {"n":3,"step":…} is step 3, the last line of a number counts. The
//     process that writes it holds a lock on it. A torn last line is passed over.
//   - One whose process is gone without an end reads as "stopped", and becomes a record when the next one begins.
//
// What may go in: these files and records. What a step is, is in package timeline.
package kept
