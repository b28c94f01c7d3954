package read

import (
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Sheet reads a report that is laid out for people: an HTML page, tables of Markdown, tables drawn with lines. Its
// findings are
//
//   - rows of a table whose first row names the columns (see shape for the names),
//   - rows "3:7 | error | text | rule", and lines "(3:7): text", "Line #3 - error: text", below the name of a file,
//   - lines "File: a.py", "Line number: 3", "Severity: low", with the text above them,
//   - lines that are a diagnostic by themselves.
type Sheet struct {
	// Fit changes each finding into what the tool's other formats give; may be nil.
	Fit func(f *result.Finding)
	// Drawn says that only tables are read, no HTML pages.
	Drawn bool
	// Names maps the tool's own names of columns and labels, in lower case without blanks, to the usual names;
	// columns mapped to other words are skipped.
	Names map[string]string
}

// Parse reads an input. It returns nil if no such layout is found.
func (t Sheet) Parse(in *tool.Input) *tool.Report {
	sheet := sheetIn(in, t.Drawn)
	if sheet == nil {
		return nil
	}
	return Fitted(func(in *tool.Input) *tool.Report { return sheet(in, t) }, t.Fit)(in)
}

// nameOf is the usual name of a column or a label.
func (t Sheet) nameOf(name string) string {
	if meant, ok := t.Names[plainName(name)]; ok {
		return meant
	}
	return name
}

// sheetIn chooses the reader for the first sheet of an output; nil without one.
func sheetIn(in *tool.Input, drawn bool) func(in *tool.Input, t Sheet) *tool.Report {
	lines := 0
	for l := range in.LentLinesApart() {
		if lines++; lines > maxProlog {
			return nil
		}
		switch text := strings.TrimLeft(l.Text, " \t\ufeff"); {
		case opensPage(text) && !drawn:
			return readPage
		case isDrawn(text):
			return readDrawn
		}
	}
	return nil
}

// layout is the state of reading a sheet.
type layout struct {
	Sheet
	*shape
	at     tool.Line   // the row that is being read
	path   string      // file named above the rows
	names  []string    // names of the columns
	row    []string    // the open row of a table, which may continue on the next line
	whole  bool        // rows never continue on the next line, as in Markdown
	said   [][2]string // names and values of the open finding
	placed bool        // the open finding has a line number
	left   bool        // a row that may be a finding gave none
}

func newLayout(s *Sink, t Sheet) *layout {
	o := &layout{Sheet: t}
	o.shape = &shape{s: s, at: &o.at}
	return o
}

// cells takes a row of a table.
func (o *layout) cells(l tool.Line, cells []string) {
	o.told()
	if names := o.headOf(cells); names != nil {
		o.rowEnds()
		o.names, o.whole = names, false
		return
	}
	if o.goesOn(cells) {
		o.at.End = max(o.at.End, l.End)
		for i, cell := range cells {
			o.row[i] = joinWrapped(o.row[i], cell)
		}
		return
	}
	o.rowEnds()
	switch {
	case len(o.names) == len(cells):
		o.at, o.row = l, slices.Clone(cells)
	case len(cells) == 1:
		o.text(l, cells[0])
	case o.path != "" && isPosition(cells[0]):
		o.at = l
		o.positioned(cells)
	}
}

// headOf returns the names of the columns, if the row names a line, a message or a rule, and also a path unless a
// file was named above; otherwise nil.
func (o *layout) headOf(cells []string) []string {
	if len(cells) < 2 {
		return nil
	}
	has := rolesOf(cells)
	if slices.ContainsFunc(cells, func(name string) bool { return plainName(name) == "location" }) { // it holds path and line, or the line alone below the name of a file
		has[rolePath], has[roleLine] = true, true
	}
	if !has[roleLine] || !has[rolePath] && o.path == "" || !has[roleMessage] && !has[roleRule] {
		return nil
	}
	names := slices.Clone(cells)
	for i := range names {
		names[i] = o.nameOf(names[i])
	}
	return names
}

// goesOn reports whether the row continues the one above, whose cells were too long. A new row has a line number or
// a severity.
func (o *layout) goesOn(cells []string) bool {
	if o.whole || len(o.row) != len(cells) {
		return false
	}
	for i, name := range o.names {
		for _, m := range meanings()[plainName(name)] {
			if m.role == roleLine && cells[i] != "" || m.role == roleSeverity && SeverityOf(cells[i]) != "" {
				return false
			}
		}
	}
	return true
}

// joinWrapped joins the parts of a cell that was wrapped at a blank, or inside a word behind a mark.
func joinWrapped(a, b string) string {
	if a == "" || b == "" || strings.HasSuffix(a, "/") || strings.HasSuffix(a, "-") {
		return a + b
	}
	return a + " " + b
}

// rowEnds reads the open row, if the columns of its table have names.
func (o *layout) rowEnds() {
	if o.row == nil {
		return
	}
	o.begin("", true)
	named := false
	for i, cell := range o.row {
		o.cell(o.names[i], cell)
		named = named || o.parts[len(o.parts)-1].word[rolePath] != ""
	}
	if !named {
		o.member("file", o.path)
	}
	p := &o.parts[len(o.parts)-1]
	o.left = o.left || p.at.Line == 0 && p.word[roleMessage] != "" && p.word[roleRule]+p.word[roleSeverity]+p.word[roleStatus] == ""
	o.end()
	o.row = nil
}

// close ends the sheet and returns its report, nil without findings. If it cannot be decided whether a row reports
// a problem, the report is not Whole.
func (o *layout) close() *tool.Report {
	o.rowEnds()
	o.told()
	if o.left {
		o.s.Doubt = "rows of a table say neither a line nor whether they are bad"
	}
	return shapesTold(o.s)
}

// cell takes a value with its name. Any name for lines may have a position, "3:7".
func (o *layout) cell(name, value string) {
	if bare := strings.TrimPrefix(value, "line "); isPosition(bare) {
		for _, m := range meanings()[plainName(name)] {
			if m.role == roleLine || plainName(name) == "location" {
				name, value = "line", bare
			}
		}
	}
	o.member(name, value)
}

// positioned reads a row of a table without names: a position, a text and, in any order, a severity and a rule.
func (o *layout) positioned(cells []string) {
	o.begin("", true)
	o.member("file", o.path)
	o.member("line", strings.Trim(cells[0], "()"))
	said := false
	for _, cell := range cells[1:] {
		switch {
		case SeverityOf(cell) != "":
			o.member("severity", cell)
		case !said:
			o.member("message", cell)
			said = cell != ""
		case !strings.Contains(cell, " "):
			o.member("rule", cell)
		}
	}
	o.end()
}

// text takes a line outside of tables.
func (o *layout) text(l tool.Line, text string) {
	o.rowEnds()
	if path := headedFile(text); path != "" && (len(o.said) == 0 || o.placed) {
		o.told()
		o.path, o.names = path, nil
		return
	}
	at, rest, ok := cutRowPlace(text)
	switch label, value, labelled := strings.Cut(text, ": "); {
	case ok && o.path != "":
		o.told()
		o.at = l
		at.Path = o.path
		o.find(l, at, rest)
	case labelled && len(label) < maxLabel && !strings.Contains(label, "://"):
		o.label(l, label, strings.TrimSpace(value))
	default:
		o.told()
		if f, ok := placed(text, ""); ok && f.Severity != result.SevInfo {
			o.s.Find(l, f)
		}
	}
}

// maxLabel bounds the length of a name before a value, in bytes.
const maxLabel = 40

// find adds the finding in a line below the name of a file.
func (o *layout) find(l tool.Line, at result.Location, text string) {
	word, message := CutSeverity(text)
	message, rule := Parens.Cut(message)
	o.s.Find(l, result.Finding{Severity: SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: &at})
}

// label keeps a value with its name until the finding is complete. If the first name is not one of a finding's, its
// value is the message.
func (o *layout) label(l tool.Line, label, value string) {
	name := o.nameOf(label)
	if _, known := meanings()[plainName(name)]; !known {
		if o.placed {
			o.told()
		}
		if !slices.ContainsFunc(o.said, func(p [2]string) bool { return p[0] != "text" }) {
			o.at, o.said = l, append(o.said[:0], [2]string{"text", label + ": " + value})
		}
		return
	}
	if slices.ContainsFunc(o.said, func(p [2]string) bool { return p[0] == name }) {
		o.told()
	}
	if len(o.said) == 0 {
		o.at = l
	}
	o.at.End = max(o.at.End, l.End)
	o.said = append(o.said, [2]string{name, value})
	o.placed = o.placed || lex.IsDigits(value) && plainName(name) != "column"
}

// told ends the finding that consists of lines with names.
func (o *layout) told() {
	if len(o.said) > 2 {
		o.begin("", true)
		for _, p := range o.said {
			o.member(p[0], p[1])
		}
		o.end()
	}
	o.said, o.placed = o.said[:0], false
}

// headedFile is the file in a heading: "src/a.rb - (13 offenses)", "[+] a.js 7 problems", "File: a.yaml", "## Lint:
// a.yaml"; "" without one.
func headedFile(text string) string {
	if _, path, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(text, "#") {
		text = path
	}
	text, marked := strings.CutPrefix(strings.TrimLeft(text, "# "), "[+] ")
	text = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(text, " "), "File: "), " ")
	for end := 0; text != ""; end++ { // after a mark, or from the root, a path may have blanks
		path, rest, more := strings.Cut(text[end:], " ")
		end += len(path)
		path = strings.TrimSuffix(text[:end], ":")
		if counts := rest == "" || strings.IndexByte("-(123456789", rest[0]) >= 0; counts && isFileName(strings.ReplaceAll(path, " ", "_")) {
			return path
		}
		if !more || !marked && text[0] != '/' {
			break
		}
	}
	return ""
}

// isPosition reports whether a cell is a position, "3:7".
func isPosition(cell string) bool {
	line, column, ok := strings.Cut(strings.Trim(cell, "()"), ":")
	return ok && lex.IsDigits(line) && lex.IsDigits(column)
}

// cutRowPlace removes "(3:7): ", "3:7 ", "Line #3 - " or "Line 3, col 7: " from a line.
func cutRowPlace(text string) (at result.Location, rest string, ok bool) {
	word, rest, ok := strings.Cut(text, " ")
	if word = strings.TrimSuffix(word, ":"); ok && isPosition(word) {
		at, _, _ = place.Cut("a.c:" + strings.Trim(word, "()") + ": ")
		return at, rest, true
	}
	if !ok || word != "Line" && word != "line" {
		return at, "", false
	}
	rest = strings.TrimLeft(rest, "# ")
	if at.Line = lex.LeadingNumber(rest); at.Line == 0 {
		return at, "", false
	}
	rest = strings.TrimLeft(rest, "0123456789")
	for _, word := range []string{", column ", ", col ", ":"} {
		if behind, ok := strings.CutPrefix(rest, word); ok && lex.LeadingNumber(behind) > 0 {
			at.Column, rest = lex.LeadingNumber(behind), strings.TrimLeft(behind, "0123456789")
		}
	}
	if trimmed := strings.TrimLeft(rest, " :-–—"); trimmed != "" && len(trimmed) < len(rest) {
		return at, trimmed, true
	}
	return at, "", false
}
