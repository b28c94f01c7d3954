// Package language holds the compilers, interpreters and test libraries of languages that have no package of their
// own: one file for each tool.
package language

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
