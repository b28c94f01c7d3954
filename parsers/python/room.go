// Package python is the room of Python's tools: linters, formatters, type checkers, runners
// of tests and installers, a file a tool. pytest, mypy and ruff, which print in many
// formats, have a folder each.
package python

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
