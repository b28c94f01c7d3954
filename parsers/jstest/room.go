// Package jstest is the room of what runs JavaScript and TypeScript: runners of
// tests, what measures their coverage, and the runtimes (node, deno, bun) with the runners
// that they bring. What checks stands in the room javascript, what builds in jsbuild; what
// they all know of errors and stacks is the reader jserror.
package jstest

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
