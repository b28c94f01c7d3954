package eslint

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

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
