// Package exchange declares formats that many tools write for other programs to read: JUnit XML, TAP, SARIF,
// checkstyle and others. Each file declares one format; most of the readers are in parsers/read.
package exchange

import "cairn/parsers/tool"

// Room holds the formats that are declared in this folder.
var Room tool.Room
