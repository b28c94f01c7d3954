// Package guard keeps a panic in code that reads foreign data from ending a command
// that was only being recorded.
//
// It promises that Do returns whatever its function does, except for errors that the
// runtime itself cannot survive (no memory, no stack, concurrent writes to a map), and
// that the error says what was being done, why it broke off and at which line of this
// program. It promises nothing about the state that the function leaves behind: a
// caller discards what the function was making.
//
// Only this package calls recover; a test checks that.
package guard

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Broken is the error for a panic.
type Broken struct {
	What string // what was being done, or by which part: "the pytest parser"
	Why  string // text of the panic, at most maxWhy bytes
	At   string // the line of this program: "parsers/pytest/summary.go:31"
}

func (b *Broken) Error() string { return fmt.Sprintf("%s broke off: %s (%s)", b.What, b.Why, b.At) }

// Do calls f. A panic of f is returned as an error; what says what was being done.
func Do(what string, f func()) (err error) {
	defer Catch(what, &err)
	f()
	return nil
}

// Catch turns a panic into *err. It needs a defer statement of its own. A panic that
// another Catch has handled keeps the name given there.
func Catch(what string, err *error) {
	p := recover()
	if p == nil {
		return
	}
	if e, ok := p.(error); ok {
		if b := (*Broken)(nil); errors.As(e, &b) {
			*err = b
			return
		}
	}
	*err = &Broken{What: what, Why: bounded(fmt.Sprint(p)), At: site()}
}

// maxWhy bounds the text of a panic, in bytes, since it may quote the data.
const maxWhy = 200

func bounded(s string) string {
	if len(s) <= maxWhy {
		return s
	}
	n := maxWhy
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// module begins the names of this program's functions.
const module = "cairn/"

// site is the innermost line of this program in the panic's stack.
func site() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for panicked := false; ; {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic" || f.Function == "panic":
			panicked = true
		case panicked && strings.HasPrefix(f.Function, module):
			dir := path.Dir(strings.TrimPrefix(f.Function, module) + "/")
			if i := strings.IndexByte(path.Base(dir), '.'); i >= 0 { // "parsers/pytest.(*reader).line"
				dir = path.Join(path.Dir(dir), path.Base(dir)[:i])
			}
			return fmt.Sprintf("%s/%s:%d", dir, path.Base(f.File), f.Line)
		}
		if !more {
			return "at an unknown line"
		}
	}
}
