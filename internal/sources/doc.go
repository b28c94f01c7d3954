// Package sources sets right in a result what a tool's output alone leaves open, and the files of the workspace tell: at
// which path a file lies that the tool names by its package (SeePaths), and whether what looks like the failure of a
// test is one (SeeFiles).
//
// # What it promises
//
//   - Identities stay as they are: they are made of what the tool said, which is the same on every machine.
//   - It acts only where exactly one file fits, and never leaves a failed package without a failure. What it leaves out
//     is counted in the result.
//   - It reads directories and files below the workspace, a bounded number, and changes nothing there.
//
// What may go in: what is certain from files that are there. What the output says itself is read by parsers, which see
// no files.
package sources
