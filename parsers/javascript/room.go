// Package javascript reads the output of tools that check JavaScript, TypeScript, style sheets and the other files of
// such projects: type checkers, linters, formatters, and checkers of links, packages and dependencies. Each tool has
// one file, except tsc, whose many formats need several, and eslint, which with its formatters has a folder. Build
// tools are in the package jsbuild; programs that run code or tests, in jstest.
package javascript

import "cairn/parsers/tool"

// Room holds the tools declared in this folder.
var Room tool.Room
