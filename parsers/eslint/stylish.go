package eslint

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintTextStarts: rows begin with their position, and are told from those of
// other linters by the severity between two blanks.
func eslintTextStarts() []string {
	starts := []string{"✖ ", read.NodeHeapStart, "The …" + eslintFormer}
	for _, stop := range eslintStops {
		starts = append(starts, stop.start)
	}
	for c := byte('0'); c <= '9'; c++ {
		starts = append(starts, string([]byte{c})+"…  error  ", string([]byte{c})+"…  warning  ")
	}
	return starts
}

func sniffESLintText(line string) bool {
	s := strings.TrimRight(line, " \t")
	if row, ok := readStylishRow(s); ok {
		return row.text != "" && !row.isYamllint() && !row.isOxlint()
	}
	if _, ok := readStylishTotal(s); ok {
		return true
	}
	t := eslintTrouble{named: true}
	return t.kind(s) != "" || read.IsNodeHeap(s)
}

// stylishRow is a line of a table.
type stylishRow struct {
	at      result.Location // without its path
	isError bool
	text    string // message and rule, or the beginning of a longer message
}

// readStylishRow reads "  12:5   error    message  rule".
func readStylishRow(s string) (row stylishRow, ok bool) {
	if s != "" && s[0] != ' ' { // as logs of a continuous integration show it
		s = place.CutAnnotation(s)
	}
	rest := strings.TrimLeft(s, " ")
	if len(s)-len(rest) < 2 {
		return row, false
	}
	spot, rest, ok := strings.Cut(rest, "  ")
	line, column, colon := strings.Cut(spot, ":")
	if !ok || !colon || !lex.IsDigits(line) || !lex.IsDigits(column) {
		return row, false
	}
	severity, text, _ := strings.Cut(strings.TrimLeft(rest, " "), "  ")
	if severity != "error" && severity != "warning" { // the message may begin with the next line
		return row, false
	}
	row.at = result.Location{Line: lex.Atoi(line), Column: lex.Atoi(column)}
	row.isError, row.text = severity == "error", strings.TrimLeft(text, " ")
	return row, true
}

// isESLintRule: a name such as "no-var" or "@scope/plugin/rule.name".
func isESLintRule(s string) bool {
	for i := range len(s) {
		c := s[i]
		if lex.Letter(c) == 0 && (c < '0' || c > '9') && strings.IndexByte("@/-_.", c) < 0 {
			return false
		}
	}
	return s != ""
}

// cutStylishRule takes the rule off, which two blanks or more separate.
func cutStylishRule(s string) (message, rule string) {
	i := strings.LastIndex(s, "  ")
	if i < 0 || !isRuleOf(s, s[i+2:]) {
		return s, ""
	}
	return strings.TrimRight(s[:i], " "), s[i+2:]
}

// stylishTotal is what the closing line says.
type stylishTotal struct{ problems, errors int }

// readStylishTotal reads "✖ 3 problems (1 error, 2 warnings)".
func readStylishTotal(s string) (t stylishTotal, ok bool) {
	rest, ok := strings.CutPrefix(s, "✖ ")
	if !ok {
		return t, false
	}
	problems, rest, _ := strings.Cut(rest, " problem")
	inner, ok := strings.CutPrefix(strings.TrimPrefix(rest, "s"), " (")
	errors, rest, two := strings.Cut(inner, " error")
	warnings, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(rest, "s"), ", "), " warning")
	if !ok || !two || !lex.IsDigits(problems) || !lex.IsDigits(errors) || !lex.IsDigits(warnings) {
		return t, false
	}
	return stylishTotal{problems: lex.Atoi(problems), errors: lex.Atoi(errors)}, true
}

// stylishReader reads the tables of one stream.
type stylishReader struct {
	run  *eslintRun
	path string

	blank     bool      // the line before is empty, or there is none
	candidate tool.Line // the line before, where it may be a path
	row       *stylishRow
	space     stylishRow // where row is
	rowLine   tool.Line
	tail      []tool.Line // since the row: what its message goes on with, or the next path

	closed   bool // a closing line was the last of what is eslint's
	problems int  // of all closing lines
	errors   int
}

// maxStylishTail bounds the lines of one message.
const maxStylishTail = 200

func parseESLintStylish(in *tool.Input) *tool.Report {
	run := newESLintRun(in)
	readers := [...]*stylishReader{{run: run, blank: true}, {run: run, blank: true}}
	for l := range in.Lines() {
		readers[l.Stream-tool.Stdout].line(l)
	}
	complete, problems, errors := true, 0, 0
	for _, r := range readers {
		r.closeRow(nil)
		complete = complete && (r.closed || r.path == "")
		problems, errors = problems+r.problems, errors+r.errors
	}
	if len(run.rep.Findings) == 0 && !run.stopped() {
		return nil // the closing line is not eslint's alone
	}
	run.counted(problems, errors)
	return run.finish(complete && problems > 0)
}

func (r *stylishReader) line(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if row, ok := readStylishRow(s); ok && r.begin(row, l) {
		return
	}
	if t, ok := readStylishTotal(s); ok {
		r.closeRow(nil)
		r.problems, r.errors, r.closed = r.problems+t.problems, r.errors+t.errors, l.Ended
		r.run.own(l)
		return
	}
	switch {
	case r.run.aside(l):
		r.closeRow(nil)
	case r.closed && strings.HasSuffix(s, " potentially fixable with the `--fix` option."):
		r.run.own(l)
		r.run.fixableLine(s)
	case r.row != nil && len(r.tail) < maxStylishTail:
		r.tail = append(r.tail, l)
		return
	case r.row != nil:
		r.closeRow(nil)
	}
	r.candidate = tool.Line{}
	if s != "" && s[0] != ' ' && (r.blank || result.IsAbsolute(s)) { // a bundler begins with a line of its own
		r.candidate = l
	}
	r.blank = s == ""
}

// fixableLine counts what --fix would do, as the last line says.
func (r *eslintRun) fixableLine(s string) {
	n := 0
	for word := range strings.FieldsSeq(s) {
		n += lex.Atoi(word)
	}
	r.fixable(n)
}

func (r *eslintRun) fixable(n int) {
	if n == 0 {
		return
	}
	before, _ := r.rep.Extra["fixable"].(int)
	r.rep.Extra = tool.WithExtra(r.rep.Extra, "fixable", before+n)
}

// begin opens a row; one that stands below no path is not eslint's.
func (r *stylishReader) begin(row stylishRow, l tool.Line) bool {
	if row.isOxlint() {
		r.run.foreign = true
		return false
	}
	if row.isYamllint() && !r.run.named {
		return false
	}
	path := r.candidate
	if r.row != nil {
		r.closeRow(&path)
	}
	if path.End > 0 {
		r.path = strings.TrimSpace(path.Text)
		r.run.own(path)
	} else if r.path == "" {
		return false
	}
	r.candidate, r.closed = tool.Line{}, false
	r.space = row
	r.row, r.rowLine = &r.space, l
	r.run.own(l)
	return true
}

// closeRow ends the message of the open row. Before another row, next is set to
// the path that stands between the two, if there is one.
func (r *stylishReader) closeRow(next *tool.Line) {
	if r.row == nil {
		return
	}
	row, tail := r.row, r.tail
	r.row, r.tail, r.blank = nil, r.tail[:0], false
	var gap tool.Line // between two tables
	if n := len(tail); next != nil && n > 1 && isBlank(tail[n-2]) && isStylishPath(tail[n-1]) {
		gap, *next, tail = tail[n-2], tail[n-1], tail[:n-2]
	} else if next != nil && n > 0 && result.IsAbsolute(tail[n-1].Text) && isStylishPath(tail[n-1]) && (n == 1 || endsWithESLintRule(tail[n-2])) {
		*next, tail = tail[n-1], tail[:n-1] // pnpm leaves out empty lines
	}
	more := stylishMore(row.text, tail)
	text, end := row.text, r.rowLine.End
	for _, l := range more {
		text += "\n" + strings.TrimRight(l.Text, " \t")
		end = max(end, l.End)
		r.run.own(l)
	}
	for len(tail) > 0 && isBlank(tail[0]) && len(more) == 0 { // between the tables
		r.run.own(tail[0])
		tail = tail[1:]
	}
	message, rule := text, ""
	if len(r.run.rep.Findings) < tool.MaxFindings { // else it is only counted
		message, rule = cutStylishRule(text)
	}
	at := row.at
	at.Path = r.path
	r.run.problem(rule, message, row.isError, at, r.rowLine, end)
	if gap.End > 0 {
		r.run.own(gap)
	}
}

func isBlank(l tool.Line) bool { return strings.TrimSpace(l.Text) == "" }

// isStylishPath: it begins the line and no rule ends it.
func isStylishPath(l tool.Line) bool {
	_, rule := cutStylishRule(strings.TrimRight(l.Text, " \t"))
	return l.Text != "" && l.Text[0] != ' ' && rule == ""
}

// stylishMore are the lines with which a message goes on: all, if the last one
// ends with a rule, else up to one that does or, where the message may have
// none, up to an empty one.
func stylishMore(first string, tail []tool.Line) []tool.Line {
	if len(tail) == 0 {
		return nil
	}
	if _, rule := cutStylishRule(first); rule != "" {
		return nil
	}
	if all := trimBlank(tail); len(all) > 0 && endsWithESLintRule(all[len(all)-1]) {
		return all
	}
	for i, l := range tail {
		if endsWithESLintRule(l) {
			return tail[:i+1]
		}
	}
	for i, l := range tail {
		if isBlank(l) {
			return tail[:i]
		}
	}
	return tail
}

func endsWithESLintRule(l tool.Line) bool {
	_, rule := cutStylishRule(strings.TrimRight(l.Text, " \t"))
	return rule != ""
}
