// Package mcp is cairn as a server of the Model Context Protocol on standard
// input and output, for hosts that offer no way beneath their shell, and for
// questions from any of them.
//
// # What it promises
//
//   - Two tools and nothing else: capture_run and recall. Their schemas together are
//     below 600 tokens, since every request of the host carries them.
//   - The same code as the command line: both tools ask a child, "cairn rpc", which
//     captures and recalls as the commands do. This package translates.
//   - Answers are lines of text in "content", of at most maxAnswer bytes, with the
//     id and the way to the rest. There is no structuredContent: two hosts would
//     show the model nothing else.
//   - While a command runs, progress is sent where the host asked for it. A cancel
//     ends the command's process group, and what it printed so far is on record.
//   - recall is marked as read-only; capture_run is not: whether it may run is for
//     the host to decide.
//
// It is a program of its own, cairn-mcp, which "cairn mcp" becomes: the SDK would
// add more than a millisecond to every start of cairn.
//
// What may go in: the protocol's own matters. What can be asked is package
// recall's and the command line's.
package mcp
