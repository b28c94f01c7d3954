package eslint

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
)

// "next lint", and "next build" before it compiles, print eslint's problems as
//
//	./pages/index.js
//	2:12  Error: Missing semicolon.  semi
//	4:14  Warning: Do not use <img>.  @next/next/no-img-element
//
//	info  - Need to disable some ESLint rules? Learn more here: …
//
// and count nothing.

const nextEnd = "info  - Need to disable some ESLint rules?"

// readNextRow reads "2:12  Error: message  rule".
func readNextRow(s string) (row stylishRow, ok bool) {
	spot, text, ok := strings.Cut(s, "  ")
	line, column, two := strings.Cut(spot, ":")
	if !ok || !two || !lex.IsDigits(line) || !lex.IsDigits(column) {
		return row, false
	}
	row.at.Line, row.at.Column = lex.Atoi(line), lex.Atoi(column)
	if row.text, row.isError = strings.CutPrefix(text, "Error: "); row.isError {
		return row, true
	}
	row.text, ok = strings.CutPrefix(text, "Warning: ")
	return row, ok
}

func sniffNext(line string) bool {
	row, ok := readNextRow(strings.TrimRight(line, " \t"))
	if !ok {
		return false
	}
	_, rule := cutStylishRule(row.text)
	return rule != "" || isESLintFatal(row.text)
}

// nextStarts begin rows.
func nextStarts() (starts []string) {
	for c := byte('0'); c <= '9'; c++ {
		starts = append(starts, string([]byte{c})+"…  Error: ", string([]byte{c})+"…  Warning: ")
	}
	return starts
}

func isNextPath(l tool.Line) bool { return strings.HasPrefix(l.Text, "./") }

func parseNext(in *tool.Input) *tool.Report {
	return parseESLintTables(in, &eslintTables{readRow: readNextRow, isPath: isNextPath, total: func(_ *eslintTables, s string) bool {
		return strings.HasPrefix(s, nextEnd)
	}})
}
