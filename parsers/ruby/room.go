// Package ruby holds the tools of Ruby and Elixir, one file for each: test runners, linters and package managers.
package ruby

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
