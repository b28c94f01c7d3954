// Package shell is the room of tools for shell scripts: linters, formatters, and
// runners of tests written in shell.
package shell

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
