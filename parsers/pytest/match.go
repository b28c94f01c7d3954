package pytest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/parsers/read/trace"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// pytestEntry is a line of the short test summary that says what failed.
type pytestEntry struct {
	error      bool   // ERROR, not FAILED
	desc       string // of a subtest: "[row] (i=1)"
	text       string // node id and message
	id         string // the node id
	message    string // what follows it, if anything
	start, end int64
	block      *pytestBlock
}

// summaryLine reads a line of the short test summary. A message that goes on
// over several lines looks like nothing here.
func (run *pytestRun) summaryLine(l tool.Line) {
	word, rest, ok := strings.Cut(l.Text, " ")
	e := pytestEntry{start: l.Start, end: l.End, text: rest}
	switch {
	case ok && word == "FAILED":
	case ok && word == "ERROR":
		e.error = true
	case strings.HasPrefix(l.Text, "SUBFAILED"):
		e.desc, e.text = cutSubtest(l.Text[len("SUBFAILED"):])
	case strings.Contains(l.Text, " SUBFAIL "): // the plugin, before pytest 9
		e.desc, e.text, _ = strings.Cut(l.Text, " SUBFAIL ")
	default:
		return
	}
	if e.text == "" {
		return
	}
	if run.before+len(run.entries) >= tool.MaxFindings {
		run.spare.entries++
		return
	}
	e.text, e.desc = lex.Headline(cutEmoji(e.text)), lex.Headline(e.desc)
	e.id, e.message = run.splitEntry(e.text)
	run.entries = append(run.entries, e)
}

// cutEmoji takes off what plugins put behind the word: "FAILED 😰  a.py::test".
func cutEmoji(text string) string {
	if c, _ := utf8.DecodeRuneInString(text); c < utf8.RuneSelf || !unicode.IsSymbol(c) {
		return text
	}
	return strings.TrimLeftFunc(text, func(c rune) bool { return c == ' ' || c >= utf8.RuneSelf && !unicode.IsLetter(c) })
}

// cutSubtest takes the description off "[row] (i=1) tests/a.py::test - x".
// Where it ends is known by the path that follows.
func cutSubtest(s string) (desc, rest string) {
	s = strings.TrimLeft(s, " ")
	end := strings.Index(s, "::")
	if end < 0 {
		return "", s
	}
	for at := strings.LastIndexByte(s[:end], ' '); at > 0; at = strings.LastIndexByte(s[:at], ' ') {
		if c := s[at-1]; c == ']' || c == ')' || c == '>' {
			return s[:at], s[at+1:]
		}
	}
	if at := strings.LastIndexByte(s[:end], ' '); at >= 0 {
		return s[:max(at, 0)], s[at+1:]
	}
	return "", s
}

// splitEntry ends the node id where a verbose line has told it, else by a guess.
func (run *pytestRun) splitEntry(text string) (id, message string) {
	for end := len(text); end > 0 && len(run.failed) > 0; end = strings.LastIndex(text[:end], " - ") {
		if run.failed[text[:end]] {
			return text[:end], strings.TrimPrefix(text[end:], " - ")
		}
	}
	return splitEntry(text)
}

// splitEntry divides "nodeid - message". Parameters hold anything, so that
// without a block to compare with this is a guess: at the first " - " that a
// node id can end at and a message can follow.
func splitEntry(text string) (id, message string) {
	from := endOfPath(text)
	open := strings.IndexByte(text[from:], '[')
	dash := strings.Index(text[from:], " - ")
	switch {
	case dash < 0:
		return text, ""
	case open < 0 || dash < open:
		return text[:from+dash], text[from+dash+3:]
	}
	first := -1
	for end := from + open; ; {
		i := strings.Index(text[end:], "] - ")
		if i < 0 {
			break
		}
		end += i + 1
		if looksRaised(text[end+3:]) {
			return text[:end], text[end+3:]
		}
		if first < 0 {
			first = end
		}
	}
	switch {
	case strings.HasSuffix(text, "]"):
		return text, ""
	case first >= 0:
		return text[:first], text[first+3:]
	}
	return text[:from+dash], text[from+dash+3:]
}

// endOfPath is where the node id may end at the earliest: behind the path, which
// may hold anything too.
func endOfPath(text string) int {
	dash := strings.Index(text, " - ")
	if i := strings.Index(text, ".py::"); i >= 0 && dash >= 0 && dash < i && !strings.HasSuffix(text[:dash], ".py") {
		return i
	}
	return 0
}

// looksRaised: an exception, as pytest begins the messages of nearly all.
func looksRaised(message string) bool {
	if strings.HasPrefix(message, "assert ") {
		return true
	}
	class := trace.ClassOf(strings.TrimSuffix(message, "..."))
	return class != "" && class[0] >= 'A' && class[0] <= 'Z' || strings.HasPrefix(message, "contains ")
}

// titleOf is the title of the block for a node id: "tests/a.py::T::test[x.y]"
// has the block "T.test[x.y]".
func titleOf(id, desc string) string {
	_, rest, ok := strings.Cut(id, "::")
	if !ok {
		rest = id
	}
	name, param := rest, ""
	if i := strings.IndexByte(rest, '['); i >= 0 {
		name, param = rest[:i], rest[i:]
	}
	title := strings.ReplaceAll(name, "::", ".") + param
	if desc != "" {
		title += " " + desc
	}
	return title
}

// pairReports gives every summary line its block. Both list the same reports in the
// same order; a name decides where there are more of one than of the other.
func pairReports(entries []*pytestEntry, blocks []*pytestBlock) {
	byTitle := map[string][]*pytestBlock{}
	for _, b := range blocks {
		key := b.key()
		byTitle[key] = append(byTitle[key], b)
	}
	taken := map[*pytestBlock]bool{}
	for _, e := range entries {
		e.match(byTitle, taken)
	}
	matchLines(entries, blocks, taken)
	matchRest(entries, blocks, taken)
}

// key is what a summary line is looked up by.
func (b *pytestBlock) key() string {
	if b.worker != "" {
		return b.worker
	}
	return strings.TrimPrefix(b.name, "[doctest] ")
}

// match tries every place where the node id may end. The longest id that has a
// block is meant: "test[] - k] - x" may be test[] with the message "k] - x", but
// not where there is a block test[] - k].
func (e *pytestEntry) match(byTitle map[string][]*pytestBlock, taken map[*pytestBlock]bool) {
	for end := len(e.text); end >= 0; end = strings.LastIndex(e.text[:end], " - ") {
		id := e.text[:end]
		for _, key := range [...]string{titleOf(id, e.desc), id} {
			for i, b := range byTitle[key] {
				if taken[b] {
					continue
				}
				byTitle[key] = byTitle[key][i+1:]
				taken[b] = true
				e.block, e.id, e.message = b, id, strings.TrimPrefix(e.text[end:], " - ")
				return
			}
		}
	}
}

// matchRest pairs what is left in order when it is as many of each: names that
// pytest shortens or a plugin invents.
func matchRest(entries []*pytestEntry, blocks []*pytestBlock, taken map[*pytestBlock]bool) {
	var left []*pytestEntry
	var free []*pytestBlock
	for _, e := range entries {
		if e.block == nil {
			left = append(left, e)
		}
	}
	for _, b := range blocks {
		if !taken[b] && !b.tainted && !b.line {
			free = append(free, b)
		}
	}
	if len(left) != len(free) {
		return
	}
	for i, e := range left {
		e.block = free[i]
	}
}
