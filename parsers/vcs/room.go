// Package vcs is the room of version control and what it runs: git and hooks such as
// pre-commit, a file a tool.
package vcs

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
