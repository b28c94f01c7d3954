package pytest

import (
	"cmp"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// --tb=line prints the reports of what failed one behind the other, without
// rules between them, in the order of the summary: the text, what was captured,
// and a line that closes it. That line is "path:line: message" of the exception.
// A report that is no exception (a strict xpass, a doctest) is closed by the
// first characters of its text, said again. Before version 8 there are only the
// closing lines; "None" is that of pytest.fail(pytrace=False).

// maxEcho is how much of a report's text pytest repeats, in characters.
const maxEcho = 50

// echo waits for the text to begin again.
type echo struct {
	said  []string // lines of the first maxEcho characters
	runes int      // of said, with the line ends between them
	again int      // how many of said were repeated
}

// line takes the next line of a report: whether it repeats the text, and
// whether that ends the report.
func (e *echo) line(line string) (repeats, over bool) {
	if n := len(e.said); n > 0 && line == e.said[e.again] && (e.again > 0 || n > 1 || line != "") {
		e.again++
		return true, e.again == n
	}
	e.again = 0
	if left := maxEcho - e.runes; left > 0 {
		runes := []rune(line)
		e.runes += len(runes) + 1
		e.said = append(e.said, string(runes[:min(left, len(runes))]))
	}
	return false, false
}

// lineBlock begins a report.
func (run *run) lineBlock(l tool.Line, r *reader) *block {
	b := newBlock("", run.section, l.Start, r.files)
	b.line, b.tainted = true, run.tainted
	return b
}

// lineBody reads a line of the reports.
func (run *run) lineBody(l tool.Line, r *reader) {
	b := run.block
	if b.closesAlone(l.Text, run.bare) {
		b.end, b.crashed = l.Start, true
		run.keep(b)
		b = run.lineBlock(l, r)
		run.block = b
	}
	fresh := !b.echoes && !b.remote && !run.captured
	if b.lineReport(l.Text, run.captured, &r.budget) {
		run.bare = run.bare || fresh
		b.end = max(b.end, l.End)
		run.captured, run.block = false, nil
		run.keep(b)
	}
}

// closesAlone says that the report, which is no exception, was a single line
// that closed it: the next one is of another.
func (b *block) closesAlone(next string, bare bool) bool {
	if b.plain == "" || b.err.set || b.output.Size > 0 || b.doctest && b.echo.again > 0 {
		return false
	}
	if bare && !b.doctest {
		return true
	}
	at, rest, ok := place.CutPlace(next)
	return ok && result.IsAbsolute(at.Path) && !strings.Contains(rest, b.plain) && !isDoctestClass(rest)
}

// lineReport reads a line of a report of --tb=line, and says whether the report
// ends with it.
func (b *block) lineReport(line string, captured bool, room *int) (over bool) {
	switch {
	case b.crashLine(line):
		return true
	case captured:
		b.output.Add(line, room)
		return false
	case !b.echoes && isWorkerLine(line):
		b.remote = true
		return false
	case !b.echoes:
		b.echoes = true
		b.excepts = lex.HasAnyPrefix(line, "E  ", "  + ", "Traceback (")
	}
	if !b.excepts {
		repeats, over := b.echo.line(line)
		if repeats {
			b.crashed = over
			return over
		}
	}
	b.body(line, room)
	return false
}

// crashLine reads the line that closes the report of an exception.
func (b *block) crashLine(line string) bool {
	at, rest, ok := place.CutPlace(line)
	generated := ok && at.Path[0] == '<'
	if !ok || !result.IsAbsolute(at.Path) && !generated {
		return false
	}
	e := &b.err
	rest = strings.TrimSpace(rest)
	if generated && rest != e.first && b.echoes || !b.toldIn(rest) || b.doctest {
		return false
	}
	if !e.set || b.plain != "" && !strings.Contains(rest, e.first) {
		e.set, e.message = true, lex.Headline(rest)
	}
	e.frames = append(e.frames[:0], at)
	b.crash, b.crashed = lex.Headline(rest), true
	return true
}

// toldIn says that a closing line says what the report began with.
func (b *block) toldIn(message string) bool {
	if b.err.set && (strings.Contains(message, b.err.first) || b.inGroup && strings.Contains(message, " [single exception in ")) {
		return true
	}
	return b.plain != "" && strings.Contains(message, b.plain) || !b.err.set && b.plain == ""
}

// matchLines gives the reports of --tb=line to the summary lines: in their order where
// they are as many, else by the messages that they begin with, where some of either have
// no counterpart: what was printed may look like both. What lies between two pairs is
// paired in its order where it is as many of each.
func matchLines(entries []*entry, blocks []*block) {
	if matchOrder(entries, blocks) {
		return
	}
	between, at := 0, 0 // where the lines since the last pair begin
	for len(blocks) > 0 && at < len(entries) {
		i, j, ok := nextPair(entries[at:], blocks)
		if !ok {
			at++
			continue
		}
		matchOrder(entries[between:at+i], blocks[:j])
		entries[at+i].take(blocks[j])
		at += i + 1
		between, blocks = at, blocks[j+1:]
	}
	matchOrder(entries[between:], blocks)
}

// matchOrder pairs lines and reports in their order where they are as many, and no
// message contradicts. What ends in a bracket may have none: see splitEntry.
func matchOrder(entries []*entry, blocks []*block) bool {
	if len(entries) != len(blocks) {
		return false
	}
	for i, e := range entries {
		if e.message != "" && blocks[i].crash != "" && !strings.HasSuffix(e.text, "]") && e.cutMessage(blocks[i].crash) < 0 {
			return false
		}
	}
	for i, e := range entries {
		e.take(blocks[i])
	}
	return true
}

// tellingMessage is how many bytes of a message are enough to know it by.
const tellingMessage = 15

// nextPair is the nearest line and report that say the same, skipping as few as
// possible of both together.
func nextPair(entries []*entry, blocks []*block) (i, j int, ok bool) {
	const far = 64
	for skipped := range far {
		for i := range min(skipped+1, len(entries)) {
			if j := skipped - i; j < len(blocks) {
				said := blocks[j].said()
				if end := entries[i].cutMessage(said); end >= 0 && len(entries[i].text)-end >= min(len(said), tellingMessage) {
					return i, j, true
				}
			}
		}
	}
	return 0, 0, false
}

// take pairs a line with its report, whose message says where the id ends.
func (e *entry) take(b *block) {
	e.block, b.listed = b, true
	if end := e.cutMessage(b.said()); end >= 0 {
		e.id, e.message = e.text[:end], strings.TrimPrefix(e.text[end:], " - ")
	} else if strings.HasSuffix(e.text, "]") {
		e.id, e.message = e.text, ""
	}
}

// said is what the summary repeats of a report of --tb=line.
func (b *block) said() string { return strings.TrimSpace(cmp.Or(b.crash, b.plain)) }

// cutMessage is where the id ends before a message that is known, or as much of it as
// there was room for; -1 where the line does not end so. The id is at least as long as
// it would be without parameters.
func (e *entry) cutMessage(message string) (end int) {
	for end = 0; message != ""; end += len(" - ") {
		i := strings.Index(e.text[end:], " - ")
		if i < 0 {
			break
		}
		end += i
		said := strings.TrimLeft(e.text[end+len(" - "):], " ") // a SyntaxError's is indented
		if said == message || strings.HasSuffix(said, "...") && strings.HasPrefix(message, strings.TrimRight(said[:len(said)-3], " ")) {
			return end
		}
	}
	return -1
}
