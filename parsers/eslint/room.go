// Package eslint understands eslint in its own formats and those of its
// formatters, and the programs that print as eslint does.
package eslint

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
