// Package shell is the shell that coding agents start: the capture happens in
// it, beneath the host's policy, which has judged the user's own line before.
//
// # What it promises
//
//   - The host's whole frame runs in one real bash (or the user's zsh), as it
//     would without cairn: cd, exports and the file in which a host looks for the
//     new working directory work. Statements of the line stay as they are; in front of some stands
//     what lets cairn see their commands one by one (package stage).
//   - The exit status is exact.
//   - Record, command key and report detection are of the user's line, read out
//     of the frame (Unframe), never of the frame.
//   - Fail open: whatever goes wrong before the command was started, the real
//     shell is executed in place of this process.
//
// # What is passed through, unrecorded
//
// Judge decides. A line that is made of shell builtins alone, that needs a terminal (an
// editor, a pager) or follows a file for ever, and one that runs cairn itself; one that
// puts something in the background, where that has a terminal or cairn-stage is not installed.
// Also: a frame of a host around anything but the agent's own line (hook
// commands, starts of MCP servers), any other use of a shell than "-c LINE", and
// everything that already runs inside a capture (CAIRN_INSIDE is set).
//
// # What the model sees
//
// With cairn.show = auto, the default:
//
//   - Output of a tool that a parser knows, of more than smallOutput bytes: the
//     compact form, where it is not longer.
//   - Behind either: what commands of the line came to, and what they found, where it is not to
//     be seen in the output (capture.Outcome.Hidden).
//   - Everything else: the output as it was, each stream to its own. Where the
//     host hides the status, a failing command gets a line "[exit N]" below it, one
//     that is passed through, too, and output that hosts cut (over largeOutput bytes) a line that says how much
//     there was and how to read all of it.
//
// "compact" shows the compact form always, "raw" the output and no line more.
// The switch is CAIRN_SHOW, else git config cairn.show.
//
// Output is held back until the command has ended, since only then is it known
// how to show it. A command that no parser is known for is held for holdUnknown
// only, and then passed on as it comes, since its output will be shown as it was
// anyhow. A known one says on stderr after firstBeat, and then ever more rarely, how far
// it has got, with its last line: hosts that move a slow command to the
// background show that much.
//
// A host may give its shell a terminal and read what is on it. The line then has a terminal
// of its own, and its output is held in the same way, until the line asks for something: it
// changes the modes of its terminal, as editors, menus and questions for a password do, it
// waits behind a question, or something is typed. From then on all is passed on as it comes.
// On the terminal of a person, where no agent is named, nothing is held.
//
// What is wrong with the store is said once in a session.
//
// # What may go in
//
// Frames of hosts, what to capture, and how to show it. How a command is run
// and recorded is package capture.
package shell
