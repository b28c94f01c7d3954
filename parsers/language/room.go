// Package language is the room of the compilers and interpreters of languages that have no room of
// their own, a file a tool.
package language

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
