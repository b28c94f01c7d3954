// Package python is the room of Python's tools beside pytest, which has a room of its own:
// linters, formatters, type checkers, runners of tests and installers, a file a tool.
// mypy and ruff, which print in many formats, have several files each.
package python

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
