package redact

import "strings"

// Bounds of a table: bytes of its first line, and how many rows are read.
const (
	maxHeader = 512
	maxRows   = 256
)

// column says whether the name s[at:end] is a column's header in comma-separated values or similar, and if so redacts
// the column. All cells of the first line must be names; a row has as many cells.
func (sc *scan) column(at, end int) bool {
	s := sc.s
	if end < len(s) && isQuote(s[end]) {
		end++
	}
	if end == len(s) || !separates(s[end]) && s[end] != '\r' && s[end] != '\n' || sc.table[0] <= at && at < sc.table[1] {
		return false
	}
	from := at
	for from > 0 && at-from < maxHeader && s[from-1] != '\n' {
		if from--; !inNames(s[from]) {
			return false
		}
	}
	n := strings.IndexByte(s[from:min(len(s), from+maxHeader)], '\n')
	if n < end-from-1 {
		return false
	}
	header := strings.TrimRight(s[from:from+n], "\r")
	comma := strings.IndexFunc(header, func(r rune) bool { return r < 128 && separates(byte(r)) })
	if comma < 0 {
		return false
	}
	names := strings.Split(header, header[comma:comma+1])
	if !areNames(names) {
		return false
	}
	col := strings.Count(s[from:at], header[comma:comma+1])
	sc.table = [2]int{from + n + 1, sc.rows(from+n+1, header[comma], col, len(names))}
	return true
}

// separates says whether c separates the cells of a row.
func separates(c byte) bool { return c == ',' || c == ';' || c == '\t' || c == '|' }

// areNames says whether the cells of a line can be the names of columns.
func areNames(cells []string) bool {
	for _, c := range cells {
		c = strings.Trim(c, `"' `)
		if c == "" || isDigit(c[0]) || len(c) > maxName {
			return false
		}
		for i := range len(c) {
			if !inNames(c[i]) {
				return false
			}
		}
	}
	return true
}

// inNames says whether c may occur in the first line of a table.
func inNames(c byte) bool {
	switch c {
	case ' ', '-', '.', '(', ')', '"', '\'', ',', ';', '|', '\t', '\r':
		return true
	}
	return isWord(c)
}

// rows redacts column col of the rows from s[i] on, and returns where the rows end.
func (sc *scan) rows(i int, comma byte, col, cols int) int {
	for range maxRows {
		line, _, more := strings.Cut(sc.s[i:min(len(sc.s), i+maxQuoted)], "\n")
		start, stop, n := cellOf(line, comma, col)
		if n != cols {
			break
		}
		if v := line[start:stop]; len(v) >= minPassword && !strings.ContainsAny(v, " \t") && !isFiller(v) && !isMessageWord(v) && (hasLetterAndDigit(v) || hasSymbol(v)) && !looksLikePath(v) {
			sc.add(assignedSecret, vague, i+start, i+stop)
		}
		if i += len(line) + 1; !more {
			break
		}
	}
	return i
}

// cellOf returns where a cell of a row is, without its quotes, and how many cells the row has.
func cellOf(line string, comma byte, col int) (start, stop, n int) {
	quoted, from := false, 0
	for i := 0; i <= len(line); i++ {
		if i < len(line) && line[i] == '"' {
			quoted = !quoted
		}
		if i < len(line) && (quoted || line[i] != comma) {
			continue
		}
		if n == col {
			start, stop = from, i
		}
		n, from = n+1, i+1
	}
	for stop > start && (line[stop-1] == '"' || line[stop-1] == '\r') {
		stop--
	}
	for start < stop && line[start] == '"' {
		start++
	}
	return start, stop, n
}

// detectForm finds the value of a part of multipart/form-data whose name means a secret.
func detectForm(sc *scan, at, end int) {
	s := sc.s
	name, rest, ok := strings.Cut(s[end:min(len(s), end+maxHeader)], `"`)
	if !ok || !namesSecret(name) {
		return
	}
	_, body, ok := strings.Cut(strings.ReplaceAll(rest, "\r\n", "\n"), "\n\n")
	if !ok {
		return
	}
	value, _, _ := strings.Cut(body, "\n")
	if start := strings.Index(rest, "\n"+value); value != "" && start >= 0 && len(value) >= minPassword && !isFiller(value) {
		start += end + len(name) + 2
		sc.add(assignedSecret, named, start, start+len(value))
	}
}
