package frame

import (
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// C reads frames that sanitizers print: "#0 0x5d in main /src/as.c:10:5" and, with the module, "#0 main
// /src/as.c:10 (as+0x5d)".
func C(text string) (at result.Location, ok bool) {
	if !strings.HasPrefix(text, "#") {
		return at, false
	}
	_, rest, ok := strings.Cut(text, " in ")
	if !ok {
		_, rest, ok = strings.Cut(text, " ")
	}
	for module := strings.LastIndex(rest, " ("); module > 0 && strings.HasSuffix(rest, ")"); module = strings.LastIndex(rest, " (") {
		rest = rest[:module] // and the id of its build
	}
	i := strings.LastIndexByte(rest, ' ')
	at, _, placed := place.Cut(rest[i+1:])
	at.Function = rest[:max(i, 0)]
	at.External = IsRuntimeC(at.Path)
	return at, ok && placed
}

// IsRuntimeC reports whether a path belongs to the C library or the compiler's runtime, or is installed. For tools
// that print only names of files, it knows the C library's.
func IsRuntimeC(path string) bool {
	return lex.IsOneOf(path, "clone.S start.S clone-internal.c pthread_create.c libc-start.c libc_start_call_main.h") || lex.HasAnyPrefix(path, "../", "/usr/", "./nptl/", "./stdlib/", "./assert/", "./debug/", "./malloc/", "./string/", "./csu/", "csu/../") || strings.Contains(path, "/sysdeps/") || strings.Contains(path, "/libsanitizer/") ||
		strings.Contains(path, "/llvm-project/") || strings.Contains(path, "/compiler-rt/")
}

// Addressed reads "at 0x109204: f (as.c:9)" and "by 0x109204: main (as.c:12)". The path is only the name of the
// file.
func Addressed(text string) (at result.Location, ok bool) {
	if !strings.HasPrefix(text, "at 0x") && !strings.HasPrefix(text, "by 0x") {
		return at, false
	}
	_, rest, _ := strings.Cut(text, ": ")
	i := strings.LastIndex(rest, " (")
	if i < 0 {
		return at, false
	}
	path, line, ok := place.CutLineNumber(strings.TrimSuffix(rest[i+2:], ")"))
	at = result.Location{Path: path, Line: line, Function: rest[:i]}
	at.External = strings.HasPrefix(path, "../") || lex.IsOneOf(path, "printf.c vfprintf-internal.c vfprintf-process-arg.c _itoa.c vg_replace_malloc.c vg_replace_strmem.c pthread_kill.c raise.c abort.c assert.c")
	return at, ok
}

// Zig reads "/src/a.zig:5:5: 0x10 in test.adds (test)".
func Zig(text string) (at result.Location, ok bool) {
	at, rest, ok := place.Cut(text)
	if !ok || !strings.HasPrefix(rest, "0x") {
		return at, false
	}
	_, at.Function, _ = strings.Cut(rest, " in ")
	at.Function, _, _ = strings.Cut(at.Function, " (")
	for _, dir := range [...]string{"/lib/std/", "/lib/zig/", "/lib/compiler/", "/lib/compiler_rt"} {
		at.External = at.External || strings.Contains(at.Path, dir)
	}
	return at, true
}

// OCaml reads `Called from Rt in file "rt.ml", line 2, characters 16-22`; characters are counted from 0.
func OCaml(text string) (at result.Location, ok bool) {
	_, spot, ok := strings.Cut(text, ` in file "`)
	at, rest, placed := place.Cut(strings.Replace(spot, `"`, "", 1))
	if _, chars, has := strings.Cut(rest, "characters "); has {
		at.Column = lex.LeadingNumber(chars) + 1
	}
	at.External = strings.Contains(text, "Stdlib")
	return at, ok && placed
}

// Go reads the second line of a frame, "/src/a.go:12 +0x1f"; the function stands on
// the line above it.
func Go(text string) (at result.Location, ok bool) {
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, ".go:"); i >= 0 {
		if end := strings.IndexByte(text[i:], ' '); end >= 0 {
			text = text[:i+end]
		}
	}
	path, n, ok := place.CutLineNumber(text)
	return result.Location{Path: path, Line: n}, ok
}

// Rust reads the second line of a frame, "at ./src/lib.rs:61:9"; the function stands
// on the line above it. A place that stands alone has no "at".
func Rust(text string) (at result.Location, ok bool) {
	spot := strings.TrimSuffix(strings.TrimPrefix(text, "at "), ":0")
	file, n, ok := place.CutLineNumber(spot)
	if !ok {
		return at, false
	}
	if path, line, two := place.CutLineNumber(file); two {
		return result.Location{Path: path, Line: line, Column: n}, true
	}
	return result.Location{Path: file, Line: n}, strings.HasSuffix(file, ".rs") || strings.HasSuffix(text, ":0")
}

// IsRustLibrary: a source of the toolchain or of a dependency.
func IsRustLibrary(path string) bool {
	return lex.HasAnyPrefix(path, "/rustc/", `library\`, "library/std/", "library/core/", "src/libstd/", "src/libcore/") ||
		strings.Contains(path, "/rustlib/src/rust/") || strings.Contains(path, "/registry/src/") || strings.Contains(path, "/.cargo/git/checkouts/")
}
