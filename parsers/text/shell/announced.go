package shell

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/parsers/text/lex"
)

// maxTurns bounds the turns of a loop that are gone through one by one, maxTurned those of all loops, maxSteps the
// commands in them.
const (
	maxTurns  = 32
	maxTurned = 256
	maxSteps  = 256
)

// anyName stands for what a pattern of names stands for: "for d in packages/*/" names the directories only when it runs.
const anyName = "\x00"

// turns returns the words that a loop goes through, if the line itself says them: "for d in api web". pattern is its one
// pattern of names.
func (l line) turns(loop syntax.Loop) (name string, words []string, pattern string) {
	iter, ok := loop.(*syntax.WordIter)
	if !ok || len(iter.Items) > maxTurns {
		return "", nil, ""
	}
	for _, item := range iter.Items {
		word, expands := l.word(item)
		switch {
		case expands, strings.ContainsAny(word, "{~"):
			return "", nil, ""
		case !strings.ContainsAny(word, "*?["):
			words = append(words, word)
		case len(iter.Items) > 1:
			return "", nil, ""
		default:
			pattern = word
		}
	}
	return iter.Name.Value, words, pattern
}

// announcement is the line that the command line prints before commands in one directory.
type announcement struct{ text, dir, pattern string }

// announced returns what the line prints before it changes directory:
//
//	for d in api web; do echo "== $d"; (cd $d && pytest); done
//
// It is nil if one of the commands behind the first such text runs in another directory than the text before it says, or
// one text announces two.
func (l line) announced() (list []announcement) {
	s := steps{line: l, patterns: true}
	s.list(l.stmts, false, true)
	said, last := "", ""
	for _, st := range s.found {
		text, printed := printedText(st)
		switch {
		case st.Opaque:
			return nil
		case printed:
			said = text
		case isPrelude(st.Argv[0]) || lex.IsOneOf(st.Argv[0], silent):
		case said != "":
			if slices.ContainsFunc(list, func(a announcement) bool { return a.text == said && a.dir != st.Dir }) {
				return nil
			}
			list = append(list, announcement{said, st.Dir, s.pattern})
			last, said = st.Dir, ""
		case len(list) > 0 && st.Dir != last:
			return nil
		}
	}
	return list
}

// dirOf returns the directory that a line of the output announces.
func (a announcement) dirOf(line []byte) (dir string, ok bool) {
	before, after, some := strings.Cut(a.text, anyName)
	if !some {
		return a.dir, string(line) == a.text
	}
	if len(line) <= len(before)+len(after) || !bytes.HasPrefix(line, []byte(before)) || !bytes.HasSuffix(line, []byte(after)) {
		return "", false
	}
	name := string(line[len(before) : len(line)-len(after)])
	ok, _ = path.Match(a.pattern, name)
	return path.Clean(strings.ReplaceAll(a.dir, anyName, name)), ok
}

// silent are builtins that print nothing.
const silent = "[ test true false exit return break continue wait"

// printedText is the line that echo or printf prints, without blanks around it; "" if only the shell knows it. ok reports
// whether the step is one of them.
func printedText(st Step) (text string, ok bool) {
	if st.Opaque || len(st.Argv) == 0 {
		return "", false
	}
	args := st.Argv[1:]
	switch {
	case st.Argv[0] == "echo":
		for len(args) > 0 && (args[0] == "-e" || args[0] == "-n") {
			args = args[1:]
		}
		text = strings.Join(args, " ")
	case st.Argv[0] == "printf" && len(args) > 0:
		text = args[0]
		for _, a := range args[1:] {
			text = strings.Replace(text, "%s", a, 1)
		}
	default:
		return "", false
	}
	if Expanded(text) {
		return "", true
	}
	return strings.TrimSpace(strings.ReplaceAll(text, `\n`, " ")), true
}
