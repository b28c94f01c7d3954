package rust

import (
	"slices"
	"strings"

	"cairn/parsers/read/frame"
	"cairn/result"
)

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
	if first.at != nil {
		f.At = first.at
	}
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
