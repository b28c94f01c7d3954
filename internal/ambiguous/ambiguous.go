// Package ambiguous is the error of an id that was given by its beginning, where
// several begin so: of runs, objects and findings alike, so that a person reads it
// in one form and a program tells it by one type. Only that error belongs here.
package ambiguous

import (
	"fmt"
	"strings"
)

// Most bounds the list of candidates.
const Most = 20

// Error lists what the beginning of an id may mean.
type Error struct {
	Prefix     string
	Candidates []string // at most Most, those first that are likeliest meant
	Total      int
}

// New is the error for a prefix of all these ids.
func New(prefix string, all []string) *Error {
	return &Error{Prefix: prefix, Candidates: all[:min(len(all), Most)], Total: len(all)}
}

func (e *Error) Error() string {
	more := ""
	if n := e.Total - len(e.Candidates); n > 0 {
		more = fmt.Sprintf("\n  and %d more", n)
	}
	return fmt.Sprintf("%q is the beginning of %d ids; give more of one:\n  %s%s", e.Prefix, e.Total, strings.Join(e.Candidates, "\n  "), more)
}
