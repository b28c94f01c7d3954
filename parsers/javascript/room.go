// Package javascript is the room of what checks JavaScript, TypeScript, style sheets and the
// other files of such projects: type checkers, linters, formatters, checkers of links,
// packages and dependencies, a file a tool. tsc, which prints in many formats, has several
// files, and eslint with its formatters a folder. What builds is in the room jsbuild, what
// runs programs and tests in jstest.
package javascript

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
