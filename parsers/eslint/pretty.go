package eslint

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// pretty is what eslint-formatter-pretty prints, the format of xo: for each file
// an empty line, its path from where eslint ran with the position of its first
// problem, and rows; at the end how many warnings and errors.
//
//	src/a.js:3:7
//	✖   3:7   x is not defined.              no-undef
//	⚠  12:5   Unexpected console statement.  no-console
//
//	1 warning
//	1 error
//
// all behind two blanks. Words in quotes lose them, for they are bold where
// there is colour: such messages have another fingerprint than elsewhere.

// eslintTables reads tables that stand below relative paths.
type eslintTables struct {
	readRow func(s string) (stylishRow, bool)
	isPath  func(l tool.Line) bool
	total   func(t *eslintTables, s string) bool // the line ends the tables

	unmarked bool // rows have no severity: see eslintcra.go
	grave    bool // the tables that ended were of errors
	since    int  // findings of earlier tables

	run  *eslintRun
	path string
	head tool.Line // the line before, where it may be a path
	row  *stylishRow
	line tool.Line   // of the row
	tail []tool.Line // since

	blank    bool
	counted  bool // the last line that is eslint's says how many there were
	problems int
	errors   int
}

// prettyMarks are the beginnings of a row, with and without Unicode.
var prettyMarks = [...]struct {
	mark    string
	isError bool
}{{"✖", true}, {"⚠", false}, {"×", true}, {"‼", false}}

// readPrettyRow reads "  ✖   3:7  message  rule".
func readPrettyRow(s string) (row stylishRow, ok bool) {
	s, ok = strings.CutPrefix(s, "  ")
	if !ok || s == "" || s[0] < 0x80 {
		return row, false
	}
	for _, m := range prettyMarks {
		rest, marked := strings.CutPrefix(s, m.mark)
		if !marked || !strings.HasPrefix(rest, "  ") {
			continue
		}
		spot, text, _ := strings.Cut(strings.TrimLeft(rest, " "), "  ")
		line, column, two := strings.Cut(spot, ":")
		if !two || !lex.IsDigits(line) || !lex.IsDigits(column) {
			return row, false
		}
		row.at.Line, row.at.Column = lex.Atoi(line), lex.Atoi(column)
		row.isError, row.text = m.isError, strings.TrimLeft(text, " ")
		return row, true
	}
	return row, false
}

// sniffPretty: the symbols are many tools'; a row has a rule or is a parser's.
func sniffPretty(line string) bool {
	row, ok := readPrettyRow(strings.TrimRight(line, " \t"))
	if !ok {
		return false
	}
	_, rule := cutStylishRule(row.text)
	return rule != "" || isESLintFatal(row.text)
}

// readPrettyCount reads "  22 errors" and "  1 warning".
func readPrettyCount(s string) (n int, isError, ok bool) {
	count, word, _ := strings.Cut(strings.TrimPrefix(s, "  "), " ")
	word = strings.TrimSuffix(word, "s")
	return lex.Atoi(count), word == "error", lex.IsDigits(count) && (word == "error" || word == "warning") && strings.HasPrefix(s, "  ")
}

func parseESLintPretty(in *tool.Input) *tool.Report {
	return parseESLintTables(in, &eslintTables{readRow: readPrettyRow, isPath: isPrettyPath, total: (*eslintTables).prettyTotal})
}

// parseESLintTables reads each stream by itself.
func parseESLintTables(in *tool.Input, kind *eslintTables) *tool.Report {
	kind.run, kind.blank = newESLintRun(in), true
	other := *kind
	readers := [...]*eslintTables{kind, &other}
	for l := range in.Lines() {
		if l.Stream == tool.Stdout || !kind.run.aside(l) {
			readers[l.Stream-tool.Stdout].read(l)
		}
	}
	complete, problems, errors := true, 0, 0
	for _, p := range readers {
		p.close(nil)
		complete = complete && (p.counted || p.path == "")
		problems, errors = problems+p.problems, errors+p.errors
	}
	if len(kind.run.rep.Findings) == 0 && !kind.run.stopped() {
		return nil
	}
	kind.run.counted(problems, errors)
	return kind.run.finish(complete && (kind.counted || other.counted))
}

func (p *eslintTables) read(l tool.Line) {
	s := strings.TrimRight(l.Text, " \t")
	if row, ok := p.readRow(s); ok && p.begin(row, l) {
		return
	}
	if (p.row != nil || p.counted) && p.total(p, s) {
		p.close(nil)
		p.raise()
		p.counted = l.Ended
		p.run.own(l)
		return
	}
	if p.row != nil && len(p.tail) < maxStylishTail {
		p.tail = append(p.tail, l)
		return
	}
	p.close(nil)
	if p.run.aside(l) {
		return
	}
	p.head = tool.Line{}
	if (p.blank || p.unmarked) && p.isPath(l) {
		p.head = l
	}
	p.blank = s == ""
}

func (p *eslintTables) prettyTotal(s string) bool {
	n, isError, ok := readPrettyCount(s)
	if !ok {
		return false
	}
	if p.problems += n; isError {
		p.errors += n
	}
	return true
}

func isPrettyPath(l tool.Line) bool {
	return len(l.Text) > 2 && l.Text[:2] == "  " && l.Text[2] != ' '
}

// begin opens a row; one that stands below no path is not eslint's.
func (p *eslintTables) begin(row stylishRow, l tool.Line) bool {
	head := p.head
	p.close(&head)
	if head.End > 0 {
		p.path = prettyPath(strings.TrimSpace(head.Text))
		p.run.own(head)
	}
	if p.path == "" {
		return false
	}
	p.row, p.line, p.head, p.counted = &row, l, tool.Line{}, false
	p.run.own(l)
	return true
}

// prettyPath takes the position off a path.
func prettyPath(s string) string {
	if at := place.LastColons(s); at != nil {
		return at.Path
	}
	return s
}

// close adds the open row. Before another one, next is set to the path that
// stands between the two, if there is one.
func (p *eslintTables) close(next *tool.Line) {
	if p.row == nil {
		return
	}
	row, tail := p.row, p.tail
	p.row, p.tail, p.blank = nil, nil, false
	if n := len(tail); next != nil && n > 1 && isBlank(tail[n-2]) && p.isPath(tail[n-1]) {
		*next, tail = tail[n-1], tail[:n-2]
	}
	text, end := row.text, p.line.End
	for _, l := range stylishMore(row.text, tail) {
		text, end = text+"\n"+strings.TrimRight(l.Text, " \t"), max(end, l.End)
		p.run.own(l)
	}
	message, rule := cutStylishRule(text)
	at := row.at
	at.Path = p.path
	p.run.problem(rule, message, row.isError, at, p.line, end)
}
