package shell

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// EndCut says whether the line itself leaves out the end of what it prints.
func (c Command) EndCut() bool {
	return slices.ContainsFunc(c.Listed, func(l Command) bool { return l.cutShort && !l.endShown })
}

// EndShown says whether that part is the end.
func (c Command) EndShown(matches func(argv []string) bool) bool {
	return matches != nil && slices.ContainsFunc(c.Listed, func(l Command) bool { return l.endShown && matches(l.Argv) })
}

// copies are programs that print what another one wrote: their output says nothing of a
// run of their own.
const copies = passing + " head grep egrep fgrep rg awk sort uniq jq cut zcat bat xxd strings echo printf"

// PrintsOwn: the command is not one of those that only print what another one wrote.
func PrintsOwn(argv []string) bool { return len(argv) > 0 && !lex.IsOneOf(argv[0], copies) }

// differs are programs that print how files differ: that is what they are run for, and no trouble.
const differs = "diff diff3 cmp sdiff wdiff colordiff patch interdiff git hg svn bzr fossil jj"

// ShowsDifferences says whether a command line runs a program that is run to print
// differences, or to print what is in files.
func ShowsDifferences(c Command) bool {
	shows := func(c Command) bool { return !PrintsOwn(c.Argv) || lex.IsOneOf(c.Program(), differs) }
	return shows(c) && len(c.Listed) == 0 || slices.ContainsFunc(c.Listed, shows)
}

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
