// Package jstest reads the output of programs that run JavaScript and TypeScript: test runners, tools that measure
// coverage, and the runtimes (node, deno, bun) with their own test runners. Tools that check code are in the package
// javascript, build tools in jsbuild. The package jserror reads the errors and stacks that all of them print.
package jstest

import "cairn/parsers/tool"

// Room holds the tools declared in this folder.
var Room tool.Room
