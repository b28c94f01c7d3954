package pytest

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// --tb=line prints the reports of failures one after the other without rules between them, in the order of the summary:
// the text, captured output, and a line that closes the report. That line is "path:line: message" for an exception. For
// other reports (a strict xpass, a doctest) the closing lines repeat the first characters of the text. Before version 8
// only the closing lines are printed; for pytest.fail(pytrace=False) it is "None".

// maxEcho is how much of a report's text pytest repeats, in characters.
const maxEcho = 50

// echo detects where a report's text is repeated.
type echo struct {
	said  []string // lines of the first maxEcho characters
	runes int      // characters in said, with the line ends
	again int      // how many lines of said were repeated
}

// line takes the next line of a report. It says whether the line repeats the text, and whether the report ends there.
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

// lineBody takes a line of the reports.
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

// closesAlone says whether the report is no exception and consists only of the line that closes it, so that next
// belongs to the following report.
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

// lineReport takes a line of a report, and says whether the report ends there.
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

// crashLine takes the line that closes the report of an exception.
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

// toldIn says whether a closing line's message repeats the beginning of the report.
func (b *block) toldIn(message string) bool {
	if b.err.set && (strings.Contains(message, b.err.first) || b.inGroup && strings.Contains(message, " [single exception in ")) {
		return true
	}
	return b.plain != "" && strings.Contains(message, b.plain) || !b.err.set && b.plain == ""
}

// matchLines pairs the reports of --tb=line with the summary lines: in order if their numbers are equal, else by
// messages. Some of either may have no counterpart, since a test may print text that looks like them. Between two
// pairs, equally many lines and reports are paired in order.
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

// matchOrder pairs lines and reports in order if their numbers are equal and no message contradicts. An entry that ends
// in a bracket may have no message: see splitEntry.
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

// tellingMessage is how many bytes of a message are enough to recognize it.
const tellingMessage = 15

// nextPair finds the next line and report with the same message, skipping as few lines and reports as possible.
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

// take pairs a summary line with its report, whose message shows where the id ends.
func (e *entry) take(b *block) {
	e.block, b.listed = b, true
	if end := e.cutMessage(b.said()); end >= 0 {
		e.id, e.message = e.text[:end], strings.TrimPrefix(e.text[end:], " - ")
	} else if strings.HasSuffix(e.text, "]") {
		e.id, e.message = e.text, ""
	}
}

// said is the text of a report that the summary repeats.
func (b *block) said() string { return strings.TrimSpace(cmp.Or(b.crash, b.plain)) }

// cutMessage returns where the id ends in a line whose message is known, although the line may have only the beginning
// of the message; -1 if the line does not end with it. The id is at least as long as without parameters.
func (e *entry) cutMessage(message string) (end int) {
	for end = 0; message != ""; end += len(" - ") {
		i := strings.Index(e.text[end:], " - ")
		if i < 0 {
			break
		}
		end += i
		said := strings.TrimLeft(e.text[end+len(" - "):], " ") // a SyntaxError's message is indented
		if said == message || strings.HasSuffix(said, "...") && strings.HasPrefix(message, strings.TrimRight(said[:len(said)-3], " ")) {
			return end
		}
	}
	return -1
}

// testPrints tells what a test prints with -s: warnings at the start, and the notes of xdist, are pytest's own.
func testPrints(l tool.Line, after bool) bool {
	return l.Stream == tool.Stdout && l.Text != "bringing up nodes..." && read.NoMarks(".FEsxX")(l, after)
}
