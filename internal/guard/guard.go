// Package guard keeps a panic of code that reads what others wrote from ending a
// command that was only being recorded.
//
// It promises that Do returns whatever its function does, short of what the runtime
// itself cannot survive (no memory, no stack, a map that is written from two sides), and
// that the error says what was being done, why it broke off and at which line of this
// program. It promises nothing of the state that the function leaves behind: a caller
// puts away what the function was making.
//
// Every recover of the program is here; a test of the house sees to it.
package guard

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Broken says that code broke off by a panic.
type Broken struct {
	What string // was being done, or who did it: "the pytest parser"
	Why  string // text of the panic, bounded
	At   string // the line of this program: "parsers/pytest/summary.go:31"
}

func (b *Broken) Error() string { return fmt.Sprintf("%s broke off: %s (%s)", b.What, b.Why, b.At) }

// Do calls f. A panic of f is returned as an error; what says what was being done.
func Do(what string, f func()) (err error) {
	defer Catch(what, &err)
	f()
	return nil
}

// Catch puts a panic into *err. It is for a defer statement of its own. A panic that
// passed a Catch already keeps the name that it was given there.
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

// maxWhy bounds the text of a panic, which may quote what was read, in bytes.
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

// module is how the names of this program's functions begin.
const module = "cairn/"

// site is the innermost line of this program that the panic left.
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
