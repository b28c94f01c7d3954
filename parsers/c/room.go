// Package c reads the output of tools for C and C++, and for what is built with them: compilers, linkers, make,
// cmake, ninja and meson, test runners and linters. Each tool has a file.
package c

import "cairn/parsers/tool"

// Room holds the tools declared in this folder.
var Room tool.Room
