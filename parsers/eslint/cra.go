package eslint

import (
	"path"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Create React App shows the errors of a build, or else its warnings, with a
// formatter of its own (react-dev-utils/eslintFormatter):
//
//	src/App.js
//	  Line 1:1:  Unexpected var, use let or const instead  no-var
//	  Line 2:1:  'foo' is not defined                      no-undef
//
//	Search for the keywords to learn more about each error.
//
// Only the last line tells which of the two it was, and nothing counts them.

const craEnd = "Search for the keywords to learn more about each "

// readCRARow reads "  Line 1:1:  message  rule".
func readCRARow(s string) (row stylishRow, ok bool) {
	rest, ok := strings.CutPrefix(s, "  Line ")
	if !ok {
		return row, false
	}
	spot, text, ok := strings.Cut(rest, ":  ")
	line, column, two := strings.Cut(spot, ":")
	if !ok || !lex.IsDigits(line) || two && !lex.IsDigits(column) {
		return row, false
	}
	row.at.Line, row.at.Column, row.text = lex.Atoi(line), lex.Atoi(column), strings.TrimLeft(text, " ")
	return row, true
}

func sniffCRA(line string) bool {
	row, ok := readCRARow(strings.TrimRight(line, " \t"))
	if !ok {
		return false
	}
	_, rule := cutStylishRule(row.text)
	return rule != "" || isESLintFatal(row.text)
}

func isCRAPath(l tool.Line) bool {
	return l.Text != "" && l.Text[0] != ' ' && path.Ext(strings.TrimSpace(l.Text)) != "" && !strings.Contains(l.Text, "  ")
}

func parseCRA(in *tool.Input) *tool.Report {
	return parseESLintTables(in, &eslintTables{readRow: readCRARow, isPath: isCRAPath, unmarked: true, total: func(t *eslintTables, s string) bool {
		t.grave = s == craEnd+"error."
		return strings.HasPrefix(s, craEnd)
	}})
}

// raise makes what was found since the last closing line errors.
func (p *eslintTables) raise() {
	found := p.run.rep.Findings
	for i := p.since; i < len(found) && p.grave; i++ {
		found[i].Severity = result.SevError
	}
	p.since, p.grave = len(found), false
}
