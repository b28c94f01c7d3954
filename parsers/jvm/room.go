// Package jvm declares the tools for Java, Kotlin, Scala, Groovy and Clojure: compilers, build tools, test
// runners and linters, most with one file each.
package jvm

import (
	"strings"

	"cairn/parsers/tool"
	"cairn/result"
)

// Room holds the tools that are declared in this folder.
var Room tool.Room

// classAndMethod returns "com.acme.SumTest#adds" for "com.acme.SumTest.adds". Parameters and the number of a run stay
// behind the method. The id of a class that failed as a whole is returned unchanged.
func classAndMethod(f *result.Finding) string {
	name, _, _ := strings.Cut(f.ID, "(")
	i := strings.LastIndexByte(name, '.')
	if i > 0 && isUpper(name[i+1:]) && !isUpper(name[strings.LastIndexByte(name[:i], '.')+1:]) {
		return f.ID
	}
	if i > 0 {
		return f.ID[:i] + "#" + f.ID[i+1:]
	}
	return ""
}

// surefireTest returns a test as surefire selects it, without parameters: all runs of the method.
func surefireTest(f *result.Finding) string {
	name, _, _ := strings.Cut(classAndMethod(f), "(")
	return name
}

// gradleFilter returns a test as --tests selects it: for the failed set-up of a class, the class.
func gradleFilter(f *result.Finding) string { return strings.TrimSuffix(f.ID, ".classMethod") }

// isUpper reports whether s begins with a capital, as names of classes do, but not those of packages and methods.
func isUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
