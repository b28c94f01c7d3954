// Package python declares Python's tools: linters, formatters, type checkers, test runners and installers. Each tool
// has one file, except that pytest, mypy and ruff, which print in many formats, have a folder each.
package python

import "cairn/parsers/tool"

// Room holds the tools that are declared in this folder.
var Room tool.Room
