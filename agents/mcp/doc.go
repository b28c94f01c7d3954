// Package mcp is cairn as a server of the Model Context Protocol on standard
// input and output, for questions from any host.
//
// # What it promises
//
//   - One tool, recall, which only reads. capture_run is there where it was asked for by
//     name (Options.RunTool): it is a second shell, and a host's rules for shell commands
//     do not apply to it. Their schemas are below 600 tokens each, since every request of
//     the host carries them.
//   - The same code as the command line: both tools ask a child, "cairn rpc", which
//     captures and recalls as the commands do. This package translates.
//   - Answers are lines of text in "content", of at most maxAnswer bytes, with the
//     id and the way to the rest. There is no structuredContent: two hosts would
//     show the model nothing else.
//   - While a command runs, progress is sent where the host asked for it. A cancel
//     ends the command's process group, and what it printed so far is on record.
//   - recall is marked as read-only, capture_run as destructive: whether it may run is for
//     the host to decide.
//   - A line that is no message is answered with an error of JSON-RPC (-32700, -32600), and
//     the server goes on.
//
// It is a program of its own, cairn-mcp, which "cairn mcp" becomes: the SDK would
// add more than a millisecond to every start of cairn.
//
// What may go in: the protocol's own matters. What can be asked is package
// recall's and the command line's.
package mcp
