package javascript

import (
	"cairn/parsers/javascript/eslint"
	"cairn/parsers/tool"
)

// The folder eslint has eslint itself, and the linters that print with eslint's formatters.
var (
	_ = Room.Add("eslint eslint_d", eslint.Declare, tool.WritesFiles)
	_ = Room.Add("textlint", eslint.Textlint)
	_ = Room.Add("html-validate", eslint.HTMLValidate)
	_ = Room.Add("linthtml", eslint.LintHTML)
	_ = Room.Add("sass-lint", eslint.SassLint)
	_ = Room.Add("secretlint", eslint.Secretlint)
	_ = Room.Add("solhint", eslint.Solhint)
)
