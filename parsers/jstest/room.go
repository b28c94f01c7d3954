// Package jstest is the room of what runs JavaScript and TypeScript: runners of
// tests, and the runtimes (node, deno, bun) with the runners that they bring. What
// checks, builds and packages stands in the room javascript; what both know of
// errors and stacks is the reader jserror.
package jstest

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
