package read

import (
	"encoding/csv"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// TableByShape is XMLByShape for a table, such as CSV, whose first line begins with these columns.
func TableByShape(columns string, fit func(f *result.Finding)) func(in *tool.Input) *tool.Report {
	return behind(columns, Fitted(shapedTable, fit))
}

// Table reads a table, such as CSV, that does not name its columns. names are the columns' names, as shape
// understands them; columns with other names are skipped.
func Table(fit func(f *result.Finding), names ...string) func(in *tool.Input) *tool.Report {
	return Fitted(func(in *tool.Input) *tool.Report {
		return (&tableShape{names: names, comma: ',', bare: true}).parse(in)
	}, fit)
}

// shapedTable reads a table whose first line names the columns.
func shapedTable(in *tool.Input) *tool.Report { return (&tableShape{}).parse(in) }

// tableShape reads the rows of a table.
type tableShape struct {
	*shape
	names []string
	comma rune
	bare  bool      // no line of the table names the columns
	from  tool.Line // the row that is being read
	row   string    // its text so far
}

func (t *tableShape) parse(in *tool.Input) *tool.Report {
	return Text{Line: t.line, End: func(s *Sink) { shapesTold(s) }}.Parse(in)
}

func (t *tableShape) line(s *Sink, l tool.Line) bool {
	if t.shape == nil {
		t.shape = &shape{s: s, at: &t.from}
	}
	if t.names == nil {
		if t.names = tableOf(l.Text); t.names != nil {
			t.comma = separatorOf(l.Text)
		}
		return t.names != nil
	}
	if t.row == "" {
		t.from = l
	}
	if t.row += l.Text + "\n"; strings.Count(t.row, `"`)%2 != 0 && len(t.row) < maxTag {
		return true // a cell continues on the next line
	}
	cells := cellsOf(t.row, t.comma)
	if t.row = ""; len(cells) != len(t.names) {
		if !t.bare {
			t.names = nil
		}
		return false
	}
	t.begin("", true)
	for i, cell := range cells {
		t.member(t.names[i], cell)
	}
	t.end()
	return true
}

// tableOf returns the names of the columns, if a line names a path and a line, or a place and a severity, and a message or
// a rule; otherwise nil.
func tableOf(line string) (names []string) {
	if len(line) > 1000 || strings.Contains(line, ": ") {
		return nil
	}
	if names = cellsOf(line, separatorOf(line)); len(names) < 3 {
		return nil
	}
	has := rolesOf(names)
	placed := has[roleSeverity] && slices.ContainsFunc(names, func(name string) bool { return lex.IsOneOf(plainName(name), "location where place") })
	if !placed && (!has[rolePath] || !has[roleLine]) || !has[roleMessage] && !has[roleRule] {
		return nil
	}
	return names
}

// rolesOf says which parts of a finding columns with these names hold.
func rolesOf(names []string) (has [roleEndColumn + 1]bool) {
	for _, name := range names {
		for _, m := range meanings()[plainName(name)] {
			has[m.role] = has[m.role] || m.rank == 1 || m.role != rolePath
		}
	}
	return has
}

// separatorOf is the character between the cells of a line.
func separatorOf(line string) rune {
	for _, c := range "\t;" {
		if strings.ContainsRune(line, c) {
			return c
		}
	}
	return ','
}

func cellsOf(row string, comma rune) []string {
	r := csv.NewReader(strings.NewReader(row))
	r.Comma, r.LazyQuotes, r.TrimLeadingSpace = comma, true, true
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	return cells
}
