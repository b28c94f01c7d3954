package redact

import "strings"

// Bounds of a table: how long its first line may be, and how many rows are looked at.
const (
	maxHeader = 512
	maxRows   = 256
)

// column says whether the name s[at:end] is the header of a column of comma- or tab-separated values, and redacts the
// column. The first line is all names; a row has as many cells.
func (sc *scan) column(at, end int) bool {
	s := sc.s
	if end < len(s) && isQuote(s[end]) {
		end++
	}
	if end == len(s) || s[end] != ',' && s[end] != '\t' && s[end] != '\r' && s[end] != '\n' || sc.table[0] <= at && at < sc.table[1] {
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
	header, comma := strings.TrimRight(s[from:from+n], "\r"), ","
	if strings.IndexByte(header, '\t') >= 0 {
		comma = "\t"
	}
	names := strings.Split(header, comma)
	if len(names) < 2 || !areNames(names) {
		return false
	}
	col := strings.Count(s[from:at], comma)
	sc.table = [2]int{from + n + 1, sc.rows(from+n+1, comma, col, len(names))}
	return true
}

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

// inNames says whether c can stand in the first line of a table.
func inNames(c byte) bool {
	switch c {
	case ' ', '-', '.', '(', ')', '"', '\'', ',', '\t', '\r':
		return true
	}
	return isWord(c)
}

// rows redacts column col of the rows from s[i] on, and returns where they end.
func (sc *scan) rows(i int, comma string, col, cols int) int {
	for range maxRows {
		line, _, more := strings.Cut(sc.s[i:min(len(sc.s), i+maxQuoted)], "\n")
		if strings.Count(line, comma) != cols-1 {
			break
		}
		start := i
		for range col {
			start += strings.Index(sc.s[start:], comma) + 1
		}
		cell, _, _ := strings.Cut(sc.s[start:i+len(line)], comma)
		cell = strings.TrimRight(cell, "\r")
		inner := strings.Trim(cell, `"`)
		if start += strings.Index(cell, inner); len(inner) >= minPassword && !strings.ContainsAny(inner, " \t") && !isFiller(inner) && !isMessageWord(inner) && (hasLetterAndDigit(inner) || hasSymbol(inner)) && !looksLikePath(inner) {
			sc.add(assignedSecret, vague, start, start+len(inner))
		}
		if i += len(line) + 1; !more {
			break
		}
	}
	return i
}

// detectForm finds the value of a part of multipart/form-data whose name says that it is a secret.
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
