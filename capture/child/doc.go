// Package child runs one command exactly and hands over what it printed.
//
// # What it promises
//
//   - The status is a fact. Every exit code 0–255 and every signal is returned unchanged. For a command that could not be started it distinguishes, as shells do: not found (127), found but not executable (126), or a problem of our own, such as a missing directory (125). A script without a first line "#!" is run by /bin/sh, as a shell would.
//   - Every byte is handed over as soon as it has been read: nothing waits for a full buffer or the end of a line.
//   - Order is read order. Standard output and standard error are two pipes, each with its own reader; a read and its delivery happen in one turn, and turns are granted in order of arrival. That is the order in which bytes were read, and not always the order in which the child wrote to its two pipes: lines that it writes to both before a reader has woken up (on a busy machine, many lines) are delivered as a run of one stream and then a run of the other.
//   - Memory is one buffer, whatever the child prints. A slow sink slows the child down, as a full pipe does.
//   - The child is an ordinary child: its standard input is the file it was given, untouched; it inherits no descriptor of ours; its signal dispositions and limits are those it would have without us.
//   - Nothing hangs on descendants. If the child has ended but a descendant still holds its output open, reading goes on for a short, bounded time, keeps all that came, and Exit.OpenPipes says so. Those descendants are left alone unless the run timed out or was cancelled.
//
// # Groups, signals and the terminal
//
// The child leads a process group of its own (with Command.TTY, a session), so that a
// signal or the end of a timeout reaches all its descendants. SIGINT, SIGTERM, SIGHUP
// and SIGQUIT that arrive here are passed on to that group; a second SIGINT kills it. A
// signal that was ignored when we started stays ignored, here and in the child. (The Go
// runtime leaves only SIGHUP and SIGINT ignored when a program starts. Those are the
// two that nohup and background jobs need.)
//
// The child's group is at first not the foreground group of the terminal. Ctrl-C
// therefore reaches our group, and we pass it on, so that the child gets it once. The
// child gets the terminal only when it needs it: a child that reads from the terminal,
// or sets its modes, is stopped by the kernel with SIGTTIN or SIGTTOU; then we make its
// group the foreground group and continue it. From then on Ctrl-C goes to the child
// directly, and still reaches it once. If the child had the terminal from the start,
// the other commands of a pipeline (cmd | less) would lose it, and Ctrl-C would no
// longer reach the script around us. Ctrl-Z stops the child and then us, and a later
// "fg" continues both. When the child has ended, we take the terminal back.
//
// On Linux the child receives SIGTERM if we die without being able to pass anything on
// (kill -9), because a caller that kills our group no longer reaches the child's.
//
// # What it does not promise
//
// A process that leaves the group (setsid, a daemon) is not reached by signals and
// timeouts. The modes of the terminal are restored only if we changed them
// (Command.TTY). On Windows there are no groups and no signals: a job object ends the
// descendants, Ctrl-C reaches the child through the console, scripts need their
// interpreter named, and Command.TTY is refused.
//
// # What may go in it
//
// Starting, watching, ending and reading one child. No storing, no parsing, no
// printing, no other package of cairn.
package child
