// Package dotnet is the room of .NET and Swift: compilers, builds and runners of tests, a file a
// tool.
package dotnet

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
