// Package tsc understands the TypeScript compiler, and the compilers and bundlers
// that print its diagnostics.
package tsc

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
