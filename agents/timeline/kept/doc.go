// Package kept stores timelines of subagents: in a file while they run, and in the record afterwards.
//
// # What it promises
//
//   - A timeline that ended is a record of type "timeline": its document (see
//     timeline.Document) is an object, which the record names as target and raw;
//     the session of "by" is the subagent's id, the parent the session that
//     started it; the reason says how it ended in one line, redacted.
//   - A timeline that runs is the file <cairn directory>/timelines/<id>.jsonl, to which lines are appended: {"head":…} is
//     the newest head, {"n":3,"step":…} is step 3; of several lines with the same number, the last one counts. The
//     process that writes the file holds a lock on it. A torn last line is ignored.
//   - A timeline whose process is gone without an end reads as "stopped", and is recorded when the next one begins.
//
// What may go in: these files and records. Steps are defined in package timeline.
package kept
