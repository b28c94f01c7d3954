// Package jvm declares the tools for Java, Kotlin, Scala, Groovy and Clojure: compilers, build tools, test
// runners and linters, most with one file each.
package jvm

import "cairn/parsers/tool"

// Room holds the tools that are declared in this folder.
var Room tool.Room
