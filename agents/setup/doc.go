// Package setup installs cairn for coding agents, and takes it away again: what
// "cairn init" does.
//
// # What it promises
//
//   - What is not cairn's stays: other keys, comments and order in JSON, JSONC, TOML and
//     Markdown. A key that somebody else has set is left as it is, and said.
//   - Nothing is written that could not be seen before: a Plan holds the exact bytes of
//     each file before and after, and sums them up in a line.
//   - Files that a team commits name no path of this home, and no shell that only this
//     home has.
//   - Nothing is installed that starts a program which will be gone: see Stays.
//   - Installing twice changes nothing the second time.
//   - Remove restores each file byte for byte as long as no one else changed it
//     since; else it takes out what is cairn's and leaves the rest.
//   - No permission is granted, nothing is trusted for the user. Where a host's shell is
//     captured, nothing that is installed runs commands; elsewhere the tool that does so,
//     to which rules for shell commands do not apply, is asked for by name.
//   - Each host is promised what is true there: captured, perhaps, or only what goes
//     through cairn.
//
// # What is remembered
//
// <data home>/cairn/installed.json, where the data home is $XDG_DATA_HOME or
// ~/.local/share: for each file that was changed its bytes before (null for one
// that was not there), the SHA-256 of its bytes after, the agents that it serves, each as
// the user or as one project has it, and the directories that were made for it. The stand-in shells are beside it.
//
// What may go in: where each host keeps its settings (hosts.go), how a file of
// each form is edited, and a check that what is installed works.
package setup
