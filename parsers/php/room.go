// Package php is the room of PHP's and Perl's tools: runners of tests, linters and package
// managers, a file a tool.
package php

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
