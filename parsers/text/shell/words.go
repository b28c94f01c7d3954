package shell

import (
	"strings"

	"cairn/parsers/text/lex"
)

// simpleCommand reads a shell command line that runs one simple command whose
// exit status is the line's (POSIX.1-2024, Shell Command Language 2.9.1):
// words with quotes, redirections, and what prepares the shell ("cd DIR &&") in
// front; behind "set -o pipefail" also filters that do not fail. Anything with
// another operator, or whose program is an expansion, is the shell's own and
// gives ok=false.
func simpleCommand(line string) (argv []string, ok bool) {
	words, ok := ShellWords(line)
	if !ok {
		return nil, false
	}
	argv, _, ok = SimpleWords(words)
	return argv, ok
}

// SimpleWords is simpleCommand for a line in words; dir is where it changes to.
func SimpleWords(words []word) (argv []string, dir string, ok bool) {
	words, dir, pipefail := cutPrelude(words)
	if pipefail {
		words = cutFilters(words)
	}
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case isRedirection(w.operator):
			i++ // its target
		case w.operator == ";" && i == len(words)-1:
		case w.operator != "":
			return nil, "", false
		case len(argv) == 0 && lex.IsAssignment(w.Text):
		case len(argv) == 0 && (w.expands || isReserved(w.Text)): // "!" turns the exit status round
			return nil, "", false
		default:
			argv = append(argv, w.Text)
		}
	}
	return argv, dir, len(argv) > 0
}

// word is a word or an operator of a command line. redirect is a redirection
// as it stands there, with its file descriptor: "2>>".
type word struct {
	Text, operator, Redirect string
	expands                  bool // the shell puts something else in place of a part of it
}

func (w word) is(text string) bool { return w.operator == "" && w.Text == text }

// isReserved: a word that is no program, where a program is expected. What it
// opens may be a loop, or one branch of several.
func isReserved(w string) bool {
	return lex.IsOneOf(w, "! { } if then elif else fi for while until do done case esac select function [[")
}

// ShellWords splits a line; ok is false where its quotes do not match, or a redirection
// has no target. So every redirection in words has a word behind it.
func ShellWords(line string) (words []word, ok bool) {
	line = strings.TrimSpace(line)
	for line != "" && line[0] != '#' {
		var w word
		if op := operator(line); op != "" {
			w, line = word{operator: op, Redirect: op}, line[len(op):]
			if strings.HasPrefix(strings.TrimLeft(op, "0123456789"), ">&") || strings.HasPrefix(strings.TrimLeft(op, "0123456789"), "<&") {
				w.operator = ">"
			}
		} else if w, line, ok = shellWord(line); !ok {
			return nil, false
		}
		if w.operator != "" {
			w.operator = strings.TrimLeft(w.operator, "0123456789")
		}
		if lacksTarget(words) && w.operator != "" {
			return nil, false
		}
		words = append(words, w)
		line = strings.TrimLeft(line, " \t")
		for strings.HasPrefix(line, "\\\n") { // the line goes on
			line = strings.TrimLeft(line[2:], " \t")
		}
	}
	return words, !lacksTarget(words)
}

// lacksTarget: the last word is a redirection.
func lacksTarget(words []word) bool {
	return len(words) > 0 && isRedirection(words[len(words)-1].operator)
}

// operator is the operator that a line begins with, a file descriptor in
// front of a redirection included.
func operator(line string) string {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	for _, op := range []string{"&>>", "&>", ">>", ">&", "<&", ">|", "<<<", "<<", ">", "<"} {
		if strings.HasPrefix(rest, op) {
			return line[:digits+len(op)]
		}
	}
	for _, op := range []string{"&&", "||", "|&", "|", "&", ";", "(", ")", "\n"} {
		if strings.HasPrefix(line, op) {
			return op
		}
	}
	return ""
}
