package gitrepo

import (
	"errors"
	"strconv"
	"strings"
)

// The kinds of trouble a caller may want to tell apart with errors.Is. The
// error that carries one of them also carries what was being done, to what,
// and git's own words.
var (
	ErrNotRepository = errors.New("not inside a git repository")
	ErrNoGit         = errors.New("the git program was not found on PATH")
	ErrOldGit        = errors.New("git is too old, version 2.31 or newer is needed")
	ErrUnsafe        = errors.New("git does not trust the owner of this repository (see safe.directory in git help config)")
	ErrBadBranch     = errors.New("not a valid branch name")
	ErrBadPath       = errors.New("not a valid path inside the branch")
	ErrCheckedOut    = errors.New("the branch is checked out in a working tree, so it is not moved")
	ErrRefused       = errors.New("git refused")
	ErrMissing       = errors.New("object is missing from the repository")
)

// Error is a call of git that did not succeed.
type Error struct {
	Op     string // what was being done, to what: "move branch cairn"
	Kind   error  // one of the Err values above, or nil
	Stderr string // git's words, trimmed; may be empty
	Err    error  // the error of the process or of the file, may be nil
}

func (e *Error) Error() string {
	parts := []string{e.Op}
	if e.Kind != nil {
		parts = append(parts, e.Kind.Error())
	}
	if e.Stderr != "" {
		parts = append(parts, e.Stderr)
	} else if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

func (e *Error) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Kind, e.Err} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func quote(s string) string { return strconv.Quote(s) }
