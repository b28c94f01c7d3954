// Package child runs one command exactly and hands over what it printed.
//
// # What it promises
//
//   - The status is a fact. Every exit code 0–255 and every signal comes back as it was. A command
//     that could not be started says which of three things happened, as shells do: not found (127),
//     found but not executable (126), or trouble of our own, such as a directory that is not there (125).
//     A script without a first line "#!" is run by /bin/sh, as a shell would.
//   - Every byte is handed over, as soon as it is read: nothing waits for a buffer to fill or a line to end.
//   - Order is read order. Standard output and standard error are two pipes, each with its own reader; a
//     read and its delivery happen in one turn, and turns are granted in order of arrival. That is the order in
//     which bytes were read, not a claim about the order in which the child wrote across its two pipes:
//     lines written to both within the time it takes to wake a reader (a burst on a busy machine: many lines)
//     come as a run of one stream and then a run of the other.
//   - Memory is one buffer, whatever the child prints. A slow sink slows the child down, as a full pipe does.
//   - The child is an ordinary child: its standard input is the file it was given, untouched; it inherits no
//     descriptor of ours; its signal dispositions and limits are those it would have without us.
//   - Nothing hangs on descendants. When the child has ended but something it started still holds its output open,
//     reading goes on for a short, bounded time, keeps all that came, and Exit.OpenPipes says so.
//     Those descendants are left alone unless the run timed out or was cancelled.
//
// # Groups, signals and the terminal
//
// The child leads a process group of its own (with Command.TTY, a session), so that a signal or the end of
// a timeout reaches all it started. SIGINT, SIGTERM, SIGHUP and SIGQUIT that arrive here are passed on to that
// group; a second SIGINT kills it. A signal that was ignored when we started stays ignored, here and in the child.
// (The Go runtime keeps that promise for SIGHUP and SIGINT, which is what nohup and background jobs need;
// it does not for others.)
//
// A group of its own is not the foreground group of a terminal. So Ctrl-C arrives at our group and is passed on: once.
// The terminal is lent to the child at the moment it needs it: a child that reads from the
// terminal, or sets its modes, is stopped by SIGTTIN or SIGTTOU; then its group becomes the foreground
// group and it is continued, from where Ctrl-C goes to it directly: again once. It is not lent before, because
// that would take the terminal away from the other commands of a pipeline (cmd | less) and
// keep Ctrl-C from the script around us. Ctrl-Z stops the child and then us, and a later "fg"
// continues both. When the child has ended the terminal is taken back.
//
// On Linux the child receives SIGTERM if we die without being able to pass anything on (kill -9), because a
// caller that kills our group no longer reaches the child's.
//
// # What it does not promise
//
// A process that leaves the group (setsid, a daemon) is not reached by signals and timeouts. The modes of the
// terminal are restored only if we changed them (Command.TTY). On Windows there are no groups and no
// signals: a job object ends the descendants, Ctrl-C reaches the child through the console, scripts need
// their interpreter named, and Command.TTY is refused.
//
// # What may go in it
//
// Starting, watching, ending and reading one child. No storing, no parsing, no printing, no other package of cairn.
package child
