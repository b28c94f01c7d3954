// Package javascript is the room of JavaScript's and TypeScript's tools beside
// eslint and tsc, which have rooms of their own, and beside what runs programs
// and tests, which is in the room jstest: linters, formatters, bundlers, package
// managers and runners of workspaces, a file a tool.
package javascript

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
