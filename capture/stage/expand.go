package stage

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A command may be named by a word that the shell expands ("~/bin/x", "$VENV/bin/x"). The file can be known
// before the line runs if the word consists of text and variables, and the line either does not change each
// variable or sets it once, to plain text. The word itself stays in the line; the shell expands it.

// piece is a part of such a word: text, or the name of a variable.
type piece struct {
	text, variable string
	bare           bool // outside of quotes, where a value with blanks would be several words
}

// pieces splits a word; ok is false if it has other expansions than variables.
func pieces(w *syntax.Word) (all []piece, ok bool) {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text := p.Value
			if rest, home := strings.CutPrefix(text, "~/"); i == 0 && home {
				all, text = append(all, piece{variable: "HOME"}), "/"+rest
			}
			if strings.ContainsAny(text, "*?[{~\\") {
				return nil, false
			}
			all = append(all, piece{text: text})
		case *syntax.SglQuoted:
			if p.Dollar {
				return nil, false
			}
			all = append(all, piece{text: p.Value})
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				if lit, is := inner.(*syntax.Lit); is && !p.Dollar && !strings.Contains(lit.Value, `\`) {
					all = append(all, piece{text: lit.Value})
				} else if name, is := plainVariable(inner); is && !p.Dollar {
					all = append(all, piece{variable: name})
				} else {
					return nil, false
				}
			}
		default:
			name, is := plainVariable(part)
			if !is {
				return nil, false
			}
			all = append(all, piece{variable: name, bare: true})
		}
	}
	return all, true
}

// plainVariable is the name of a variable that is expanded unmodified: $X or ${X}.
func plainVariable(part syntax.WordPart) (name string, is bool) {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || !syntax.ValidName(p.Param.Value) {
		return "", false
	}
	asked := p.Excl || p.Length || p.Width || p.IsSet || p.Flags != nil
	changed := p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil || len(p.Modifiers) > 0
	return p.Param.Value, p.Names == 0 && !asked && !changed
}

// variables are the variables that a line sets.
type variables struct {
	set    map[string]setting
	unsure bool // the line may set further ones
}

// setting is how a line sets a variable.
type setting struct {
	value string
	known bool // the line sets it once, to this value
	at    uint // offset in the line
}

// assigns notes assignments. Without stays, they are in front of a command and hold only for it.
func (v *variables) assigns(all []*syntax.Assign, stays bool) {
	for _, a := range all {
		if a.Name == nil || a.Naked {
			continue
		}
		s := setting{at: a.Pos().Offset(), known: stays && !a.Append && a.Index == nil && a.Array == nil}
		if s.known && a.Value != nil {
			s.value, s.known = Static(a.Value.Parts)
			s.known = s.known && !globs(a.Value)
		}
		v.sets(a.Name.Value, s)
	}
}

func (v *variables) sets(name string, s setting) {
	if _, before := v.set[name]; before {
		s.known = false
	}
	if v.set == nil {
		v.set = map[string]setting{}
	}
	v.set[name] = s
	v.unsure = v.unsure || name == "IFS"
}

// looks notes the variables that a part of a line sets.
func (v *variables) looks(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.CallExpr:
		v.assigns(n.Assigns, len(n.Args) == 0)
		if len(n.Args) > 0 {
			v.runs(n.Args)
		}
	case *syntax.DeclClause:
		v.assigns(n.Args, n.Variant != nil && (n.Variant.Value == "export" || n.Variant.Value == "readonly"))
	case *syntax.ForClause:
		if words, is := n.Loop.(*syntax.WordIter); is {
			v.sets(words.Name.Value, setting{})
		}
	case *syntax.ParamExp:
		if n.Param != nil && n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
			v.sets(n.Param.Value, setting{})
		}
	}
}

// runs notes variables that a builtin such as read or printf -v sets: their values are then unknown.
func (v *variables) runs(words []*syntax.Word) {
	argv, known := Words(words)
	switch argv[0] {
	case "eval", "source", ".", "let", "getopts", "mapfile", "readarray":
		v.unsure = v.unsure || known > 0
	case "printf":
		v.unsure = v.unsure || len(argv) > 1 && (argv[1] == "" || argv[1] == "-v")
	case "read", "unset", "export", "readonly", "local", "declare", "typeset": // when the parser takes them for plain commands
		v.unsure = v.unsure || known < len(argv)
		for _, word := range argv[1:] {
			name, value, sets := strings.Cut(word, "=")
			v.sets(name, setting{value: value, known: sets && argv[0] == "export", at: words[0].Pos().Offset()})
		}
	}
}

// expanded is the value of a word with these pieces; "" if it is unknown or more than
// one word. dir is where the command runs.
func (v *variables) expanded(all []piece, at uint, dir string, env func(string) string) string {
	var b strings.Builder
	for _, p := range all {
		text := p.text
		if p.variable != "" {
			s, set := v.set[p.variable]
			switch {
			case v.unsure || set && (!s.known || s.at > at):
				return ""
			case set:
				text = s.value
			case p.variable == "PWD":
				text = dir
			default:
				text = env(p.variable)
			}
			if text == "" || p.bare && strings.ContainsAny(text, " \t\n*?[\\") {
				return ""
			}
		}
		b.WriteString(text)
	}
	if text := b.String(); strings.Contains(text, "/") {
		return text
	}
	return ""
}

// lookup is the file that a shell runs for a name: the first executable one on search,
// the PATH of the environment. It is "" if a relative folder comes first.
func lookup(name, search string) string {
	for _, dir := range filepath.SplitList(search) {
		if !filepath.IsAbs(dir) {
			return ""
		}
		if file := filepath.Join(dir, name); headOf(file) != nil {
			return file
		}
	}
	return ""
}

// valueOf returns a function for the values of environment variables.
func valueOf(env []string) func(string) string {
	return func(name string) (value string) {
		for _, kv := range env {
			if v, is := strings.CutPrefix(kv, name+"="); is {
				value = v
			}
		}
		return value
	}
}

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
