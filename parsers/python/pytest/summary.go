package pytest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/parsers/read"
	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// entry is a listed failure, in a line of the short test summary or, without a summary, in the progress.
type entry struct {
	error      bool   // the line begins with ERROR, not FAILED
	told       bool   // from the progress
	desc       string // names the subtest: "[row] (i=1)"
	text       string // node id and message
	id         string // the node id
	message    string // the text after the node id, if any
	start, end int64
	block      *block
}

// summed reads a line of the short test summary; with -rA there is one for every test. Lines of skipped tests have only
// a place, and no id.
func (run *run) summed(line string) (v verdict, e entry, ok bool) {
	if !mayList(line) {
		return v, e, false
	}
	if v, ok = cutWord(line); !ok {
		v.desc, v.ID, ok = strings.Cut(line, " SUBFAIL ") // the plugin pytest-subtests, before pytest 9
		v.Outcome, ok = read.Failed, ok && v.ID != ""
	}
	if !ok {
		return v, e, false
	}
	text := strings.TrimSuffix(lex.Headline(cutEmoji(v.ID)), " -") // a message without text
	e = entry{error: v.Outcome == read.Errored, desc: lex.Headline(v.desc), text: text}
	e.id, e.message = run.splitEntry(text)
	if v.ID = e.id; strings.HasPrefix(text, "[") {
		v.ID = ""
	}
	return v, e, true
}

// mayList is a quick check whether a line may be the summary's.
func mayList(line string) bool { return line != "" && strings.IndexByte("FESPXR[(", line[0]) >= 0 }

// cutEntry reads a failure in the summary. Further lines of a message are not recognized.
func (run *run) cutEntry(l tool.Line) (entry, bool) {
	v, e, ok := run.summed(l.Text)
	switch {
	case ok && !v.fails():
		run.told(v)
		return e, false
	case ok && v.desc != "":
		run.tests.Part(v.ID, v.ID+" "+v.desc, v.Outcome)
	}
	e.start, e.end = l.Start, l.End
	return e, ok
}

// listed takes a line of the summary.
func (run *run) listed(l tool.Line) {
	if v, ok := cutWord(l.Text); ok && v.fails() && run.full(run.entries) {
		run.spare.entries++ // beyond the limit, an entry is counted but not read
	} else if e, ok := run.cutEntry(l); ok {
		run.entries = run.kept(run.entries, e)
	}
}

// kept adds an entry, or only counts it if there are too many.
func (run *run) kept(some []entry, e entry) []entry {
	if run.full(some) {
		run.spare.entries++
		return some
	}
	return append(some, e)
}

func (run *run) full(some []entry) bool { return run.before+len(some) >= run.most }

// cutEmoji cuts off what plugins add after the outcome: "FAILED 😰  a.py::test".
func cutEmoji(text string) string {
	if c, _ := utf8.DecodeRuneInString(text); c < utf8.RuneSelf || !unicode.IsSymbol(c) {
		return text
	}
	return strings.TrimLeftFunc(text, func(c rune) bool { return c == ' ' || c >= utf8.RuneSelf && !unicode.IsLetter(c) })
}

// splitEntry ends the node id where a line of -v showed its end, else by a guess.
func (run *run) splitEntry(text string) (id, message string) {
	for end := len(text); end > 0 && len(run.failed) > 0; end = strings.LastIndex(text[:end], " - ") {
		if run.failed[text[:end]] {
			return text[:end], strings.TrimPrefix(text[end:], " - ")
		}
	}
	return splitEntry(text)
}

// splitEntry splits "nodeid - message". Since parameters may contain any text, this is a guess unless a block can be
// compared: the first " - " at which a node id can end and a message can begin.
func splitEntry(text string) (id, message string) {
	from, at := 0, strings.Index(text, " - ")
	if i := strings.Index(text, ".py::"); 0 <= at && at < i && !strings.HasSuffix(text[:at], ".py") {
		from, at = i, strings.Index(text[i:], " - ")+i // the path may contain any text, too
	}
	if at < from {
		return text, ""
	}
	if open := strings.IndexByte(text[from:at], '['); open >= 0 {
		first, raised := -1, false
		for end := from + open; !raised; {
			i := strings.Index(text[end:], "] - ")
			if i < 0 {
				break
			}
			if end += i + 1; looksRaised(text[end+3:]) || first < 0 {
				first, raised = end, looksRaised(text[end+3:])
			}
		}
		switch {
		case strings.HasSuffix(text, "]") && !raised:
			return text, ""
		case first >= 0:
			at = first
		}
	}
	return text[:at], text[at+3:]
}

// looksRaised says whether a message begins with an exception's class, as nearly all in pytest do.
func looksRaised(message string) bool {
	class := trace.ClassOf(strings.TrimSuffix(message, "..."))
	return class != "" && class[0] >= 'A' && class[0] <= 'Z' || strings.HasPrefix(message, "contains ")
}

// titleOf is the title of a node id's block: "T.test[x.y]" for "tests/a.py::T::test[x.y]".
func titleOf(id, desc string) string {
	if _, rest, ok := strings.Cut(id, "::"); ok {
		id = rest
	}
	name, param, params := strings.Cut(id, "[")
	title := strings.ReplaceAll(name, "::", ".")
	if params {
		title += "[" + param
	}
	if desc != "" {
		title += " " + desc
	}
	return title
}

// splitNodeID splits "tests/a.py::TestA::test_b[1-2]" into suite, name and parameters.
func splitNodeID(id string) (suite []string, name, params string) {
	path, rest, ok := strings.Cut(id, "::")
	if !ok {
		return nil, "", ""
	}
	if i := strings.IndexByte(rest, '['); i >= 0 && strings.HasSuffix(rest, "]") {
		rest, params = rest[:i], rest[i+1:len(rest)-1]
	}
	parts := strings.Split(rest, "::")
	return append([]string{path}, parts[:len(parts)-1]...), parts[len(parts)-1], params
}
