// Package jsbuild is the room of what builds, packages and publishes JavaScript: bundlers,
// compilers of scripts and style sheets, generators of sites and documents, package
// managers, and what runs a project's scripts and tasks.
package jsbuild

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
