// Package php holds the tools of PHP and Perl, one file for each: test runners, linters and package managers.
package php

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
