package shell

import (
	"strings"

	"cairn/result"

	"cairn/parsers/text/term"
)

// This file reads the lines in which tox, nox, go-task, yarn 1 and shells with "set -x" show a command and its
// directory.

// tox reads ": commands[0] /src/api> pytest -q".
func (d *Directories) tox(line string, i term.Stream, end int64) {
	_, line, _ = strings.Cut(line, "]")
	dir, command, ok := strings.Cut(strings.TrimPrefix(line, " "), "> ")
	if ok {
		d.runs(command, dir, i, end)
	}
}

// session reads a line of nox: a session begins, changes directory or runs a command.
func (d *Directories) session(line string, i term.Stream, end int64) {
	if dir, ok := strings.CutPrefix(line, "cd "); ok {
		d.nox = JoinDir(d.nox, dir)
	} else if strings.HasPrefix(line, "Running session ") {
		d.nox = ""
	} else {
		d.runs(line, d.nox, i, end)
	}
}

// runs notes a command that a runner shows, with the directory that it runs in.
func (d *Directories) runs(line, dir string, i term.Stream, end int64) {
	dir = JoinDir(d.deepest(i), dir)
	d.change(i, dirChange{at: end, dir: dir})
	d.command(line, dir, i, end)
}

// command notes a command line that is shown, if it runs one command.
func (d *Directories) command(text, dir string, i term.Stream, end int64) {
	l, _ := readLine(text)
	if argv, s, ok := l.command(); ok {
		c := d.Tools.Unwrap(argv, "")
		d.change(i, dirChange{at: end, dir: JoinDir(JoinDir(dir, s.dir), c.Dir), argv: c.Argv})
	}
}

// traced reads a command that a shell shows before running it. After a second "cd sub" the directory is unknown:
// the shell may be in sub below the first directory, or the first "cd" was in a subshell that has ended.
func (d *Directories) traced(line string, i term.Stream, end int64) {
	dir, moves := strings.CutPrefix(line, "cd ")
	dir = strings.Trim(dir, "'\"")
	switch {
	case line == "" || line[0] == ' ': // a line of a diff
	case !moves:
		d.runs(line, d.atShell, i, end)
	case !d.changed, result.IsAbsolute(dir), dir == "..", strings.HasPrefix(dir, "../"):
		d.atShell, d.changed = JoinDir(d.atShell, dir), true
	default:
		d.atShell = ""
	}
}

// meson reads "meson setup /src /src/.mesonpy-x -Dbuildtype=release" of meson-python, which then works in the build
// directory, the second of the two.
func (d *Directories) meson(command string, i term.Stream, end int64) bool {
	fields := strings.Fields(command)
	if len(fields) < 4 || fields[0] != "meson" || fields[1] != "setup" || !result.IsAbsolute(fields[3]) {
		return false
	}
	d.name(fields[3])
	d.change(i, dirChange{at: end, dir: fields[3]})
	return true
}

// yarnError reads "Directory: DIR", the directory of a command that failed.
func (d *Directories) yarnError(dir string) {
	switch {
	case !d.yarn || !result.IsAbsolute(dir):
	case d.pending != "":
		d.place(d.pending, dir)
	default:
		d.name(dir)
	}
}
