// Package javascript is the room of JavaScript's and TypeScript's tools beside what runs
// programs and tests, which is in the room jstest: compilers, linters, formatters,
// bundlers, package managers and runners of workspaces, a file a tool. eslint and tsc,
// which print in many formats, have several files each.
package javascript

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
