// Package ambiguous is the error for the beginning of an id that several ids share: of
// runs, objects and findings alike, so that it has one text for people and one type for
// programs. Only that error belongs here.
package ambiguous

import (
	"fmt"
	"strings"
)

// Most bounds Error.Candidates.
const Most = 20

// Error lists what the beginning of an id may mean.
type Error struct {
	Prefix     string
	Candidates []string // at most Most, the most likely first
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
