package golang

import (
	"slices"
	"strings"

	"cairn/parsers/text/lex"
)

// What the C compiler, the assembler and the linkers print under the header of a package, in lines without a position.

// isLinkerNoise says whether a line only repeats that something failed, or shows the command that was run.
func isLinkerNoise(s string) bool {
	switch {
	case s == "compilation terminated.", lex.HasAnyPrefix(s, "collect2: error: ", "In file included from ", "asm: assembly of ", "clang: error: linker command failed"):
		return true
	case says(s, " -o $WORK/", "/a.out ", "ld: NOTE: "): // the first two: the command that was run
		return true
	case strings.HasSuffix(s, ":") && says(s, ": In function ", ": in function ", ": At top level:"):
		return true
	}
	return strings.TrimSpace(s) == "cgo:" || strings.HasSuffix(s, " errors for preamble:") // a heading above the C compiler's output
}

// says reports whether a line has one of the marks.
func says(s string, marks ...string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(s, mark) })
}

// isLinkerSummary says whether a line introduces the output of a linker that Go ran.
func isLinkerSummary(s string) bool {
	return strings.Contains(s, "link: running ") && strings.Contains(s, " failed: ")
}

// isLinkerError says whether a line is an error about a missing or duplicate symbol or library, or a tool that was
// killed.
func isLinkerError(s string) bool {
	return says(s,
		": relocation target ", "undefined reference to ", ": function main is undeclared in the main package", "cannot find -l", "library not found for -l",
		"multiple definition of ", "duplicated definition of symbol ", "duplicate symbol ", ": undefined symbol: ", "Undefined symbols for architecture ",
		": signal: killed", ": unknown type name ", ": missing function body", "ld: warning: ", "symbol(s) not found for architecture ",
	)
}

// isToolReason says whether a line without a position is a tool's reason for a package's failure. If not, it is
// the output of another program that ran next.
func isToolReason(s string) bool {
	return isLinkerError(s) || isLinkerSummary(s) || isGoLoad(s) ||
		says(s, "error", "fail", "cannot", "not found", "not defined", "undefined", "no such", "denied", "flag provided", "signal: ", "missing ", "invalid ")
}

// cutLinker drops what varies between runs: "/usr/bin/ld: ", temporary object files and addresses in them.
func cutLinker(s string) string {
	program, rest, ok := strings.Cut(s, ": ")
	if ok && (program == "ld" || strings.HasSuffix(program, "/ld") || strings.HasSuffix(program, "/ld.gold") || strings.HasSuffix(program, "ld.lld")) {
		s = rest
	}
	if i := strings.Index(s, ":(.text"); i >= 0 || strings.HasPrefix(s, "(.text") {
		if _, rest, ok := strings.Cut(s[max(i, 0):], "): "); ok {
			s = rest
		}
	}
	return s
}
