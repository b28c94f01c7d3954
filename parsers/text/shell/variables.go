package shell

import (
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"cairn/parsers/text/lex"
)

// variables returns the variables whose value the line itself fixes: they are assigned once, by a statement that
// always runs, to a text without expansions. "repo=/src/api; cd $repo && pytest" runs in /src/api.
func (l line) variables() map[string]string {
	if !strings.Contains(l.text, "$") || !strings.Contains(l.text, "=") {
		return nil
	}
	times, ok := l.changes()
	if !ok {
		return nil
	}
	l.vars = map[string]string{}
	for _, stmt := range l.stmts {
		for _, part := range chain([]*syntax.Stmt{stmt}) {
			c, ok := l.simple(part)
			if !ok || !plain(part) || len(c.argv) > 0 && !isPrelude(c.argv[0]) {
				break // a statement behind "&&" runs only if this one succeeds
			}
			l.set(c, times)
		}
	}
	return l.vars
}

// set stores the values that an assignment or an export gives to variables that are assigned once.
func (l line) set(c simple, times map[string]int) {
	assignments := c.env
	if len(c.argv) > 0 {
		assignments = c.argv[1:]
	}
	if c.expands || len(c.argv) > 0 && c.argv[0] != "export" {
		return
	}
	for _, a := range assignments {
		if name, value, is := strings.Cut(a, "="); is && times[name] == 1 {
			l.vars[name] = value
		}
	}
}

// changes counts how often the line sets each variable; ok is false if it may set any variable, as "eval" may.
func (l line) changes() (times map[string]int, ok bool) {
	times, ok = map[string]int{}, true
	look := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				times[n.Name.Value]++
			}
		case *syntax.WordIter:
			times[n.Name.Value] += 2
		case *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.LetClause:
			ok = false
		case *syntax.ParamExp:
			if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				times[n.Param.Value]++
			}
		case *syntax.CallExpr:
			ok = ok && !l.setsAny(n)
		}
		return ok
	}
	for _, stmt := range l.stmts {
		syntax.Walk(stmt, look)
	}
	return times, ok
}

// setsAny reports whether a command may set variables without an assignment.
func (l line) setsAny(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return false
	}
	program, _ := l.word(c.Args[0])
	return lex.IsOneOf(program, "read eval . source unset getopts mapfile readarray printf")
}

// isPlain reports whether an expansion is the variable's value unchanged: $X or ${X}.
func isPlain(p *syntax.ParamExp) bool {
	asked := p.Excl || p.Length || p.Width || p.IsSet || p.Flags != nil
	changed := p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil || len(p.Modifiers) > 0
	return p.Param != nil && p.Names == 0 && !asked && !changed
}

// value returns what the shell puts in place of a variable; known is false if it is unknown, or if it is unquoted
// and not exactly one word.
func (l line) value(p *syntax.ParamExp, quoted bool) (text string, known bool) {
	if isPlain(p) {
		text, known = l.vars[p.Param.Value]
	}
	if !known || !quoted && (text == "" || strings.ContainsAny(text, " \t\n*?[")) {
		return l.source(p), false
	}
	return text, true
}

// AtTop replaces "$(git rev-parse --show-toplevel)" in a line by the top directory of the working tree.
func AtTop(line, top string) string {
	if top == "" || !strings.Contains(line, "git rev-parse --show-toplevel") || !wordOnly(top) {
		return line
	}
	const asks = "git rev-parse --show-toplevel"
	return strings.NewReplacer("$("+asks+")", top, "`"+asks+"`", top, "$("+asks+" 2>/dev/null)", top).Replace(line)
}

// wordOnly reports whether a shell takes a path for one word, in quotes or without.
func wordOnly(path string) bool {
	return !strings.ContainsFunc(path, func(r rune) bool {
		return !strings.ContainsRune("/.-_+@:", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
