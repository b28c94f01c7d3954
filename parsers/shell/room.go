// Package shell holds the shells and the tools for shell scripts and Lua: linters, formatters and test runners.
package shell

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
