package render

import (
	"encoding/csv"
	"strings"

	"cairn/result"
)

// CSV is rows of comma-separated values (RFC 4180), lines ending in \n. A cell that a
// spreadsheet would take for a formula has an apostrophe in front; what would end a line
// or hide something is written out, so that a row is one line.
func CSV(rows ...[]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = csvCell(cell)
		}
		w.Write(safe) // to memory
	}
	w.Flush()
	return b.String()
}

// csvCell is the text of a cell. Formulas begin with one of these signs, also in the wide
// form that East Asian keyboards have, and some programs look behind spaces and quotes.
func csvCell(s string) string {
	s = result.CleanLine(s)
	if strings.IndexAny(strings.TrimLeft(s, " '\"\u00a0\u3000"), "=+-@|%＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}
