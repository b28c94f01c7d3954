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
var eslintAlike = []string{"textlint", "solhint", "oxlint", "stylelint", "ember-template-lint", "markuplint", "yamllint"}

// isESLintAlike: the command is another linter alone.
func isESLintAlike(in *tool.Input) bool {
	c := in.Command()
	return len(c.Argv) > 0 && slices.Contains(eslintAlike, c.Argv[0])
}

// eslintFiles are beginnings of rules with which eslint looks at files that are
// not written in JavaScript (its plugins for them).
var eslintFiles = [...]string{"css/", "markdown/", "md/", "mdx/", "json/", "yml/", "ember/", "@html-eslint/"}

// isAnother: what was found is another linter's.
func (r *eslintRun) isAnother() bool {
	if r.alike {
		return true
	}
	if r.sure || r.named || r.stopped() || len(r.rep.Findings) == 0 {
		return false
	}
	return r.foreign || !slices.ContainsFunc(r.rep.Findings, isOfESLint)
}

// isOfESLint: other linters look at text, styles, templates and contracts.
func isOfESLint(f result.Finding) bool {
	if f.At == nil || !lex.IsOneOf(strings.ToLower(path.Ext(f.At.Path)), ".md .markdown .txt .rst .tex .adoc .sol .hbs .css .scss .less .yml .yaml") {
		return true
	}
	for _, begin := range eslintFiles {
		if strings.HasPrefix(f.Rule, begin) {
			return true
		}
	}
	return false
}

// echo is a line in which npm, yarn or make shows what it runs.
func (r *eslintRun) echo(line string) {
	if r.sure || line == "" || strings.IndexByte(">$enpy.", line[0]) < 0 || !strings.Contains(line, "eslint") {
		return
	}
	for word := range strings.FieldsSeq(line) {
		if path.Base(word) == "eslint" {
			r.sure = true
			return
		}
		if line[0] != '>' && line[0] != '$' && !lex.IsOneOf(word, "npx pnpm exec yarn run") {
			return
		}
	}
}

// isYamllint: its rows end with the rule in parentheses.
func (row *stylishRow) isYamllint() bool {
	begin, rule := row.cutParens()
	return rule && (begin == "" || strings.HasSuffix(begin, " "))
}

// isOxlint: the last column is the plugin and, in parentheses, the rule.
func (row *stylishRow) isOxlint() bool {
	begin, rule := row.cutParens()
	i := strings.LastIndex(begin, "  ")
	return rule && i >= 0 && isESLintRule(begin[i+2:])
}

// cutParens is what stands before a rule in parentheses.
func (row *stylishRow) cutParens() (begin string, rule bool) {
	if !strings.HasSuffix(row.text, ")") { // most rows
		return "", false
	}
	open := strings.LastIndexByte(row.text, '(')
	if open < 0 || !isESLintRule(row.text[open+1:len(row.text)-1]) || isESLintFatal(row.text) {
		return "", false
	}
	return row.text[:open], true
}
