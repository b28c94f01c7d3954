// Package stage tells apart the commands of a shell line that bash or dash runs: what each of
// them printed behind a pipe or in $(...), and how it ended where the line does not say so.
//
// # What it promises
//
// The line does what it would have done. Readers, the shell and the commands themselves see the
// same bytes in the same order, the same exit statuses (PIPESTATUS, $?, pipefail), the same signals and
// processes, a pipe where they saw a pipe; a reader that leaves ends the command as before. Where
// that cannot be had, a command is left alone: functions, builtins, aliases and compound commands always, programs that
// draw on a terminal, commands in backquotes, and a whole line that shows how the shell finds or runs its commands
// (set -x, type, $BASH_COMMAND and the like). TestShapes is the table.
//
// It costs a command one start of a small program, and no process more while the command runs.
//
// # How
//
// A line is read with mvdan.cc/sh. In front of a statement with commands that matter ("pytest -q | tail") it gets words
// that tell the shell, once it knows the file of that name, to run cairn-stage in its place: "hash -p". The statement itself stays
// as it is, to the byte, so what bash says of it does too; and since bash looks for a command in that table last, functions,
// aliases and builtins of the name win as ever. A command with a slash in its name is in no such table: the path of cairn-stage
// is put in front of it (Plan.Locate), where that file runs. So it is for a word that is expanded to a path ("~/bin/x", "$VENV/bin/x"), as far as
// the file can be known before, and in dash, which has no "hash -p", for each command that is on the PATH of the environment,
// unless the line sets PATH, sources files, or names an alias or a function so. cairn-stage (cmd/cairn-stage) hands its standard output to the Server, gets the
// end of another pipe for it, and becomes the command. The Server copies what comes out of that pipe to the output that
// it was handed. How the command ended it asks the kernel (Linux 6.15 and later). Elsewhere cairn-stage stays as the parent of the
// command, passes signals on and ends as the command did; it does so everywhere for commands that write
// to one pipe one after the other, since the next must not overtake what the one before has printed.
//
// # What differs all the same
//
// A command can be 16 KiB further ahead of its reader than the shell's own pipe allows, and more once a megabyte has gone
// through. A program that writes more than that in one call is read in several. A script that asks bash itself
// how it finds a command ("command -v" in a file that the line sources) sees cairn-stage. A file that is removed or made another while
// the line runs is reported by cairn-stage, in the shell's words for a line of one line.
//
// # What may go in
//
// Reading lines, and copying bytes. What is kept of them, and what it means, is for the caller.
package stage
