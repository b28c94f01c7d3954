// Package mypy understands mypy and dmypy: text, pretty, JSON and the reports that
// --junit-xml asks for.
package mypy

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
