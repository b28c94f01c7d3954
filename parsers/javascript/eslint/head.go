package eslint

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// eslintHead is the first line of a problem in unix or compact.
type eslintHead struct {
	at      result.Location
	isError bool
	message string
	rule    string
	whole   bool // message and rule end with the line
}

// cutESLintUnix reads "path:3:7: message [Error/rule]". A message of several lines has the bracket in its last line.
func cutESLintUnix(s string) (h eslintHead, ok bool) {
	for i := strings.Index(s, ": "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, ": ", i) {
		if at := place.LastColons(s[:i]); at != nil {
			h.at, h.message = *at, s[i+2:]
			h.message, h.rule, h.isError, h.whole = cutESLintBracket(h.message)
			return h, true
		}
	}
	if spot, ok := strings.CutSuffix(s, ":"); ok { // the message begins with the next line
		if at := place.LastColons(spot); at != nil {
			h.at = *at
			return h, true
		}
	}
	return h, false
}

// cutESLintBracket splits " [Error/rule]" or " [Warning]" from the end.
func cutESLintBracket(s string) (message, rule string, isError, ok bool) {
	open := strings.LastIndex(s, "[")
	if open < 0 || !strings.HasSuffix(s, "]") {
		return s, "", false, false
	}
	severity, rule, _ := strings.Cut(s[open+1:len(s)-1], "/")
	if severity != "Error" && severity != "Warning" || rule != "" && !isESLintRule(rule) {
		return s, "", false, false
	}
	return strings.TrimRight(s[:open], " "), rule, severity == "Error", true
}

// cutESLintCompact reads "path: line 3, col 7, Error - message (rule)".
func cutESLintCompact(s string) (h eslintHead, ok bool) {
	for i := strings.Index(s, ": line "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, ": line ", i) {
		line, rest, two := strings.Cut(s[i+len(": line "):], ", col ")
		column, rest, three := strings.Cut(rest, ", ")
		severity, message, four := strings.Cut(rest, " -")
		if !two || !three || !four || !lex.IsDigits(line) || !lex.IsDigits(column) || severity != "Error" && severity != "Warning" {
			continue
		}
		h.at = result.Location{Path: s[:i], Line: lex.Atoi(line), Column: lex.Atoi(column)}
		h.isError = severity == "Error"
		h.message, h.rule, h.whole = cutESLintParens(strings.TrimPrefix(message, " "))
		return h, true
	}
	return h, false
}

// cutESLintParens splits " (rule)" from the end.
func cutESLintParens(s string) (message, rule string, ok bool) {
	open := strings.LastIndex(s, " (")
	if open < 0 || !strings.HasSuffix(s, ")") || !isRuleOf(s, s[open+2:len(s)-1]) {
		return s, "", false
	}
	return s[:open], s[open+2 : len(s)-1], true
}

func sniffESLintUnix(line string) bool {
	h, ok := cutESLintUnix(strings.TrimRight(line, " \t"))
	return ok && h.whole
}

func sniffESLintCompact(line string) bool {
	_, ok := cutESLintCompact(line)
	return ok
}

// Two more formats with one problem per line. Many tools print lines like theirs: only the rule shows that they are
// eslint's.
//
// In visualstudio, a longer message continues up to the next problem, and the closing line is that of unix:
//
//	/home/dev/shop/src/a.js(3,7): error no-undef : 'x' is not defined.
//
// standard, a program that runs eslint with its own rules, prints no closing line:
//
//	/home/dev/shop/src/a.js:3:7: 'x' is not defined. (no-undef) (warning)

// cutESLintStudio reads "path(3,7): error rule : message", or "path(3): …".
func cutESLintStudio(s string) (h eslintHead, ok bool) {
	for i := strings.Index(s, "): "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, "): ", i) {
		severity, rest, two := strings.Cut(s[i+3:], " ")
		if !two || severity != "error" && severity != "warning" {
			continue
		}
		open := strings.LastIndexByte(s[:i], '(')
		if open <= 0 {
			continue
		}
		line, column, _ := strings.Cut(s[open+1:i], ",")
		if !lex.IsDigits(line) || column != "" && !lex.IsDigits(column) {
			continue
		}
		rule, message, ruled := strings.Cut(rest+" ", " : ") // the message may begin with the next line
		if strings.HasPrefix(rest, ": ") {
			rule, message, ruled = "", rest[2:], true
		}
		if !ruled || rule != "" && !(isESLintRule(rule) && strings.ContainsAny(rule, "abcdefghijklmnopqrstuvwxyz")) {
			continue
		}
		h.at = result.Location{Path: s[:open], Line: lex.Atoi(line), Column: lex.Atoi(column)}
		h.isError, h.rule, h.message = severity == "error", rule, strings.TrimSpace(message)
		return h, true
	}
	return h, false
}

// sniffESLintStudio accepts problems with a rule, and parse errors: other lines of this form may be any compiler's.
func sniffESLintStudio(line string) bool {
	h, ok := cutESLintStudio(strings.TrimRight(line, " \t"))
	return ok && (h.rule != "" || isESLintFatal(h.message))
}

// cutStandard reads "  path:3:7: message (rule)".
func cutStandard(s string) (h eslintHead, ok bool) {
	s, indented := strings.CutPrefix(s, "  ")
	warning := strings.HasSuffix(s, ") (warning)")
	s = strings.TrimSuffix(s, " (warning)")
	if !indented || s == "" || s[0] == ' ' || s[len(s)-1] != ')' {
		return h, false
	}
	for i := strings.Index(s, ": "); i >= 0 && i < place.MaxPlace; i = lex.NextIndex(s, ": ", i) {
		at := place.LastColons(s[:i])
		if at == nil {
			continue
		}
		h.at, h.isError = *at, !warning
		h.message = strings.TrimSuffix(s[i+2:], " (null)")
		if h.message, h.rule, h.whole = cutESLintParens(h.message); !h.whole {
			h.whole = isESLintFatal(h.message)
		}
		return h, h.whole && at.Line > 0
	}
	return h, false
}

// sniffStandard accepts problems with a rule, and parse errors, in files with an absolute path.
func sniffStandard(line string) bool {
	h, ok := cutStandard(strings.TrimRight(line, " \t"))
	return ok && (h.rule != "" || isESLintFatal(h.message)) && result.IsAbsolute(h.at.Path)
}

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
