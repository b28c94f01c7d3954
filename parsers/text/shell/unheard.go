package shell

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// unheardAt says whether a command that ends before words[i] may fail although
// the line exits 0: a pipe without pipefail follows it, "||", or ";" and
// another command where no "set -e" came before. What follows in deeper
// parentheses runs after it and hides nothing.
func unheardAt(words []word, i int) bool {
	depth, lowest, piped := 0, 0, true
	strict, pipefail := settings(words[:i])
	for ; i < len(words); i++ {
		w := words[i]
		switch depth += nesting(w); {
		case w.operator == ")" || w.is("}") || w.is("fi"):
			if depth < lowest {
				lowest, piped = depth, true // the whole of the group may be piped
			}
		case depth > lowest:
		case w.operator == "|" || w.operator == "|&":
			if piped && !pipefail {
				return true
			}
		case w.operator == "||" || w.is("done"):
			return true
		case w.operator == "&&":
			piped = false
		case w.operator == ";" || w.operator == "\n" || w.operator == "&":
			piped = false
			if w.operator == "&" || !strict && hasCommand(words[i+1:]) {
				return true
			}
		}
	}
	return false
}

// nesting is by how much a word changes the depth of parentheses and groups.
func nesting(w word) int {
	switch {
	case w.operator == "(", w.is("{"), w.is("if"):
		return 1
	case w.operator == ")", w.is("}"), w.is("fi"):
		return -1
	}
	return 0
}

// hasCommand: another command follows in the same list, and no end of a group.
func hasCommand(words []word) bool {
	for _, w := range words {
		switch {
		case w.operator == ";" || w.operator == "\n":
		case w.operator == ")", w.is("}"), w.is("fi"):
			return false
		default:
			return true
		}
	}
	return false
}

// settings are what "set" has switched on: an end at the first failure, and
// that a pipe fails with any of its commands.
func settings(words []word) (strict, pipefail bool) {
	for i, w := range words {
		if !w.is("set") {
			continue
		}
		for _, o := range words[i+1:] {
			if o.operator != "" {
				break
			}
			pipefail = pipefail || o.is("pipefail")
			strict = strict || o.is("errexit") || len(o.Text) > 1 && o.Text[0] == '-' && slices.Contains([]byte(o.Text), 'e')
		}
	}
	return strict, pipefail
}

// cutShort: what stands behind words[i] shows the output of the command before
// it from its beginning or its end, and does nothing else. endShown: the end is there.
func cutShort(words []word, i int) (cut, endShown bool) {
	if i >= len(words) || words[i].operator != "|" && words[i].operator != "|&" {
		return false, false
	}
	endShown = true
	for ; i < len(words); i++ {
		switch op := words[i].operator; {
		case op == "|" || op == "|&":
			if i+1 == len(words) || !lex.IsOneOf(words[i+1].Text, passing+" head") {
				return false, false
			}
			some := words[i+1].is("head") || words[i+1].is("sed") && i+2 < len(words) && words[i+2].is("-n") // sed -n 1,20p
			endShown = endShown && !some
		case op != "" && !isRedirection(op):
			return false, false
		}
	}
	return true, endShown
}

// EndCut says whether the line itself leaves out the end of what it prints.
func (c Command) EndCut() bool {
	return slices.ContainsFunc(c.Listed, func(l Command) bool { return l.cutShort && !l.endShown })
}

// EndShown says whether that part is the end.
func (c Command) EndShown(matches func(argv []string) bool) bool {
	return matches != nil && slices.ContainsFunc(c.Listed, func(l Command) bool { return l.endShown && matches(l.Argv) })
}

// copies are programs that print what another one wrote: their output tells of no
// run of their own.
const copies = passing + " head grep egrep fgrep rg awk sort uniq jq cut zcat bat xxd strings echo printf"

// PrintsOwn: the command is none of those that only print what another one wrote.
func PrintsOwn(argv []string) bool { return len(argv) > 0 && !lex.IsOneOf(argv[0], copies) }

// searchers are programs that print lines of files with their places.
const searchers = "grep egrep fgrep zgrep rg ag ack"

// Searches says whether a command line does nothing but search texts.
func (c Command) Searches() bool {
	if len(c.Listed) == 0 {
		return lex.IsOneOf(c.Program(), searchers)
	}
	return !c.Opaque && !slices.ContainsFunc(c.Listed, func(l Command) bool { return !lex.IsOneOf(l.Program(), searchers+" head tail") })
}

// Picked says whether a search picks single lines of what a tool prints that matches:
// "pytest -q | grep -E 'FAILED|^E '".
func (c Command) Picked(matches func(argv []string) bool) bool {
	seen := false
	for _, l := range c.Listed {
		if seen && lex.IsOneOf(l.Program(), searchers) {
			return true
		}
		seen = seen || matches != nil && len(l.Argv) > 0 && matches(l.Argv)
	}
	return false
}

// Unheard says whether the exit code 0 of a command line is another command's
// than that of a tool which matches, so that the tool may have failed. A tool
// that the line does not name may have been started by any of its commands.
func (c Command) Unheard(matches func(argv []string) bool) bool {
	if c.Opaque {
		return true
	}
	named := slices.DeleteFunc(slices.Clone(c.Listed), func(l Command) bool {
		return matches == nil || len(l.Argv) == 0 || !matches(l.Argv)
	})
	if len(named) == 0 {
		named = slices.DeleteFunc(slices.Clone(c.Listed), func(l Command) bool { return lex.IsOneOf(l.Program(), copies) })
	}
	return slices.ContainsFunc(named, func(l Command) bool { return l.unheard })
}

// EndsElsewhere says whether a command line goes on behind the last command that
// matches, so that the line's exit code may be that of what comes after it.
func (c Command) EndsElsewhere(matches func(argv []string) bool) bool {
	seen, later := false, false
	for _, l := range c.Listed {
		switch {
		case matches != nil && len(l.Argv) > 0 && matches(l.Argv):
			seen, later = true, false
		case !lex.IsOneOf(l.Program(), copies):
			later = true
		}
	}
	return seen && later
}

// Shortened says whether the line shows only a part of what a command prints that
// matches: its beginning, its end, or lines that a search picks.
func (c Command) Shortened(matches func(argv []string) bool) bool {
	return matches != nil && c.shortened(func(l Command) bool { return len(l.Argv) > 0 && matches(l.Argv) })
}

// ShortenedOwn is Shortened of a program or a script of the project's own.
func (c Command) ShortenedOwn() bool { return c.shortened(func(l Command) bool { return l.local }) }

func (c Command) shortened(is func(l Command) bool) bool {
	seen := false
	for _, l := range c.Listed {
		if seen && lex.IsOneOf(l.Program(), searchers) || l.cutShort && is(l) {
			return true
		}
		seen = seen || is(l)
	}
	return false
}

// EndsTimed says whether the exit code is that of a command which timeout(1) ends.
func (c Command) EndsTimed() bool {
	n := len(c.Listed)
	return c.Timed || n > 0 && c.Listed[n-1].Timed
}

// isLocal: argv runs a file of the project's, as "./ci.sh", "build/tests" and "bash ci.sh" do.
func isLocal(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	name := argv[0]
	if len(argv) > 1 && IsShellName(name+": ") {
		name = argv[1]
	}
	return strings.HasSuffix(name, ".sh") || strings.Contains(name, "/") && !strings.HasPrefix(name, "/")
}
