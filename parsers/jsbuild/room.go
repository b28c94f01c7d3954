// Package jsbuild reads the output of tools that build, package and publish JavaScript: bundlers, compilers of
// scripts and style sheets, generators of sites and documents, package managers, and runners of a project's scripts
// and tasks.
package jsbuild

import "cairn/parsers/tool"

// Room holds the tools declared in this folder.
var Room tool.Room
