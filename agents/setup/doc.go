// Package setup installs cairn for coding agents, and takes it away again: what
// "cairn init" does.
//
// # What it promises
//
//   - Text that is not cairn's stays: other keys, comments and order in JSON, JSONC, TOML and
//     Markdown. A key that is already set otherwise is left as it is, and reported.
//   - Every change can be seen before it is made: a Plan holds the exact bytes of
//     each file before and after, and sums them up in a line.
//   - Files that a team commits name no path of this home, and no shell that exists only
//     here.
//   - Nothing is installed that starts a program which will soon be gone: see Stays.
//   - Installing twice changes nothing the second time.
//   - Remove restores each file byte for byte if it was not changed since;
//     otherwise it removes what is cairn's and leaves the rest.
//   - No permission is granted, and nothing is trusted for the user. If a host's shell is
//     captured, no installed tool runs commands; for other hosts the tool that does so,
//     to which rules for shell commands do not apply, must be asked for by name.
//   - The text for each agent promises only what is true there: commands are captured,
//     may be captured, or only those run through cairn.
//
// # What is remembered
//
// <data home>/cairn/installed.json, where the data home is $XDG_DATA_HOME or
// ~/.local/share. It has, for each changed file, its bytes before (null if the file did not exist), the SHA-256 of its
// bytes after, and the agents that it serves, for the user or for one project; also the directories
// that were created. The stand-in shells are beside it.
//
// What may go in: where each host keeps its settings (hosts.go), how a file of
// each form is edited, and a check that what is installed works.
package setup
