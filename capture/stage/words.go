package stage

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtins are those that run nothing which prints more than a line of its own. "eval",
// "source" and "." are not among them: what they run is unknown.
const builtins = ": [ alias bg bind break builtin caller cd compgen complete continue declare dirs disown echo enable exit export " +
	"false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift " +
	"shopt suspend test times trap true type typeset ulimit umask unalias unset wait"

// runners are builtins that run other commands.
const runners = "eval source . command exec coproc compopt"

// interactive are programs that draw on a terminal. Interpreters are not among them:
// agents run them with a script or with input from elsewhere.
const interactive = "vi vim nvim view nano pico emacs micro hx less more most man info top htop btop watch tmux screen " +
	"mc ranger tig lazygit gitui fzf dialog whiptail"

// IsBuiltin says whether the shell runs the command by itself, and the command prints at most a line of its own.
func IsBuiltin(name string) bool { return isOneOf(name, builtins) }

// IsInteractive says whether the program draws on a terminal.
func IsInteractive(name string) bool { return isOneOf(name, interactive) }

// isOneOf says whether a word is in a list separated by blanks. A list as text takes no time when the program starts.
func isOneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// Words are the words of a command; known is how many of them, from the first, are
// literal in the line. A word that the shell expands is "".
func Words(words []*syntax.Word) (argv []string, known int) {
	argv = make([]string, len(words))
	all := true
	for i, w := range words {
		var ok bool
		argv[i], ok = Static(w.Parts)
		if all = all && ok && !globs(w); all {
			known++
		}
	}
	return argv, known
}

// globs says whether the shell could expand a word as a pattern, or to several words.
func globs(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, "*?[{~\\") {
			return true
		}
	}
	return false
}

// Static is the text of a word without expansions.
func Static(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value, ""))
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || p.Dollar {
					return "", false
				}
				b.WriteString(unescaped(lit.Value, "$`\"\\\n"))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescaped removes the backslashes that quote: all of them outside quotes (special is
// ""), within double quotes only those before a character of special.
func unescaped(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (special == "" || strings.IndexByte(special, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
