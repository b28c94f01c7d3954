// Package rust understands cargo, rustc, libtest and nextest. They are one room
// because each of them shows what the others print.
package rust

import "cairn/parsers/tool"

// Room holds the parsers that this folder declares.
var Room tool.Room
