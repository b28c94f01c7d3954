package stage

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A command with a slash in its name ("./gradlew") is not looked up by the shell, so the shell cannot be told to
// run another file in its place. The line itself has to name cairn-stage in front of it. That is done only where the command is
// a file that runs, so that what the shell says of one that does not is as ever; and only where what the shell
// prints of its jobs comes to cairn, which takes the name out of it again (Server.Unsaid).

// Locate looks for the commands of a line that are run by way of cairn-stage only where the line names it: those that are
// named by a path or a word that is expanded and, in dash, all. dir is where the line runs, and env is its environment.
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

// fileOf is the file that a command is; "" where that is not to be known.
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

// byPath says whether a command is named by a path, and how that reads from where the line starts; "" if that
// is not to be known, or the command is not to be tapped.
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

// addable says whether words can be put into a statement, where they may be printed.
func (r *reader) addable(c scope) bool {
	return !r.shows && (c.said || r.plan.shell == Dash) // dash prints no text of a command that was ended
}

// movers change the directory, or may.
const movers = "cd pushd popd eval source ."

// moves notes a command that changes the directory of those behind it. A cd that fails is not known of: the
// command behind it is then not found where the line looks for it, and cairn-stage says so as the shell does.
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

// maybe reads a part of a line that is not always run, or not once: where it changes the directory, that of what follows
// is not known.
func (r *reader) maybe(read func()) {
	dir := r.dir
	read()
	r.lost = r.lost || r.dir != dir
}

// apart reads a part of a line whose changes of directory end with it.
func (r *reader) apart(read func()) {
	dir, lost := r.dir, r.lost
	read()
	r.dir, r.lost = dir, lost
}

// repeats reads the body of a loop.
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

// saysElsewhere says whether what the shell has to say of jobs within a compound command goes elsewhere than to the
// line's own output.
func saysElsewhere(s *syntax.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(d *syntax.Redirect) bool {
		return d.N != nil && d.N.Value != "0" && d.N.Value != "1" || d.Op == syntax.RdrAll || d.Op == syntax.AppAll || d.Op == syntax.DplOut
	})
}

// joinsErrors says whether a pipeline passes standard error on, too.
func joinsErrors(n syntax.Node) (joins bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BinaryCmd); ok && b.Op == syntax.PipeAll {
			joins = true
		}
		return !joins
	})
	return joins
}
