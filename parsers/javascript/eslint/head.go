package eslint

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Other linters use eslint's formatters, and some even sign with its name: textlint's checkstyle says
// "eslint.rules.", its junit "org.eslint". Whose an output is follows from the command; else from a command that a
// runner echoes; else from the kind of the files.

// eslintAlike lists linters that print as eslint does, or almost.
const eslintAlike = "textlint solhint oxlint stylelint ember-template-lint markuplint yamllint"

// eslintFiles lists beginnings of the rules of eslint's plugins for files that are not JavaScript.
var eslintFiles = []string{"css/", "markdown/", "md/", "mdx/", "json/", "yml/", "ember/", "@html-eslint/"}

// isAnother reports whether the findings are another linter's.
func (e *eslint) isAnother(rep *tool.Report) bool {
	if e.kin {
		return false
	}
	if c := e.in.Command(); len(c.Argv) > 0 && lex.IsOneOf(c.Argv[0], eslintAlike) {
		return true
	}
	if e.sure || e.named || e.stopped() || len(rep.Findings) == 0 {
		return false
	}
	return e.foreign || !slices.ContainsFunc(rep.Findings, isOfESLint)
}

// isOfESLint reports whether a finding can be eslint's. In text, styles, templates and contracts, which other linters
// check, only eslint's plugins have findings.
func isOfESLint(f result.Finding) bool {
	if f.At == nil || !lex.IsOneOf(strings.ToLower(path.Ext(f.At.Path)), ".md .markdown .txt .rst .tex .adoc .sol .hbs .css .scss .less .yml .yaml") {
		return true
	}
	return lex.HasAnyPrefix(f.Rule, eslintFiles...)
}

// echo sets sure if npm, yarn or make shows in a line that it runs eslint.
func (e *eslint) echo(line string) {
	if e.sure || line == "" || strings.IndexByte(">$enpy.", line[0]) < 0 || !strings.Contains(line, "eslint") {
		return
	}
	for word := range strings.FieldsSeq(line) {
		if path.Base(word) == "eslint" {
			e.sure = true
			return
		}
		if line[0] != '>' && line[0] != '$' && !lex.IsOneOf(word, "npx pnpm exec yarn run") {
			return
		}
	}
}

// isYamllint reports whether a row is yamllint's: its rows end with the rule in parentheses.
func (row *eslintRow) isYamllint() bool {
	begin, rule := row.cutParens()
	return rule && (begin == "" || strings.HasSuffix(begin, " "))
}

// isOxlint reports whether a row is oxlint's: its last column is the plugin and, in parentheses, the rule.
func (row *eslintRow) isOxlint() bool {
	begin, rule := row.cutParens()
	i := strings.LastIndex(begin, "  ")
	return rule && i >= 0 && isESLintRule(begin[i+2:])
}

// cutParens returns the text before a rule in parentheses at the end of a row.
func (row *eslintRow) cutParens() (begin string, rule bool) {
	if !strings.HasSuffix(row.text, ")") { // most rows
		return "", false
	}
	open := strings.LastIndexByte(row.text, '(')
	if open < 0 || !isESLintRule(row.text[open+1:len(row.text)-1]) || isESLintFatal(row.text) {
		return "", false
	}
	return row.text[:open], true
}
