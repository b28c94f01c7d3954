package jvm

import (
	"strings"

	"cairn/result"
)

// classAndMethod is "com.acme.SumTest#adds" of "com.acme.SumTest.adds". What tells
// the invocations of one method apart stays behind it. A class that failed as a whole
// stays as it is.
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

// surefireTest is a test as surefire selects it: of one with parameters, all rows.
func surefireTest(f *result.Finding) string {
	name, _, _ := strings.Cut(classAndMethod(f), "(")
	return name
}

// gradleFilter is a test as --tests selects it: where a class's set-up failed, the class.
func gradleFilter(f *result.Finding) string { return strings.TrimSuffix(f.ID, ".classMethod") }

// isUpper: it begins as the names of classes do, and those of packages and methods do not.
func isUpper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
