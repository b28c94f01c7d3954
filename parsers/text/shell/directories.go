package shell

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/term"
	"cairn/result"
)

// Directories learns from what make, npm and shells print in which directory a tool ran, so that the tool's
// relative paths mean the same however it was started:
//
//	make[1]: Entering directory '/src/api'      until make leaves it
//	ninja: Entering directory `build'
//	> web@1.0.0 test /src/web                   pnpm; npm names a package only …
//	npm error workspace web@1.0.0               … and its directory if it failed
//	npm error location /src/web
//	> @shop/web                                 yarn 1 the same, in "workspaces run"
//	Directory: /src/web
//	cd api && pytest                            make and npm print what they run
//	py: commands[0] /src/api> pytest -q         tox
//	nox > cd api
//	task: [test] cd api && pytest               go-task
//	+ cd api                                    a shell, with "set -x"
//	== api                                      the command line's own echo before "cd api"
//
// The order of lines on different streams is not known. So a directory shown on stdout applies to stdout only, and
// one shown on stderr to stderr, unless all output names a single directory.
type Directories struct {
	Tools Tools   // recognises tools that have a parser
	Began Command // the command line; "ninja -C DIR" prints DIR as it is written there

	open     [2][][]string // by stream and make level: the directories that makes are in
	changes  [2][]dirChange
	entered  map[string]bool   // every directory that make entered
	fresh    [2]string         // by stream: the directory that the previous line entered
	compiled map[string]string // path without extension of a source file: the directory where it was compiled; "" for several
	outer    map[int64]bool    // offsets of lines in which the outermost make reports that its own recipe failed,
	inner    map[int64]bool    // and of lines in which a make that it started does
	both     bool              // recipes of the outermost make failed as well: their output comes from none of the entered directories
	packages map[string]string // the directory of each npm package
	blamed   []dirChange       // where npm names on stderr the directory of a script that failed
	pending  string            // the package that npm's error or yarn named last, whose directory follows
	yarn     bool              // yarn runs a command in several packages
	nox      string            // the directory of the current nox session
	atShell  string            // the directory of a shell with "set -x" …
	changed  bool              // … which has changed directory at least once
}

// dirChange says from which directory the output behind offset at comes.
type dirChange struct {
	at   int64
	dir  string
	pack string   // an npm package, whose directory may be printed later
	argv []string // if not nil, the change holds for this command's output only
}

// maxOpen bounds the directories that are open at once.
const maxOpen = 128

// maxDirChanges bounds the changes that are kept per stream. Behind the last one the directory counts as unknown.
const maxDirChanges = 10_000

// DirStarts are the beginnings of the lines that Directories reads.
var DirStarts = []string{"make", "gmake", "mingw32-make", "ninja: ", "npm error ", "npm ERR! ", "> ", "cd ", "yarn workspace", "Directory: ", "nox > ", "py", "task: [", "+ ", "  CC ", "  CXX "}

func startsDir(line []byte) bool {
	return slices.ContainsFunc(DirStarts, func(s string) bool { return len(line) >= len(s) && string(line[:len(s)]) == s })
}

// See takes the next line of the output.
func (d *Directories) See(l *term.RawLine) {
	if len(l.Text) == 0 {
		return
	}
	if i := bytes.IndexByte(l.Text[:min(len(l.Text), 64)], ':'); i > 0 && bytes.HasPrefix(l.Text[i:], []byte(": commands[")) {
		d.tox(string(l.Text[i:]), l.Stream-term.Stdout, l.End)
		return
	}
	i := l.Stream - term.Stdout
	d.compiles(l.Text, i)
	d.fresh[i] = ""
	for _, a := range d.Began.announced {
		if dir, ok := a.dirOf(bytes.TrimSpace(l.Text)); ok {
			d.change(i, dirChange{at: l.End, dir: dir})
			return
		}
	}
	if bytes.IndexByte([]byte("mgn>cyDt+"), l.Text[0]) < 0 || !startsDir(l.Text) {
		return
	}
	line := strings.TrimRight(string(l.Text), " ")
	switch line[0] {
	case 'y':
		d.yarn = d.yarn || strings.HasPrefix(line, "yarn workspace")
	case 'D':
		d.yarnError(strings.TrimPrefix(line, "Directory: "))
	case 't':
		_, command, _ := strings.Cut(line, "] ")
		d.runs(command, "", i, l.End)
	case '+':
		command := strings.TrimPrefix(line, "+ ")
		if d.meson(command, i, l.End) {
			return
		}
		if d.changed || strings.HasPrefix(command, "cd ") {
			d.traced(command, i, l.End)
		}
	case 'm', 'g', 'n':
		if command, ok := strings.CutPrefix(line, "nox > "); ok {
			d.session(command, i, l.End)
		} else if !d.make(line, i, l.End) && !d.failed(line, l.Start) {
			d.npm(line)
			if dir := FailedIn(line); dir != "" && l.Stream == term.Stderr && len(d.blamed) < maxOpen {
				d.blamed = append(d.blamed, dirChange{at: l.Start, dir: dir})
			}
		}
	default:
		d.echo(strings.TrimPrefix(line, "> "), i, l.End)
	}
}

// failed notes the offset of a make failure: "make: *** [Makefile:3: lint] Error 1" comes from the directory where
// make was started unless that make entered another, "make[1]: *** …" from one that was entered, even if the line
// that leaves it was printed before.
func (d *Directories) failed(line string, at int64) bool {
	who, what, _ := strings.Cut(line, ": ")
	if !strings.HasPrefix(what, "*** [") || len(d.outer)+len(d.inner) >= maxOpen {
		return false
	}
	if strings.Contains(who, "[") {
		note(&d.inner, at)
		return true
	}
	for _, open := range d.open {
		if len(open) > 0 && len(open[0]) > 0 {
			return false
		}
	}
	note(&d.outer, at)
	d.both = d.both || !strings.HasSuffix(what, " Error 2") // a make whose sub-make failed says "Error 2"
	return true
}

func note(lines *map[int64]bool, at int64) {
	if *lines == nil {
		*lines = map[int64]bool{}
	}
	(*lines)[at] = true
}

// name notes a directory that make entered.
func (d *Directories) name(dir string) {
	lex.Put(&d.entered, dir, true)
}

// place notes the directory of a package.
func (d *Directories) place(pack, dir string) {
	lex.Put(&d.packages, pack, dir)
}

// deepest is the directory that make entered last. It is "" if several makes of the same level run at once, because
// their lines cannot be told apart.
func (d *Directories) deepest(i term.Stream) string {
	for level := len(d.open[i]) - 1; level >= 0; level-- {
		switch n := len(d.open[i][level]); {
		case n == 1:
			return d.open[i][level][0]
		case n > 1:
			return ""
		}
	}
	return ""
}

func (d *Directories) change(i term.Stream, c dirChange) {
	if len(d.changes[i]) < maxDirChanges {
		d.changes[i] = append(d.changes[i], c)
	} else if len(d.changes[i]) == maxDirChanges {
		d.changes[i] = append(d.changes[i], dirChange{at: c.at})
	}
}

// npm reads a line of npm's error, which names a workspace and then its directory.
func (d *Directories) npm(line string) {
	fields := strings.Fields(line)
	for k := 2; k+1 < len(fields); k++ {
		switch strings.TrimSuffix(fields[k], ":") {
		case "workspace":
			d.pending = fields[k+1]
		case "location":
			if d.pending != "" {
				_, dir, _ := strings.Cut(line, "location")
				d.place(d.pending, strings.TrimLeft(dir, ": "))
			}
		}
	}
}

// echo reads the line in which npm or pnpm names a package, and commands that change directory.
func (d *Directories) echo(line string, i term.Stream, end int64) {
	if strings.HasPrefix(line, "cd ") {
		d.command(line, d.deepest(i), i, end)
		return
	}
	pack, rest, _ := strings.Cut(line, " ")
	if d.yarn && rest == "" && pack != "" {
		d.pending = pack
		d.change(i, dirChange{at: end, pack: pack})
		return
	}
	_, dir, placed := strings.Cut(rest, " ")
	if strings.LastIndexByte(pack, '@') <= 0 || strings.ContainsAny(pack, "()'\"=;") {
		return
	}
	if placed && result.IsAbsolute(dir) {
		d.change(i, dirChange{at: end, dir: dir})
	} else if !placed {
		d.change(i, dirChange{at: end, dir: d.deepest(i), pack: pack})
	}
}

// maxDirsSeen bounds the directories that are searched for reports.
const maxDirsSeen = 16

// All returns the directories that the output named, each once, in their order.
func (d *Directories) All() (dirs []string) {
	add := func(dir string) {
		if dir != "" && len(dirs) < maxDirsSeen && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, list := range d.changes {
		for _, c := range list[:min(len(list), maxOpen)] {
			add(cmp.Or(d.packages[c.pack], c.dir))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(d.packages)) {
		add(d.packages[dir])
	}
	for _, dir := range slices.Sorted(maps.Keys(d.entered)) {
		add(dir)
	}
	return dirs
}

// Of is the directory in which a tool printed the output at an offset; "" if it is unknown. runs reports whether a
// command runs this tool.
func (d *Directories) Of(runs func(argv []string) bool, stream term.Stream, at int64) string {
	if d.outer[at] {
		return ""
	}
	if len(d.entered) == 1 && len(d.packages) == 0 && (d.inner[at] || len(d.open[stream-term.Stdout]) == 0 && !d.both) {
		for dir := range d.entered {
			if sub := d.last(runs, stream, at); strings.HasPrefix(sub, dir) {
				return sub
			}
			return dir
		}
	}
	dir := cmp.Or(d.last(runs, stream, at), d.told(runs, term.Stdout+term.Stderr-stream))
	if i := slices.IndexFunc(d.blamed, func(c dirChange) bool { return c.at > at }); dir == "" && stream == term.Stderr && i >= 0 && len(d.packages) > 1 {
		return d.blamed[i].dir // npm shows on stdout which package's script it runs
	}
	return dir
}

// told is the one directory in which the commands shown on a stream run the tool; "" if there are several. (just
// shows commands on stderr, while the tool prints on stdout.)
func (d *Directories) told(runs func(argv []string) bool, stream term.Stream) (dir string) {
	known := false
	for _, c := range d.changes[stream-term.Stdout] {
		if c.argv == nil || runs == nil || !runs(c.argv) {
			continue
		}
		if known && dir != c.dir {
			return ""
		}
		dir, known = c.dir, true
	}
	return dir
}

// Ended takes where a tool's outputs end. If the command line runs it as often, and nothing printed says where it ran, the
// directories are those of the runs in their order:
//
//	cd api && pytest; cd ../web && pytest
func (d *Directories) Ended(runs func(argv []string) bool, stream term.Stream, ends []int64) {
	own := slices.DeleteFunc(slices.Clone(d.Began.Listed), func(l Command) bool { return runs == nil || len(l.Argv) == 0 || !runs(l.Argv) })
	if len(own) != len(ends) || len(own) < 2 || len(d.changes[0])+len(d.changes[1])+len(d.entered) > 0 {
		return
	}
	at := int64(0)
	for i, l := range own {
		d.change(stream-term.Stdout, dirChange{at: at, dir: l.Dir, argv: l.Argv})
		at = ends[i]
	}
}

func (d *Directories) last(runs func(argv []string) bool, stream term.Stream, at int64) (dir string) {
	for _, c := range d.changes[stream-term.Stdout] {
		switch {
		case c.at > at:
			return dir
		case c.argv == nil:
			dir = c.dir
			dir = cmp.Or(d.packages[c.pack], dir)
		case runs != nil && runs(c.argv):
			dir = c.dir
		}
	}
	return dir
}

// Echoed is the last command shown before an offset that runs the tool.
func (d *Directories) Echoed(runs func(argv []string) bool, stream term.Stream, at int64) (argv []string) {
	for _, c := range d.changes[stream-term.Stdout] {
		if c.at <= at && c.argv != nil && runs != nil && runs(c.argv) {
			argv = c.argv
		}
	}
	return argv
}
