package rust

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read/frame"
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

// rustSaid are failed assertions of the crates googletest and assert2. They have more details than the panic or the
// error that follows, and there may be several:
//
//	Value of: vec![1, 2]                  Assertion failed at src/lib.rs:33:20:
//	Expected: contains 9                    check!( 1 + 1 == 3 )
//	Actual: [1, 2],                       with expansion:
//	  which does not contain it             2 == 3
//	  at src/lib.rs:62:46
type rustSaid struct {
	all  []rustAssertion
	part *string // the part of the last assertion that is being read
}

type rustAssertion struct {
	value, expected, actual string
	at                      *result.Location
	plain                   bool // assert2: value is the whole text
}

const (
	googletestStart = "Value of: "
	assert2Start    = "Assertion failed at "
)

// line takes a line that belongs to an assertion.
func (r *rustSaid) line(s string) bool {
	if rest, ok := strings.CutPrefix(s, googletestStart); ok {
		r.open(rustAssertion{value: rest})
		return true
	}
	if rest, ok := strings.CutPrefix(s, assert2Start); ok {
		at, ok := frame.Rust(strings.TrimSuffix(rest, ":"))
		if ok {
			r.open(rustAssertion{at: &at, plain: true})
		}
		return ok
	}
	if r.part == nil {
		return false
	}
	r.inside(s)
	return true
}

func (r *rustSaid) open(a rustAssertion) {
	if r.part = nil; len(r.all) < maxRustcRelated {
		r.all = append(r.all, a)
		r.part = &r.all[len(r.all)-1].value
	}
}

func (r *rustSaid) inside(s string) {
	a := &r.all[len(r.all)-1]
	if expected, ok := strings.CutPrefix(s, "Expected: "); ok && !a.plain {
		a.expected, r.part = expected, &a.expected
		return
	}
	if actual, ok := strings.CutPrefix(s, "Actual: "); ok && !a.plain {
		a.actual, r.part = actual, &a.actual
		return
	}
	if spot, ok := strings.CutPrefix(s, "  at "); ok && a.at == nil {
		if at, ok := frame.Rust(spot); ok {
			a.at, r.part = &at, nil
			return
		}
	}
	if s = strings.TrimSpace(s); s == "" {
		r.part = nil
	} else if len(*r.part) < maxRustError {
		*r.part = strings.TrimSpace(*r.part + " " + s)
	}
}

func (a *rustAssertion) message() string {
	if a.plain {
		return "assertion failed: " + a.value
	}
	m := googletestStart + a.value
	if a.expected != "" {
		m += " Expected: " + a.expected
	}
	if a.actual != "" {
		m += " Actual: " + a.actual
	}
	return m
}

// fill makes the first assertion the finding, and related notes of the others.
func (r *rustSaid) fill(f *result.Finding) bool {
	if len(r.all) == 0 {
		return false
	}
	first := &r.all[0]
	f.Message, f.Expected, f.Actual = first.message(), first.expected, first.actual
	f.At = cmp.Or(first.at, f.At)
	for i := range r.all[1:] {
		f.Related = append(f.Related, result.Related{Message: r.all[i+1].message(), At: r.all[i+1].at})
	}
	return true
}

// fillSaid reads an assertion that is the message itself.
func fillSaid(f *result.Finding, text []string) {
	var said rustSaid
	i := slices.IndexFunc(text, func(s string) bool { return strings.HasPrefix(strings.TrimPrefix(s, "Error: "), googletestStart) })
	if i != 0 {
		return
	}
	for _, s := range text {
		said.line(strings.TrimPrefix(s, "Error: "))
	}
	said.fill(f)
}

// commandFailed returns the command and its exit code, which the crate assert_cmd prints below "Unexpected failure.".
func commandFailed(text []string) (said string) {
	if !strings.HasPrefix(text[0], "Unexpected ") {
		return ""
	}
	for _, s := range text[1:] {
		if (strings.HasPrefix(s, "command=") || strings.HasPrefix(s, "code=")) && !strings.Contains(said, s) && len(said)+len(s) < maxRustError {
			said += " " + s
		}
	}
	return said
}
