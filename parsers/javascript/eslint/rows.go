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
	return readESLintTable(in, e, eslintTable{row: pretty, isPath: func(text string, blank bool) bool {
		return blank && len(text) > 2 && text[:2] == "  " && text[2] != ' '
	}, total: func(t *eslintTable, text string) bool {
		n, isError, ok := cutPrettyCount(text)
		if ok = ok && (t.open != nil || t.counted); ok {
			t.counts(n, n*lex.Btoi(isError))
		}
		return ok
	}})
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
			return (t.open != nil || t.counted) && strings.HasPrefix(text, "info  - Need to disable some ESLint rules?")
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
// Only the last line says whether they are errors or warnings. There are no counts. In CI warnings fail the build: it
// says so above them, and nothing below.
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
			t.endless = t.endless || text == "Failed to compile."
			t.grave = text == end+"error."
			return (t.open != nil || t.counted) && strings.HasPrefix(text, end)
		},
	})
}

// Other linters print eslint's tables. Its rules show which tables are its own.

// isOwn reports whether a rule is eslint's, or that of a plugin for eslint alone. "Parsing error" is eslint's message
// for a file that does not parse.
func isOwn(f result.Finding) bool {
	if f.Rule == "" {
		return strings.HasPrefix(f.Message, "Parsing error: ")
	}
	return lex.HasAnyPrefix(f.Rule, "@typescript-eslint/", "@stylistic/", "@eslint-community/", "@next/next/", "react/", "react-hooks/", "import/", "jsx-a11y/", "vue/", "n/", "node/", "unicorn/", "promise/", "prettier/") ||
		lex.IsOneOf(f.Rule, coreRules)
}

// coreRules lists the rules that eslint 9 includes, even deprecated ones.
const coreRules = `
accessor-pairs array-bracket-newline array-bracket-spacing array-callback-return array-element-newline arrow-body-style arrow-parens arrow-spacing
block-scoped-var block-spacing brace-style callback-return camelcase capitalized-comments class-methods-use-this comma-dangle comma-spacing
comma-style complexity computed-property-spacing consistent-return consistent-this constructor-super curly default-case-last default-case
default-param-last dot-location dot-notation eol-last eqeqeq for-direction func-call-spacing func-name-matching func-names func-style
function-call-argument-newline function-paren-newline generator-star-spacing getter-return global-require grouped-accessor-pairs guard-for-in
handle-callback-err id-blacklist id-denylist id-length id-match implicit-arrow-linebreak indent-legacy indent init-declarations jsx-quotes key-spacing
keyword-spacing line-comment-position linebreak-style lines-around-comment lines-around-directive lines-between-class-members
logical-assignment-operators max-classes-per-file max-depth max-len max-lines-per-function max-lines max-nested-callbacks max-params
max-statements-per-line max-statements multiline-comment-style multiline-ternary new-cap new-parens newline-after-var newline-before-return
newline-per-chained-call no-alert no-array-constructor no-async-promise-executor no-await-in-loop no-bitwise no-buffer-constructor no-caller
no-case-declarations no-catch-shadow no-class-assign no-compare-neg-zero no-cond-assign no-confusing-arrow no-console no-const-assign
no-constant-binary-expression no-constant-condition no-constructor-return no-continue no-control-regex no-debugger no-delete-var no-div-regex
no-dupe-args no-dupe-class-members no-dupe-else-if no-dupe-keys no-duplicate-case no-duplicate-imports no-else-return no-empty-character-class
no-empty-function no-empty-pattern no-empty-static-block no-empty no-eq-null no-eval no-ex-assign no-extend-native no-extra-bind no-extra-boolean-cast
no-extra-label no-extra-parens no-extra-semi no-fallthrough no-floating-decimal no-func-assign no-global-assign no-implicit-coercion
no-implicit-globals no-implied-eval no-import-assign no-inline-comments no-inner-declarations no-invalid-regexp no-invalid-this
no-irregular-whitespace no-iterator no-label-var no-labels no-lone-blocks no-lonely-if no-loop-func no-loss-of-precision no-magic-numbers
no-misleading-character-class no-mixed-operators no-mixed-requires no-mixed-spaces-and-tabs no-multi-assign no-multi-spaces no-multi-str
no-multiple-empty-lines no-native-reassign no-negated-condition no-negated-in-lhs no-nested-ternary no-new-func no-new-native-nonconstructor
no-new-object no-new-require no-new-symbol no-new-wrappers no-new no-nonoctal-decimal-escape no-obj-calls no-object-constructor no-octal-escape
no-octal no-param-reassign no-path-concat no-plusplus no-process-env no-process-exit no-promise-executor-return no-proto no-prototype-builtins
no-redeclare no-regex-spaces no-restricted-exports no-restricted-globals no-restricted-imports no-restricted-modules no-restricted-properties
no-restricted-syntax no-return-assign no-return-await no-script-url no-self-assign no-self-compare no-sequences no-setter-return
no-shadow-restricted-names no-shadow no-spaced-func no-sparse-arrays no-sync no-tabs no-template-curly-in-string no-ternary no-this-before-super
no-throw-literal no-trailing-spaces no-unassigned-vars no-undef-init no-undef no-undefined no-underscore-dangle no-unexpected-multiline
no-unmodified-loop-condition no-unneeded-ternary no-unreachable-loop no-unreachable no-unsafe-finally no-unsafe-negation no-unsafe-optional-chaining
no-unused-expressions no-unused-labels no-unused-private-class-members no-unused-vars no-use-before-define no-useless-assignment
no-useless-backreference no-useless-call no-useless-catch no-useless-computed-key no-useless-concat no-useless-constructor no-useless-escape
no-useless-rename no-useless-return no-var no-void no-warning-comments no-whitespace-before-property no-with nonblock-statement-body-position
object-curly-newline object-curly-spacing object-property-newline object-shorthand one-var-declaration-per-line one-var operator-assignment
operator-linebreak padded-blocks padding-line-between-statements prefer-arrow-callback prefer-const prefer-destructuring
prefer-exponentiation-operator prefer-named-capture-group prefer-numeric-literals prefer-object-has-own prefer-object-spread
prefer-promise-reject-errors prefer-reflect prefer-regex-literals prefer-rest-params prefer-spread prefer-template preserve-caught-error quote-props
quotes radix require-atomic-updates require-await require-unicode-regexp require-yield rest-spread-spacing semi-spacing semi-style semi sort-imports
sort-keys sort-vars space-before-blocks space-before-function-paren space-in-parens space-infix-ops space-unary-ops spaced-comment strict
switch-colon-spacing symbol-description template-curly-spacing template-tag-spacing unicode-bom use-isnan valid-typeof vars-on-top wrap-iife
wrap-regex yield-star-spacing yoda
`
