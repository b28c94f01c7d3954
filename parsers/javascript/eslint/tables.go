package eslint

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintTable reads the formats that print a table for each file: its path, rows that begin with a position, and at
// the end the counts.
type eslintTable struct {
	*eslint
	row     func(text string) (eslintRow, bool)
	isPath  func(text string, blank bool) bool // reports whether a line is the path above a row; blank: the line above that line is empty
	total   func(t *eslintTable, text string) bool
	strict  bool // other linters print the same columns
	endless bool // a line above the table says that its rows are errors; the table may have no closing line
	grave   bool // the closing line says that the findings since the last one are errors
	since   int  // number of findings up to the last closing line

	path  string
	blank bool // the line above is empty, or this is the first line
	head  tool.Line
	open  *eslintRow
	line  tool.Line   // line of the open row
	tail  []tool.Line // lines below the open row: the rest of its message, or the next path
}

// eslintRow is a line of a table.
type eslintRow struct {
	at      result.Location // without its path
	isError bool
	text    string // message and rule, or the beginning of a longer message
}

// maxESLintTail is the maximum number of lines of one message.
const maxESLintTail = 200

func parseESLintTable(in *tool.Input, t eslintTable) *tool.Report {
	return readESLintTable(in, newESLint(in), t)
}

func readESLintTable(in *tool.Input, e *eslint, t eslintTable) *tool.Report {
	t.eslint, t.blank = e, true
	rep := read.Text{Line: t.read, Count: t.count, Turn: t.turn, End: func(s *read.Sink) { t.turn(s); t.end(s) }}.Parse(in)
	return t.finish(rep, t.complete())
}

func (t *eslintTable) read(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " \t")
	if row, ok := t.row(text); ok && t.begin(s, row, l) {
		return false // the finding covers this line
	}
	switch {
	case t.total(t, text):
		t.close(s, nil)
		t.raise(s)
		t.counted = l.Ended
		return true
	case t.aside(s, l):
		t.close(s, nil)
		return true
	case t.counted && strings.HasSuffix(text, eslintFixable):
		t.fixableLine(text)
		return true
	case t.open != nil && len(t.tail) < maxESLintTail:
		t.tail = append(t.tail, l)
		return false
	}
	t.close(s, nil)
	t.head = tool.Line{}
	if text != "" && t.isPath(text, t.blank) {
		t.head = l
	}
	t.blank = text == ""
	return false
}

// count replaces read for rows that end their message, once no more findings are kept.
func (t *eslintTable) count(s *read.Sink, l tool.Line) (own, known bool) {
	row, ok := t.row(strings.TrimRight(l.Text, " \t"))
	if !ok || t.path == "" || t.head.End > 0 || len(t.tail) > 0 || t.strict && (row.isOxlint() || row.isYamllint()) {
		return false, false
	}
	if _, rule := cutESLintColumn(row.text); rule == "" {
		return false, false
	}
	t.close(s, nil)
	t.counted, t.blank = false, false
	s.Tell(l, eslintSeverity(row.isError))
	return true, true
}

// begin opens a row. A row without a path above it is eslint's only if eslint was run: "| tail" cut off the path.
func (t *eslintTable) begin(s *read.Sink, row eslintRow, l tool.Line) bool {
	if t.strict && row.isOxlint() {
		t.foreign = true
		return false
	}
	if t.strict && row.isYamllint() && !t.named {
		return false
	}
	head := t.head
	t.close(s, &head)
	if head.End > 0 {
		t.path = strings.TrimSpace(head.Text)
		if at := place.LastColons(t.path); at != nil { // xo adds the position of the first problem
			t.path = at.Path
		}
		s.Cover(head)
	} else if t.path == "" && !(t.named && t.strict && endsWithESLintRule(l)) {
		return false
	}
	t.head, t.counted = tool.Line{}, t.endless && l.Ended
	row.isError = row.isError || t.endless
	t.open, t.line = &row, l
	return true
}

// close adds the problem of the open row. If another row follows, next is set to the path between the two rows, if
// any.
func (t *eslintTable) close(s *read.Sink, next *tool.Line) {
	row, tail := t.open, t.tail
	if row == nil {
		return
	}
	t.open, t.tail, t.blank = nil, t.tail[:0], false
	var gap tool.Line // between two tables
	if n := len(tail); next != nil && n > 0 && !isBlank(tail[n-1]) && t.isPath(strings.TrimRight(tail[n-1].Text, " \t"), true) {
		path := tail[n-1]
		if n > 1 && isBlank(tail[n-2]) {
			gap, *next, tail = tail[n-2], path, tail[:n-2]
		} else if result.IsAbsolute(path.Text) && (n == 1 || endsWithESLintRule(tail[n-2])) {
			*next, tail = path, tail[:n-1] // pnpm leaves out empty lines
		}
	}
	more := eslintMore(row.text, tail)
	t.problem(s, row, more)
	for len(tail) > 0 && isBlank(tail[0]) && len(more) == 0 { // between the tables
		s.Cover(tail[0])
		tail = tail[1:]
	}
	if gap.End > 0 {
		s.Cover(gap)
	}
}

// problem adds the problem of a row, with the further lines of its message.
func (t *eslintTable) problem(s *read.Sink, row *eslintRow, more []tool.Line) {
	if s.Crowded() {
		s.Tell(t.line, eslintSeverity(row.isError))
	} else {
		message, rule := cutESLintColumn(joinESLint(row.text, more))
		at := row.at
		at.Path = t.path
		s.Find(t.line, eslintProblem(rule, message, row.isError, at))
	}
	for _, l := range more {
		s.Reach(l)
	}
	s.Break()
}

// raise makes the findings since the last closing line errors, if the closing line said so.
func (t *eslintTable) raise(s *read.Sink) {
	for i := t.since; i < len(s.Findings) && t.grave; i++ {
		s.Findings[i].Severity = result.SevError
	}
	t.since, t.grave = len(s.Findings), false
}

// turn ends a stream.
func (t *eslintTable) turn(s *read.Sink) {
	t.close(s, nil)
	t.begun = t.path != ""
	t.endStream()
	t.path, t.head, t.blank = "", tool.Line{}, true
}

func isBlank(l tool.Line) bool { return strings.TrimSpace(l.Text) == "" }

// joinESLint returns a message with the lines below it.
func joinESLint(first string, more []tool.Line) string {
	for _, l := range more {
		first += "\n" + strings.TrimRight(l.Text, " \t")
	}
	return first
}

// eslintMore returns the lines of tail that continue a message: all, if the last one ends with a rule; else those up
// to the first that ends with a rule; else, since a message may have no rule, those up to an empty line.
func eslintMore(first string, tail []tool.Line) []tool.Line {
	if _, rule := cutESLintColumn(first); rule != "" || len(tail) == 0 {
		return nil
	}
	if all := trimBlank(tail); len(all) > 0 && endsWithESLintRule(all[len(all)-1]) {
		return all
	}
	for _, ends := range [...]func(l tool.Line) bool{endsWithESLintRule, isBlank} {
		for i, l := range tail {
			if ends(l) {
				return tail[:i+lex.Btoi(!isBlank(l))]
			}
		}
	}
	return tail
}

func endsWithESLintRule(l tool.Line) bool {
	_, rule := cutESLintColumn(strings.TrimRight(l.Text, " \t"))
	return rule != ""
}
