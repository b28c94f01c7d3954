// Package shell is the shell that coding agents start. It captures the command line after the host's policy has
// judged the line itself.
//
// # What it promises
//
//   - The host's whole script runs in one real bash (or the user's zsh), as it
//     would without cairn: cd, exports and the file in which a host looks for the
//     new working directory work. Statements of the line stay as they are; package stage may put
//     text before one, by which cairn sees its commands one by one.
//   - The exit status is exact.
//   - Record, command key and report detection use the user's line, extracted
//     from the host's script (Unframe), never the script.
//   - On an error before the command was started, the real shell is executed in place of
//     this process.
//
// # What is passed through, unrecorded
//
// Judge decides. It passes a line of shell builtins only, one that needs a terminal (an editor, a pager) or follows a
// file forever, and one that runs cairn itself; also one that puts something in the background, if the host gives a
// terminal or cairn-stage is not installed. Also passed through: a host's script around anything but the agent's own
// line (hook commands, starts of MCP servers), any use of the shell other than "-c LINE", and everything inside of a
// capture (CAIRN_INSIDE is set).
//
// # What the model sees
//
// With cairn.show = auto, the default:
//
//   - Output of more than smallOutput bytes by a tool with a parser: the
//     compact form, if it is not longer. Source code, manuals and commits that the line only
//     shows ("cat README.md", "git show", "go doc") are never shortened.
//   - After either: how commands of the line ended and what they found, if the output
//     does not show it (capture.Outcome.Hidden).
//   - All other output: unchanged, each stream to its own. If the host hides the status,
//     a failing command gets a line "[exit N]" below it, even if it was passed through. Output
//     that hosts cut (over largeOutput bytes) gets a line that says how much there was and how to read
//     all of it.
//
// "compact" always shows the compact form, "raw" only the output.
// The setting is CAIRN_SHOW, else git config cairn.show.
//
// Output is held back until the command has ended, since only then it is known how to show it. The output of a command
// without a parser is held only for holdUnknown, and then passed on as it comes, since it would be shown unchanged
// anyhow. For a command with a parser, its progress and last line are printed on stderr after firstBeat, and then ever
// more rarely: hosts that move a slow command to the background show that much.
//
// A host may give its shell a terminal and read from it. The line then gets a terminal of its own, and its output is
// held in the same way until the line interacts: it changes the modes of its terminal, as editors, menus and password
// prompts do, it waits after a question, or something is typed. From then on all output is passed on as it comes. On a
// person's terminal, where no agent is named, nothing is held.
//
// An error of the store is reported once per session.
//
// # What may go in
//
// The scripts of hosts, what to capture, and how to show it. How a command is run
// and recorded is in package capture.
package shell
