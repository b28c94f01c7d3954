package shell

import (
	"slices"
	"strings"

	"cairn/internal/bash"
	"cairn/parsers/text/lex"

	"mvdan.cc/sh/v3/syntax"
)

// line is a parsed command line.
type line struct {
	text  string
	stmts []*syntax.Stmt
	vars  map[string]string // see variables
}

// readLine parses a command line; ok is false for a syntax error.
func readLine(text string) (l line, ok bool) {
	file, err := bash.Parse(text)
	if err != nil {
		return l, false
	}
	l = line{text: text, stmts: file.Stmts}
	l.vars = l.variables()
	return l, true
}

// word returns a word without its quotes. Parts that the shell would expand stay as written; expands says that
// there are some.
func (l line) word(w *syntax.Word) (text string, expands bool) {
	if w == nil {
		return "", false
	}
	if lit, ok := w.Parts[0].(*syntax.Lit); ok && len(w.Parts) == 1 && strings.IndexByte(lit.Value, '\\') < 0 {
		return lit.Value, false
	}
	var b strings.Builder
	expands = l.parts(&b, w.Parts, "")
	return b.String(), expands
}

// parts appends parts of a word to b, without quotes. escapable are the characters before which a backslash is
// removed; "" means all.
func (l line) parts(b *strings.Builder, parts []syntax.WordPart, escapable string) (expands bool) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			unescape(b, p.Value, escapable)
		case *syntax.SglQuoted:
			if !p.Dollar {
				b.WriteString(p.Value)
				continue
			}
			b.WriteString(l.source(p))
			expands = true
		case *syntax.DblQuoted:
			expands = l.parts(b, p.Parts, "$`\"\\\n") || expands
		case *syntax.ParamExp:
			value, known := l.value(p, escapable != "")
			b.WriteString(value)
			expands = expands || !known
		default:
			b.WriteString(l.source(p))
			expands = true
		}
	}
	return expands
}

func unescape(b *strings.Builder, s, escapable string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (escapable == "" || strings.IndexByte(escapable, s[i+1]) >= 0) {
			if i++; s[i] == '\n' { // a backslash at the end of a line joins it with the next
				continue
			}
		}
		b.WriteByte(s[i])
	}
}

// source returns a part of the line as written.
func (l line) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(l.text) {
		return ""
	}
	return l.text[from:to]
}

// Redirect is a redirection: its operator with the file descriptor, as in "2>>", and its target.
type Redirect struct{ Op, Target string }

// simple is one simple command of a line, with its wrappers.
type simple struct {
	env       []string // NAME=VALUE before it
	argv      []string
	redirects []Redirect
	unknown   bool // its program is an expansion, such as "$CC"
	expands   bool // one of its words has an expansion
}

// simple reads a statement that is one simple command, or a declaration.
func (l line) simple(s *syntax.Stmt) (c simple, ok bool) {
	switch cmd := s.Cmd.(type) {
	case nil: // redirections alone
	case *syntax.CallExpr:
		for _, a := range cmd.Assigns {
			c.env = append(c.env, l.assignment(a, &c))
		}
		for i, w := range cmd.Args {
			text, expands := l.word(w)
			c.argv = append(c.argv, text)
			c.expands, c.unknown = c.expands || expands, c.unknown || expands && i == 0
		}
	case *syntax.DeclClause:
		c.argv = append(c.argv, cmd.Variant.Value)
		for _, a := range cmd.Args {
			c.argv = append(c.argv, l.assignment(a, &c))
		}
	case *syntax.TimeClause:
		if cmd.Stmt == nil {
			return c, false
		}
		if c, ok = l.simple(cmd.Stmt); !ok {
			return c, false
		}
	default:
		return c, false
	}
	for _, r := range s.Redirs {
		target, expands := l.word(r.Word)
		c.expands = c.expands || expands
		op := r.Op.String()
		if r.N != nil {
			op = r.N.Value + op
		}
		c.redirects = append(c.redirects, Redirect{op, target})
	}
	return c, true
}

// assignment returns "NAME=VALUE", or an argument of a declaration such as export.
func (l line) assignment(a *syntax.Assign, c *simple) string {
	if a.Array != nil || a.Index != nil || a.Name == nil && a.Value == nil {
		c.expands = true
		return l.source(a)
	}
	value, expands := l.word(a.Value)
	c.expands = c.expands || expands
	switch {
	case a.Name == nil:
		return value
	case a.Naked:
		return a.Name.Value
	case a.Append:
		return a.Name.Value + "+=" + value
	}
	return a.Name.Value + "=" + value
}

// substitutes reports whether a part of the line runs commands for their output, commands of a file, or what only the shell
// knows ("$PY -m pytest").
func (l line) substitutes() (is bool) {
	for _, stmt := range l.stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst:
				is = true
			case *syntax.CallExpr:
				if len(n.Args) > 0 {
					program, expands := l.word(n.Args[0])
					is = is || expands || lex.IsOneOf(program, "source . eval trap")
				}
			}
			return !is
		})
	}
	return is
}

// plain reports whether a statement is neither negated nor run in the background.
func plain(s *syntax.Stmt) bool { return !s.Negated && !s.Background && !s.Coprocess }

// chain returns the statements of a list, with those joined by "&&" taken apart.
func chain(stmts []*syntax.Stmt) (all []*syntax.Stmt) {
	for _, s := range stmts {
		if and, ok := s.Cmd.(*syntax.BinaryCmd); ok && and.Op == syntax.AndStmt && plain(s) {
			all = append(all, chain([]*syntax.Stmt{and.X, and.Y})...)
			continue
		}
		all = append(all, s)
	}
	return all
}

// stages returns the commands of a pipeline.
func stages(s *syntax.Stmt) []*syntax.Stmt {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && plain(s) && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
		return append(stages(pipe.X), stages(pipe.Y)...)
	}
	return []*syntax.Stmt{s}
}

// single is a line that runs one command or pipeline, behind a prelude that prepares the shell for it.
type single struct {
	prelude  []string // the words of the prelude
	dir      string   // the directory that the prelude changes to
	expands  bool     // a word of the prelude has an expansion
	pipefail bool
	stmt     *syntax.Stmt // a command or a pipeline
}

// single reads a line that prepares the shell and then runs one command or pipeline, such as "cd api && pytest" or
// ". venv/bin/activate; pytest | tail". If the prelude fails, the line's exit code is almost always 1 or 2, and the
// output says why.
func (l line) single() (s single, ok bool) {
	all := l.body()
	if len(all) == 0 {
		return s, false
	}
	for _, stmt := range all[:len(all)-1] {
		c, ok := l.simple(stmt)
		if !ok || !plain(stmt) || len(c.argv) > 0 && (len(c.env) > 0 || !isPrelude(c.argv[0])) || len(c.argv)+len(c.env) == 0 {
			return s, false
		}
		s.expands = s.expands || c.expands
		s.prelude = append(append(s.prelude, c.env...), c.argv...)
		if len(c.argv) == 0 {
			continue
		}
		switch c.argv[0] {
		case "cd", "pushd":
			target := cdTarget(c.argv)
			if target == "-" || Expanded(target) {
				return s, false
			}
			s.dir = JoinDir(s.dir, target)
		case "set":
			s.pipefail = s.pipefail || slices.Contains(c.argv, "pipefail")
		}
	}
	s.stmt = all[len(all)-1]
	return s, plain(s.stmt)
}

// command returns the simple command whose exit status is the line's (POSIX.1-2024, Shell Command Language 2.9.1).
// Behind "set -o pipefail", filters that do not fail may follow it. ok is false if the line has another operator or
// if the program is an expansion: only the shell can tell then.
func (l line) command() (argv []string, s single, ok bool) {
	if s, ok = l.single(); !ok {
		return nil, s, false
	}
	parts := stages(s.stmt)
	for s.pipefail && len(parts) > 1 && l.filters(parts[len(parts)-1], passing) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) > 1 {
		return nil, s, false
	}
	c, ok := l.simple(parts[0])
	return c.argv, s, ok && plain(parts[0]) && len(c.argv) > 0 && !c.unknown
}

// passing are programs that copy their input and do not fail.
const passing = "tee cat tail sed tr ts nl fold less more"

// isPrelude reports whether a program is a builtin that prepares the shell for what follows.
func isPrelude(program string) bool { return slices.Contains(preludes, program) }

var preludes = strings.Fields("cd pushd export set shopt source . unset ulimit umask trap :")

func cdTarget(argv []string) string {
	for _, a := range argv[1:] {
		if a != "--" && a != "-P" && a != "-L" {
			return a
		}
	}
	return "~"
}
