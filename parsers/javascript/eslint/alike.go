package eslint

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// Formatters of eslint have been taken over by other linters, some of which
// even sign with its name: textlint's checkstyle says "eslint.rules.", its junit
// "org.eslint". What the command says decides, then what a runner echoes, then
// what kind of file was looked at.

// eslintAlike are linters that print as eslint does, or almost.
const eslintAlike = "textlint solhint oxlint stylelint ember-template-lint markuplint yamllint"

// eslintFiles are beginnings of rules with which eslint looks at files that are
// not written in JavaScript (its plugins for them).
var eslintFiles = []string{"css/", "markdown/", "md/", "mdx/", "json/", "yml/", "ember/", "@html-eslint/"}

// isAnother: what was found is another linter's.
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

// isOfESLint: other linters look at text, styles, templates and contracts.
func isOfESLint(f result.Finding) bool {
	if f.At == nil || !lex.IsOneOf(strings.ToLower(path.Ext(f.At.Path)), ".md .markdown .txt .rst .tex .adoc .sol .hbs .css .scss .less .yml .yaml") {
		return true
	}
	return lex.HasAnyPrefix(f.Rule, eslintFiles...)
}

// echo is a line in which npm, yarn or make shows what it runs.
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

// isYamllint: its rows end with the rule in parentheses.
func (row *eslintRow) isYamllint() bool {
	begin, rule := row.cutParens()
	return rule && (begin == "" || strings.HasSuffix(begin, " "))
}

// isOxlint: the last column is the plugin and, in parentheses, the rule.
func (row *eslintRow) isOxlint() bool {
	begin, rule := row.cutParens()
	i := strings.LastIndex(begin, "  ")
	return rule && i >= 0 && isESLintRule(begin[i+2:])
}

// cutParens is the text before a rule in parentheses.
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
