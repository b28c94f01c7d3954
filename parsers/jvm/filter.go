package jvm

import (
	"strings"

	"cairn/result"
)

// classAndMethod is "com.acme.SumTest#adds" of "com.acme.SumTest.adds". What tells
// the invocations of one method apart stays behind it.
func classAndMethod(f *result.Finding) string {
	name, _, _ := strings.Cut(f.ID, "(")
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return f.ID[:i] + "#" + f.ID[i+1:]
	}
	return ""
}
