// Package exchange is the room of formats that any tool may write so that others
// can read them: JUnit XML, TAP, SARIF, checkstyle. A file declares one format;
// how it is read is in parsers/read.
package exchange

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
