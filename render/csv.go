package render

import (
	"encoding/csv"
	"strings"

	"cairn/result"
)

// CSV is rows of comma-separated values (RFC 4180), with lines that end in \n. A cell that a spreadsheet would take for
// a formula gets an apostrophe in front; line ends and invisible characters are escaped, so that a row is one line.
func CSV(rows ...[]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = csvCell(cell)
		}
		w.Write(safe) // cannot fail: it writes to memory
	}
	w.Flush()
	return b.String()
}

// csvCell is the text of a cell. Formulas begin with one of these signs, also in the wide form of East Asian keyboards,
// and some programs skip spaces and quotes before them.
func csvCell(s string) string {
	s = result.CleanLine(s)
	if strings.IndexAny(strings.TrimLeft(s, " '\"\u00a0\u3000"), "=+-@|%＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}
