// Package ruby is the room of Ruby's and Elixir's tools: runners of tests, linters and package
// managers, a file a tool.
package ruby

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
