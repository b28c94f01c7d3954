package eslint

import (
	"path"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// cutESLintColumn splits the rule, which follows two or more blanks, from the end of a row.
func cutESLintColumn(text string) (message, rule string) {
	i := strings.LastIndex(text, "  ")
	if i < 0 || !isRuleOf(text, text[i+2:]) {
		return text, ""
	}
	return strings.TrimRight(text[:i], " "), text[i+2:]
}

// cutESLintSpot splits the position from the beginning of a row: "12:5", followed by end and more blanks.
func cutESLintSpot(text, end string) (row eslintRow, ok bool) {
	spot, rest, ok := strings.Cut(text, end)
	line, column, two := strings.Cut(spot, ":")
	row.at.Line, row.at.Column, row.text = lex.Atoi(line), lex.Atoi(column), strings.TrimLeft(rest, " ")
	return row, (ok || end == "  ") && lex.IsDigits(line) && (lex.IsDigits(column) || !two && end != "  ") // a message may begin with the next line
}

// certainly returns a Sniff that accepts rows with a rule, and parse errors: many tools print rows of the same form.
func certainly(row func(text string) (eslintRow, bool)) func(line string) bool {
	return func(line string) bool {
		r, ok := row(strings.TrimRight(line, " \t"))
		if !ok {
			return false
		}
		_, rule := cutESLintColumn(r.text)
		return rule != "" || isESLintFatal(r.text)
	}
}

// stylish reads "  12:5   error    message  rule".
func stylish(text string) (row eslintRow, ok bool) {
	if text != "" && text[0] != ' ' { // a log of continuous integration adds a prefix
		text = place.CutAnnotation(text)
	}
	rest := strings.TrimLeft(text, " ")
	if len(text)-len(rest) < 2 {
		return row, false
	}
	if row, ok = cutESLintSpot(rest, "  "); !ok {
		return row, false
	}
	severity, message, _ := strings.Cut(row.text, "  ")
	row.isError, row.text = severity == "error", strings.TrimLeft(message, " ")
	return row, row.isError || severity == "warning"
}

// isStylishPath reports whether a line is the path above a table. Below a bundler's own line, instead of an empty one,
// the path must be absolute.
func isStylishPath(text string, blank bool) bool {
	_, rule := cutESLintColumn(text)
	return text[0] != ' ' && (blank || result.IsAbsolute(text)) && rule == ""
}

// stylishTotal reads "✖ 3 problems (1 error, 2 warnings)".
func stylishTotal(t *eslintTable, text string) bool {
	rest, ok := strings.CutPrefix(text, "✖ ")
	if !ok {
		return false
	}
	problems, rest, ok := lex.CutCount(rest, "problem")
	errors, rest, two := lex.CutCount(strings.TrimPrefix(rest, " ("), "error")
	_, _, three := lex.CutCount(strings.TrimPrefix(rest, ", "), "warning")
	if ok = ok && two && three && problems > 0; ok && t != nil {
		t.counts(problems, errors)
	}
	return ok
}

func parseESLintStylish(in *tool.Input) *tool.Report {
	return parseESLintTable(in, eslintTable{row: stylish, isPath: isStylishPath, total: stylishTotal, strict: true})
}

// pretty reads a row of eslint-formatter-pretty, the format of xo: for each file an empty line, its path, relative to
// eslint's directory, with the position of its first problem, and rows; at the end, the numbers of warnings and
// errors.
//
//	src/a.js:3:7
//	✖   3:7   x is not defined.              no-undef
//	⚠  12:5   Unexpected console statement.  no-console
//
//	1 warning
//	1 error
//
// Two more blanks begin each line. Quoted words lose their quotes, since colour output has them in bold: such
// messages have another fingerprint than in other formats.
func pretty(text string) (row eslintRow, ok bool) {
	text, ok = strings.CutPrefix(text, "  ")
	if !ok || text == "" || text[0] < 0x80 {
		return row, false
	}
	for _, m := range [...]struct { // marks with and without Unicode
		mark    string
		isError bool
	}{{"✖  ", true}, {"⚠  ", false}, {"×  ", true}, {"‼  ", false}} {
		if rest, marked := strings.CutPrefix(text, m.mark); marked {
			row, ok = cutESLintSpot(strings.TrimLeft(rest, " "), "  ")
			row.isError = m.isError
			return row, ok
		}
	}
	return row, false
}

func parseESLintPretty(in *tool.Input) *tool.Report {
	return readESLintPretty(in, newESLint(in))
}

func readESLintPretty(in *tool.Input, e *eslint) *tool.Report {
	return readESLintTable(in, e, eslintTable{row: pretty, isPath: isPrettyPath, total: func(t *eslintTable, text string) bool {
		n, isError, ok := cutPrettyCount(text)
		if ok = ok && (t.open != nil || t.closed); ok {
			t.counts(n, n*lex.Btoi(isError))
		}
		return ok
	}})
}

func isPrettyPath(text string, blank bool) bool {
	return blank && len(text) > 2 && text[:2] == "  " && text[2] != ' '
}

// cutPrettyCount reads "  22 errors" and "  1 warning".
func cutPrettyCount(text string) (n int, isError, ok bool) {
	rest, indented := strings.CutPrefix(text, "  ")
	n, rest, isError = lex.CutCount(rest, "error")
	if ok = isError; !ok {
		n, rest, ok = lex.CutCount(strings.TrimPrefix(text, "  "), "warning")
	}
	return n, isError, ok && indented && rest == ""
}

// nextRow reads a row of "next lint", or of "next build" before it compiles:
//
//	./pages/index.js
//	2:12  Error: Missing semicolon.  semi
//	4:14  Warning: Do not use <img>.  @next/next/no-img-element
//
//	info  - Need to disable some ESLint rules? Learn more here: …
//
// next prints no counts.
func nextRow(text string) (row eslintRow, ok bool) {
	if row, ok = cutESLintSpot(text, "  "); !ok {
		return row, false
	}
	message, isError := strings.CutPrefix(row.text, "Error: ")
	message, isWarning := strings.CutPrefix(message, "Warning: ")
	row.isError, row.text = isError, message
	return row, isError || isWarning
}

// eslintNextStarts returns the starts of rows.
func eslintNextStarts() (starts []string) {
	for c := byte('0'); c <= '9'; c++ {
		starts = append(starts, string([]byte{c})+"…  Error: ", string([]byte{c})+"…  Warning: ")
	}
	return starts
}

func parseESLintNext(in *tool.Input) *tool.Report {
	return parseESLintTable(in, eslintTable{
		row:    nextRow,
		isPath: func(text string, blank bool) bool { return blank && strings.HasPrefix(text, "./") },
		total: func(t *eslintTable, text string) bool {
			return (t.open != nil || t.closed) && strings.HasPrefix(text, "info  - Need to disable some ESLint rules?")
		},
	})
}

// craRow reads a row of Create React App, which shows the errors of a build or, without errors, its warnings
// (react-dev-utils/eslintFormatter):
//
//	src/App.js
//	  Line 1:1:  Unexpected var, use let or const instead  no-var
//	  Line 2:1:  'foo' is not defined                      no-undef
//
//	Search for the keywords to learn more about each error.
//
// Only the last line says whether they are errors or warnings. There are no counts.
func craRow(text string) (row eslintRow, ok bool) {
	if text, ok = strings.CutPrefix(text, "  Line "); !ok {
		return row, false
	}
	return cutESLintSpot(text, ":  ")
}

func parseESLintCRA(in *tool.Input) *tool.Report {
	const end = "Search for the keywords to learn more about each "
	return parseESLintTable(in, eslintTable{
		row: craRow,
		isPath: func(text string, _ bool) bool {
			return text[0] != ' ' && path.Ext(text) != "" && !strings.Contains(text, "  ")
		},
		total: func(t *eslintTable, text string) bool {
			t.grave = text == end+"error."
			return (t.open != nil || t.closed) && strings.HasPrefix(text, end)
		},
	})
}
