// Package sources corrects in a result what a tool's output alone leaves open but the files of
// the workspace show: the path of a file that the tool names by its package or
// from another directory (SeePaths), and whether a line that looks like the failure of a test is one (SeeFiles).
//
// # What it promises
//
//   - Identities stay: they are made of the tool's own words, which are the same on every machine.
//   - It acts only if exactly one file fits, and never leaves a failed package without a failure. The result counts the findings
//     that it leaves out.
//   - It reads a bounded number of directories and files below the workspace, and changes nothing there.
//
// What may go in: conclusions that are certain from existing files. Parsers read the output
// itself, and see no files.
package sources
