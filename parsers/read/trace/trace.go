package trace

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/text/shell"
)

// IsFrameSource reports whether s is a line of source in a code frame: "> 1 | let b", "    |    ^".
func IsFrameSource(s string) bool {
	margin, _, ok := strings.Cut(s, "|")
	return ok && strings.Trim(margin, "> 0123456789") == ""
}

// IsScriptTail reports whether s is a line that package managers print after a failed script.
func IsScriptTail(s string) bool { return shell.IsScriptTail(s) }

// ClassOf returns the class of the exception at the start of a message, without its module: "OutOfStock" for
// "shop.cart.OutOfStock: only 2". It returns "" if there is no class.
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

// IsThrown reports whether s is the line of an exception, "RangeError: …", and not the source shown above it.
func IsThrown(s string) bool {
	name, _, _ := strings.Cut(s, ":")
	return strings.HasSuffix(name, "Error") && !strings.ContainsAny(name, " \t(")
}
