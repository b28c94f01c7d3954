// Package stage observes the single commands of a shell line that bash or dash runs: what each of them prints into a
// pipe or in $(...), and how it ends if the line's status does not show that.
//
// # What it promises
//
// The line does what it would have done. Readers, the shell and the commands themselves see the same bytes in the same
// order, the same exit statuses (PIPESTATUS, $?, pipefail), the same signals and processes, a pipe where they saw a
// pipe; a reader that leaves ends the command as before. If that is not possible, a command is left alone: functions,
// builtins, aliases and compound commands always, programs that draw on a terminal, commands in backquotes, and a
// whole line that shows how the shell finds or runs its commands (set -x, type, $BASH_COMMAND and the like).
// TestShapes has the table.
//
// A command costs one start of a small program more, and no further process while the command runs.
//
// # How
//
// A line is parsed with mvdan.cc/sh. A statement with commands that matter ("pytest -q | tail") gets words in front of
// it that tell the shell, once it knows the file of that name, to run cairn-stage instead: "hash -p". The statement
// itself stays unchanged to the byte, so bash's messages about it do too; and since bash looks up a command in that
// table last, functions, aliases and builtins of the name win as ever. A command with a slash in its name is in no
// such table: the path of cairn-stage is put in front of it (Plan.Locate), if that file can be executed. The same is
// done for a word that is expanded to a path ("~/bin/x", "$VENV/bin/x"), if the file can be known before, and in dash,
// which has no "hash -p", for each command on the PATH of the environment, unless the line sets PATH, sources files,
// or has an alias or a function of that name. cairn-stage (cmd/cairn-stage) hands its standard output to the Server,
// gets the end of another pipe for it, and becomes the command. The Server copies the bytes from that pipe to the
// output that it was handed. It asks the kernel how the command ended (Linux 6.15 and later). Elsewhere cairn-stage
// stays as the parent of the command, passes signals on and ends as the command did; it always does so for commands
// that write to one pipe one after the other, since the next must not overtake the output of the one before.
//
// # What differs all the same
//
// A command can be 16 KiB further ahead of its reader than the shell's own pipe allows, and more once a megabyte has
// gone through. What a program writes in one call, its reader gets in several pieces if it is longer than that. A
// script that asks bash itself how it finds a command ("command -v" in a file that the line sources) sees cairn-stage.
// A file that is removed or replaced while the line runs is reported by cairn-stage, in the shell's words for a line
// of one line.
//
// # What may go in
//
// Reading lines, and copying bytes. The caller decides what is kept of them, and what it means.
package stage
