package stage

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The shell does not look up a command with a slash in its name ("./gradlew"), so it cannot be told to run
// another file instead. The line itself has to name cairn-stage in front of it. That is done only if the
// command is an executable file, so that the shell's error for another one stays the same; and only if the
// shell's messages about its jobs come to cairn, which removes the name from them again (Server.Unsaid).

// Locate finds the commands that run through cairn-stage only if the line names it: commands named by a path or
// an expanded word and, in dash, all commands. dir is where the line runs, and env is its environment.
func (p *Plan) Locate(dir string, env []string) {
	value := valueOf(env)
	for _, s := range p.Sites {
		if s.explicit && runs(p.fileOf(s, dir, value)) {
			s.named = true
			p.edits = append(p.edits, edit{at: s.at})
		}
	}
	slices.SortStableFunc(p.edits, func(a, b edit) int { return a.at - b.at })
}

// fileOf is the file of a command; "" if it cannot be known.
func (p *Plan) fileOf(s *Site, dir string, env func(string) string) string {
	file := s.file
	switch _, search := p.vars.set["PATH"]; {
	case s.pieces != nil:
		here := filepath.Join(dir, s.dir)
		if filepath.IsAbs(s.dir) {
			here = s.dir
		}
		if s.lost {
			here = ""
		}
		word := p.vars.expanded(s.pieces, uint(s.at), here, env)
		base := path.Base(word)
		if word == "" || strings.HasPrefix(base, "cairn") || IsInteractive(base) || here == "" && !path.IsAbs(word) {
			return ""
		}
		s.Words[0], s.Known = word, 1+s.after
		if !path.IsAbs(word) {
			return filepath.Join(here, word)
		}
		return word
	case file != "":
	case search || p.vars.unsure:
		return ""
	default:
		return lookup(s.Words[0], env("PATH"))
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return file
}

// byPath says whether a command is named by a path, and returns the path relative to where the
// line starts; "" if that cannot be known, or the command is not to be tapped.
func (r *reader) byPath(name string, c scope) (file string, is bool) {
	if !strings.Contains(name, "/") {
		return "", false
	}
	base := path.Base(name)
	if !r.addable(c) || strings.HasPrefix(base, "cairn") || IsInteractive(base) {
		return "", true
	}
	if path.IsAbs(name) {
		return name, true
	}
	if r.lost {
		return "", true
	}
	return path.Join(r.dir, name), true
}

// addable says whether words can be added to a statement although the shell may print its text.
func (r *reader) addable(c scope) bool {
	return !r.shows && (c.said || r.plan.shell == Dash) // dash prints no text of a command that a signal ended
}

// movers are builtins that change the directory, or may.
const movers = "cd pushd popd eval source ."

// moves notes a command that changes the directory for later ones. It assumes that cd succeeds: otherwise a
// later command is not found in the new directory, and cairn-stage reports that as the shell does.
func (r *reader) moves(argv []string, known int) {
	switch {
	case !slices.Contains(strings.Fields(movers), argv[0]):
	case argv[0] != "cd" || len(argv) != 2 || known != 2 || argv[1] == "" || argv[1][0] == '-':
		r.lost = true
	case path.IsAbs(argv[1]):
		r.dir, r.lost = argv[1], false
	default:
		r.dir = path.Join(r.dir, argv[1])
	}
}

// maybe reads a part of a line that may run not at all or several times: if it changes
// the directory, the directory afterwards is unknown.
func (r *reader) maybe(read func()) {
	dir := r.dir
	read()
	r.lost = r.lost || r.dir != dir
}

// apart reads a part of a line, such as a subshell, whose changes of directory end with it.
func (r *reader) apart(read func()) {
	dir, lost := r.dir, r.lost
	read()
	r.dir, r.lost = dir, lost
}

// repeats reads the body of a loop. If the body may change the directory, the directory is unknown in all of it.
func (r *reader) repeats(loop syntax.Node, read func()) {
	syntax.Walk(loop, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && slices.Contains(strings.Fields(movers), call.Args[0].Lit()) {
			r.lost = true
		}
		return true
	})
	read()
}

// showing are builtins that print the text of commands.
const showing = "jobs fg bg"

// saysElsewhere says whether the shell's messages about jobs in a compound command go
// elsewhere than to the line's own output.
func saysElsewhere(s *syntax.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(d *syntax.Redirect) bool {
		return d.N != nil && d.N.Value != "0" && d.N.Value != "1" || d.Op == syntax.RdrAll || d.Op == syntax.AppAll || d.Op == syntax.DplOut
	})
}

// joinsErrors says whether a pipeline passes on standard error, too.
func joinsErrors(n syntax.Node) (joins bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BinaryCmd); ok && b.Op == syntax.PipeAll {
			joins = true
		}
		return !joins
	})
	return joins
}
