package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// linkerReasons are beginnings of the messages by which linkers give the cause: lld, GNU ld, ld64, link.exe.
var linkerReasons = []string{"undefined symbol: ", "undefined reference to ", "unable to find library ", "cannot find -l", "cannot find ", "duplicate symbol: ", "multiple definition of ",
	"Undefined symbols for architecture ", "library not found for ", "ld: library ", "framework not found ", "unresolved external symbol ", "cannot open input file ", "relocation "}

// linkerEnds are the texts that may follow a reason when its lines are joined.
var linkerEnds = []string{" >>> ", " collect2: ", " clang: ", " ld: ", " /usr/bin/ld", " rust-lld: "}

// explainLinker adds the linker's reason and its place to "linking with `cc` failed: exit status: 1". The reason is in
// a note after the command line:
//
//	= note: rust-lld: error: undefined symbol: nosuch
//	        >>> referenced by main.rs:2 (app/src/main.rs:2)
//	= note: /usr/bin/ld: …rcgu.o: in function `app::main':
//	        /src/app/src/main.rs:2: undefined reference to `nosuch'
func explainLinker(f *result.Finding) {
	if !strings.HasPrefix(f.Message, "linking with `") {
		return
	}
	for _, r := range f.Related {
		said := strings.TrimSpace(r.Message)
		if strings.HasPrefix(said, `"`) {
			continue // the linker's command line
		}
		i := linkerReason(said)
		if i < 0 {
			continue
		}
		f.Message += ": " + strings.Join(linkerReasonsIn(said), "; ")
		if f.At = linkerPlace(said, i); f.At != nil {
			f.Detail = lex.JoinBounded([]string{said}, maxRustcDetail)
		}
		return
	}
}

// maxLinkerReasons bounds how many reasons a message has.
const maxLinkerReasons = 8

// linkerReasonsIn returns the reasons in a text, each once.
func linkerReasonsIn(said string) (all []string) {
	for len(all) < maxLinkerReasons {
		i := linkerReason(said)
		if i < 0 {
			return all
		}
		reason := said[i:]
		for _, end := range linkerEnds {
			reason, _, _ = strings.Cut(reason, end)
		}
		if symbol, _, quoted := strings.Cut(reason, "'"); quoted && strings.HasPrefix(reason, "undefined reference to `") {
			reason = symbol + "'" // the next place may follow on the same line
		}
		said = said[i+len(reason):]
		if reason = strings.TrimSpace(reason); !slices.Contains(all, reason) {
			all = append(all, reason)
		}
	}
	return all
}

// linkerReason is the index where the first reason begins, or -1.
func linkerReason(s string) int {
	first := -1
	for _, reason := range linkerReasons {
		if i := strings.Index(s, reason); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// linkerPlace is the place of the reason at s[i], if it is in a Rust source.
func linkerPlace(s string, i int) *result.Location {
	before := strings.TrimSuffix(s[:i], ": ")
	before = before[strings.LastIndexByte(before, ' ')+1:]
	_, behind, _ := strings.Cut(s[i:], ">>> referenced by ")
	_, behind, _ = strings.Cut(behind, "(")
	behind, _, _ = strings.Cut(behind, ")")
	for _, spot := range []string{before, behind} {
		if path, line, ok := place.CutLineNumber(spot); ok && strings.HasSuffix(path, ".rs") {
			return &result.Location{Path: path, Line: line}
		}
	}
	return nil
}
