package shell

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// listedCommands are the commands of a line, in order, each with the directory
// that "cd" before it in the same shell leads to.
func listedCommands(words []word) (list []Command) {
	steps := stepsOf(words)
	for i, st := range steps {
		if !st.Opaque && !isPrelude(st.Argv[0]) {
			c := Unwrap(st.Argv, "")
			c.Dir, c.unheard, c.cutShort, c.endShown = JoinDir(st.Dir, c.Dir), st.unheard, st.cutShort, st.endShown
			if shown, cut := shownLater(st, steps[i+1:]); shown {
				c.cutShort, c.endShown = true, !cut
			}
			list = append(list, c)
		}
	}
	return list
}

// shownLater says whether a later command shows the file to which this one writes what it
// prints: "mix test > log; tail -5 log". headed: its beginning only.
func shownLater(st Step, later []Step) (shown, headed bool) {
	for i := 0; i+1 < len(st.Redirects); i += 2 {
		op, file := strings.TrimPrefix(st.Redirects[i].Redirect, "1"), st.Redirects[i+1].Text
		if !lex.IsOneOf(op, "> >> >| &> &>>") {
			continue
		}
		for _, l := range later {
			if len(l.Argv) > 1 && lex.IsOneOf(l.Argv[0], passing+" head") && slices.Contains(l.Argv[1:], file) {
				return true, l.Argv[0] == "head"
			}
		}
	}
	return false, false
}

func isRedirection(operator string) bool {
	return strings.HasPrefix(operator, ">") || strings.HasPrefix(operator, "<") || strings.HasPrefix(operator, "&>")
}

// isPrelude: a builtin that prepares the shell for what follows.
func isPrelude(program string) bool {
	return lex.IsOneOf(program, "cd pushd export set shopt source . unset ulimit umask trap :")
}

// prepares: a stage is a prelude, or assigns variables and no more.
func prepares(stage []word) bool {
	return isPrelude(stage[0].Text) || !slices.ContainsFunc(stage, func(w word) bool { return !lex.IsAssignment(w.Text) })
}

func cdTarget(argv []string) string {
	for _, a := range argv[1:] {
		if a != "--" && a != "-P" && a != "-L" {
			return a
		}
	}
	return "~"
}

// cutPrelude takes off what a line does before its one command: "cd api &&",
// ". venv/bin/activate &&", "set -e;". The exit code of a line that gets no
// further is rarely anything but 1 or 2, and its text says why.
func cutPrelude(words []word) (rest []word, dir string, pipefail bool) {
	for {
		i := slices.IndexFunc(words, func(w word) bool { return w.operator != "" && !isRedirection(w.operator) })
		if i < 1 || i+1 >= len(words) || words[i].operator != "&&" && words[i].operator != ";" && words[i].operator != "\n" || !prepares(words[:i]) {
			return words, dir, pipefail
		}
		stage := words[:i]
		if stage[0].is("cd") || stage[0].is("pushd") {
			var argv []string
			for _, w := range stage {
				argv = append(argv, w.Text)
			}
			target := cdTarget(argv)
			if target == "-" || Expanded(target) {
				return words, dir, pipefail
			}
			dir = JoinDir(dir, target)
		}
		pipefail = pipefail || stage[0].is("set") && slices.ContainsFunc(stage, func(w word) bool { return w.is("pipefail") })
		words = words[i+1:]
	}
}

// preludeOf are the words that cutPrelude takes off.
func preludeOf(words []word) (prelude []string) {
	rest, _, _ := cutPrelude(words)
	for _, w := range words[:len(words)-len(rest)] {
		if w.operator == "" {
			prelude = append(prelude, w.Text)
		}
	}
	return prelude
}

// passing are programs that copy what they read and do not fail.
const passing = "tee cat tail sed tr ts nl fold less more"

// cutFilters takes the filters off a pipeline of which the shell reports any
// failure.
func cutFilters(words []word) []word {
	for {
		i := len(words) - 1
		for i >= 0 && words[i].operator != "|" && words[i].operator != "|&" {
			if op := words[i].operator; op != "" && !isRedirection(op) {
				return words
			}
			i--
		}
		if i < 1 || i+1 >= len(words) || !lex.IsOneOf(words[i+1].Text, passing) {
			return words
		}
		words = words[:i]
	}
}
