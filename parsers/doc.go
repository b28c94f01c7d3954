// Package parsers turns the output of a tool into a result.ToolResult.
//
// # What it promises
//
// A parser is a pure function of its Input: the bytes that were printed, in
// the order they were read, and the command that printed them. It opens no
// file, asks no clock, no environment and no working directory, so that any
// version of any parser can be run again on any old capture.
//
// A failure is never hidden. A parser that cannot account for what the tool
// itself says failed is not believed: the result then says heuristic and
// carries reduced text. Output that no parser claims gives a generic result:
// no findings, reduced text, and the status that the exit code gives.
//
// Memory is bounded whatever the size of the output: a Source is read in
// chunks, a Line is cut at MaxLine bytes, and a parser keeps only what it
// returns (at most MaxFindings findings; the rest is counted).
//
// # How a tool is recognised
//
// Content first, argv second. One pass over the output (Session.Scan) offers
// each line to the formats whose Starts it begins with; a format that accepts
// a line is started at once, and reads the output from its first byte, concurrently
// with the scan. argv, with wrappers such as "uv run" or "env" taken off, only
// decides which of several matches is meant and whose exit table applies.
//
//   - The command is the tool itself, and the tool's format matched: the
//     output is that tool's, all of it. Other tools' formats are looked for
//     only if none of its own did.
//   - Otherwise every match is a part. Matches that lie inside the lines of
//     another are dropped (a log printed by a test is not a second tool).
//     If one part is left, the result is that tool's. If there are several, the
//     result names the program that was run, and every finding its tool.
//   - Without a match, the result is generic, with the exit table of the program
//     if one is known.
//
// A run may also write its results to files (Input.Artifacts): see WrittenBy,
// PlacesOf and artifact.go for which files, and how they are merged with the text.
//
// # Tasks
//
// Runners put a name before each line of a task, and mix the lines of several:
// "[web] …", "@shop/web:test: …" (see cutTask). If a known format's line follows
// such a prefix, the lines of that task, without the prefix, become a Source of
// their own that every parser can read; findings point into the original output.
// A task in which nothing is recognised, or that lies in the middle of another
// tool's lines, does not count.
//
// Paths count from the directory that the command line, make, npm or pnpm says
// the tool ran in (see engine), so that the same failure is the same one
// however the tool was started.
//
// # How a result is believed
//
//   - A Report with fewer failures than the tool's own count (Report.Claimed)
//     is heuristic.
//   - A match without any finding on a failing exit is heuristic; behind a
//     wrapper such as make, so is one that found warnings only.
//   - Failures that a test tool counts and does not show are a finding of their
//     own where the exit code is 0: the code may be another command's.
//   - If the code certainly is another command's (a pipe, "||", ";" before another
//     command), any error that a tool reports makes the run failed; so does a last
//     line that reports a failure, if "| tail" shortened the output of a tool.
//   - What is read from lines that "| grep" picked is heuristic, and a count of
//     them is "at least", unless the tool's own totals are among them. Such lines
//     are shown as they are, up to 6 KiB, since the command asked for them.
//   - If "| head" cut the output, a run without failures is not "passed".
//   - If Parse returns nil, the format counts as not matched.
//   - A test run is "passed" only if the Report is Complete: the tool's own
//     closing line was there.
//
// Wherever a result is not parsed, and wherever text outside the parts looks
// like an error or, on a failing exit, follows the last part, Body carries the
// reduced text.
//
// # What goes in
//
// This folder holds what callers use: New, Parse, All, and the one list of rooms.
// A tool is declared in a room, the folder of an ecosystem, by one value in one
// file; see package tool for how. Forms that several tools share are readers in
// parsers/read. The rest is in internal (engine: one pass over an output; reports:
// files that runs write) and in text (term: what a terminal would show; shell:
// command lines; scan: words).
package parsers
