// Package mcp serves cairn by the Model Context Protocol on standard input and output, for any host.
//
// # What it promises
//
//   - One tool, recall, which only reads. The tool capture_run exists only if asked for by name (Options.RunTool): it
//     is a second shell, to which a host's rules for shell commands do not apply. Each schema has fewer
//     than 600 tokens, since every request of the host carries it.
//   - The same code as the command line: both tools ask a child process, "cairn rpc", which
//     captures and recalls as the commands do. This package only translates.
//   - Answers are lines of text in "content", of at most maxAnswer bytes, with the
//     id and the way to get the rest. There is no structuredContent: two hosts would
//     show the model only that.
//   - While a command runs, progress is sent if the host asked for it. Cancelling
//     ends the command's process group; the output so far is recorded.
//   - recall is marked as read-only, capture_run as destructive: the host decides whether
//     it may run.
//   - A line that is no message is answered with an error of JSON-RPC (-32700, -32600), and
//     the server continues.
//
// The server is a program of its own, cairn-mcp, which "cairn mcp" executes: the SDK would add more than a millisecond
// to every start of cairn.
//
// Only the protocol belongs in this package. What can be asked is defined by package
// recall and the command line.
package mcp
