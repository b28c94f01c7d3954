// Package c is the room of C, C++ and what is built with them: compilers, linkers, make,
// cmake, ninja and meson, runners of tests and linters, a file a tool.
package c

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
