// Package python is the room of Python's tools beside pytest, mypy and ruff, which
// have rooms of their own: linters, formatters, type checkers, runners of tests
// and installers, a file a tool.
package python

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
