package trace

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
)

// IsFrameSource: "> 1 | let b", "  2 | debugger;" or "    |    ^".
func IsFrameSource(s string) bool {
	margin, _, ok := strings.Cut(s, "|")
	return ok && strings.Trim(margin, "> 0123456789") == ""
}

// IsScriptTail: what package managers print after a script that failed.
func IsScriptTail(s string) bool { return shell.IsScriptTail(s) }

// ClassOf is the class of the exception that a message begins with, without
// its module: "shop.cart.OutOfStock: only 2" gives "OutOfStock".
func ClassOf(message string) string {
	if strings.HasPrefix(message, "assert ") {
		return "AssertionError"
	}
	name, _, colon := strings.Cut(message, ":")
	if !colon && strings.ContainsAny(name, " ") {
		return ""
	}
	name = strings.ReplaceAll(name, "<locals>", "locals")
	for part := range strings.SplitSeq(name, ".") {
		if !lex.IsIdentifier(part) {
			return ""
		}
	}
	return lex.LastPart(name)
}

// IsThrown tells what was thrown from the source above it: "RangeError: …".
func IsThrown(s string) bool {
	name, _, _ := strings.Cut(s, ":")
	return strings.HasSuffix(name, "Error") && !strings.ContainsAny(name, " \t(")
}
