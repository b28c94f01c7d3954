// Package vcs holds the tools of version control, one file for each: git, gh, Mercurial, Subversion and their hooks.
package vcs

import "cairn/parsers/tool"

// Room holds the tools that are declared in this package.
var Room tool.Room
