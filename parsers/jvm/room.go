// Package jvm is the room of Java, Kotlin, Scala and Groovy: compilers, build tools, runners
// of tests and linters, a file a tool.
package jvm

import "cairn/parsers/tool"

// Room holds what is declared in this folder.
var Room tool.Room
