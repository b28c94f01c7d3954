package golang

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/result"
)

// goLoadStarts begin the lines in which the go command says, without a package header, why it cannot start: packages
// that do not exist, import cycles, files that do not belong together.
var goLoadStarts = []string{
	"package … is not in ", "package …: build constraints exclude ", "package …: no Go files in ", "package … is not a main package", "package …: import ",
	"package …: cannot find package", "package …: malformed ",
	"found packages ", "no required module provides package ", "no Go files in ", "named files must ", "cannot find package ", "cannot find module providing package ",
	"pattern …: ", "directory … outside main module", "directory … outside available modules", "stat …: directory not found", "malformed import path ",
	"can't load package: ", "import cycle not allowed", "error obtaining VCS status: ", "missing go.sum entry ", "verifying …: checksum mismatch", "main module (",
	"build constraints exclude all Go files in ", "build flag ", "current directory outside ", "go build …: ", "go build: ", "go install …: ", "go install: ", "go run: ", "go vet: ", "go get: ", "go mod …: ",
	"build …: cannot load ", "no such tool ", "go: ",
}

// isGoLoad says whether a line begins like one of goLoadStarts.
func isGoLoad(s string) bool {
	if rest, ok := strings.CutPrefix(s, "package "); ok {
		pkg, more, _ := strings.Cut(rest, " ")
		if !isImportPath(strings.TrimSuffix(pkg, ":")) {
			return false
		}
		if more == "" || strings.Contains(pkg, "/") && !strings.HasPrefix(more, "//") {
			return true // a chain of imports follows
		}
	}
	for _, start := range goLoadStarts {
		begin, later, _ := strings.Cut(start, "…")
		if rest, ok := strings.CutPrefix(s, begin); ok && strings.Contains(rest, later) {
			return !isGoChatter(s) && !isGoEcho(s)
		}
	}
	return false
}

// isGoEcho says whether a line is a command ("go test -v ./...") that make or set -x printed before running it. A
// message of the go command has at most one word between "go" and its first colon.
func isGoEcho(s string) bool {
	rest, ok := strings.CutPrefix(s, "go ")
	who, _, _ := strings.Cut(rest, ": ")
	_, args, _ := strings.Cut(who, " ")
	return ok && (strings.Contains(args, " ") || strings.HasPrefix(args, "-"))
}

// isGoChatter says whether a line only shows the go command's progress ("go: downloading …").
func isGoChatter(s string) bool {
	rest, ok := strings.CutPrefix(s, "go: ")
	if !ok {
		return false
	}
	return lex.HasAnyPrefix(rest,
		"downloading ", "finding ", "found ", "added ", "upgraded ", "downgraded ", "removed ", "creating new ", "extracting ", "to add module requirements",
		"copying requirements", "no module dependencies", "trying upgrade", "updating go.", "all modules verified",
	)
}

// loadMessages are parts of errors about a file that the go command finds before it compiles, and prints without
// a header. No other program prints them with a place.
var loadMessages = []string{
	"no required module provides package ", "cannot find module providing package ", "cannot find package \"", " is not in std (", " is not in GOROOT (",
	"missing go.sum entry for module providing package ", "expected 'package', found ", "use of internal package ", "use of vendored package ",
	" is a program, not an importable package", "build constraints exclude all Go files ", "ambiguous import: found package ", "no matching files found", "running \"",
}

// isGoLoadMessage says whether go build prints this message with a place but without a header.
func isGoLoadMessage(message string) bool { return says(message, loadMessages...) }

// fillReason completes a diagnostic that has no place: the package it is about, and the lines after the first.
// A message such as "go: a imports" continues on the next line.
func fillReason(f *result.Finding, text []string) (rest []string) {
	f.Message = strings.TrimPrefix(f.Message, "go: ")
	for len(text) > 0 && (strings.HasSuffix(f.Message, " imports") || strings.HasSuffix(f.Message, " tested by") || strings.HasSuffix(f.Message, " requires")) {
		f.Message, text = f.Message+" "+text[0], text[1:]
	}
	if len(text) > 0 && strings.HasSuffix(f.Message, ":") && !strings.HasSuffix(f.Message, " it:") && !strings.HasSuffix(f.Message, " add:") {
		f.Message, text = f.Message+" "+text[0], text[1:] // the line that the message introduces
	}
	if rest, ok := strings.CutPrefix(f.Message, "warning: "); ok {
		f.Message, f.Kind, f.Severity, f.RawSeverity = rest, result.Diagnostic, result.SevWarning, "warning"
	}
	s := f.Message
	switch {
	case strings.HasPrefix(s, "found packages ") && strings.Contains(s, " in "):
		fillPackagesFound(f)
	case strings.HasPrefix(s, "stat ") && strings.HasSuffix(s, ": directory not found"):
		f.At = &result.Location{Path: strings.TrimSuffix(strings.TrimPrefix(s, "stat "), ": directory not found")}
	case lex.HasAnyPrefix(s, "package ", "pattern ", "directory "):
		_, s, _ = strings.Cut(s, " ")
		f.ID, _, _ = strings.Cut(s, " ")
		f.ID = strings.TrimSuffix(f.ID, ":")
	default:
		if _, pkg, ok := strings.Cut(s, " package "); ok && !strings.HasPrefix(s, "no Go ") {
			f.ID = strings.Trim(strings.Fields(pkg + " .")[0], `;:,"`)
		}
	}
	return text
}

// fillPackagesFound reads the files of "found packages main (a.go) and other (b.go) in DIR".
func fillPackagesFound(f *result.Finding) {
	i := strings.LastIndex(f.Message, " in ")
	dir := f.Message[i+len(" in "):]
	for part := range strings.SplitSeq(f.Message[:i], "(") {
		file, _, ok := strings.Cut(part, ")")
		if !ok || !strings.HasSuffix(file, ".go") {
			continue
		}
		at := &result.Location{Path: path.Join(strings.ReplaceAll(dir, `\`, "/"), file)}
		if f.At == nil {
			f.At = at
		} else {
			f.Locations = append(f.Locations, *at)
		}
	}
}

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
