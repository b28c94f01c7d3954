// Package runfile reads and writes the file run of a golden case, beside stdout and stderr. It knows only the format,
// so that the tests of package golden, the tests of parsers and the commands that measure read cases alike.
//
// The file run is text, one fact per line, in this order; only cmd, cwd and exit are
// required:
//
//	cmd: the shell line, exactly as it was run
//	cwd: the absolute directory it ran in
//	version: of the tool
//	exit: an exit code in decimal, the name of the signal that ended the run
//	      ("SIGSEGV"), or "timeout"
//	root: the top of the workspace, where that is not cwd
//	env: NAME=VALUE, set beside the usual variables
//	same: which other cases show the same run
//	order: the order in which the streams were read, in the format of
//	       internal/streams; without it all of stdout comes first
//	truth: what a person sees in the output, see package golden
//
// Each further line of a value begins with a tab, which is not part of it. The files stdout and stderr have the exact
// bytes of the two streams; an empty stream has no file.
package runfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Run is a recorded run. Values of several lines have newlines between the lines and none at the end.
type Run struct {
	Cmd, Cwd, Version, Exit string
	Root, Env, Same, Order  string
	Truth                   string
	Stdout, Stderr          []byte
}

// fact is one fact of the file.
type fact struct {
	key      string
	value    *string
	required bool
}

// facts are all facts, in the order of the file.
func (r *Run) facts() []fact {
	return []fact{
		{"cmd", &r.Cmd, true}, {"cwd", &r.Cwd, true}, {"version", &r.Version, false}, {"exit", &r.Exit, true},
		{"root", &r.Root, false}, {"env", &r.Env, false}, {"same", &r.Same, false}, {"order", &r.Order, false},
		{"truth", &r.Truth, false},
	}
}

// Dirs are the folders GROUP/NAME below root that have a case, sorted.
func Dirs(root string) ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil {
		return nil, err
	}
	cases := dirs[:0]
	for _, dir := range dirs {
		if IsCase(dir) {
			cases = append(cases, dir)
		}
	}
	return cases, nil
}

// IsCase says whether a folder holds a recorded run.
func IsCase(dir string) bool { return isFile(dir, "run") || isFile(dir, "cmd") }

func isFile(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}

// Read reads the case in a folder. A case without a file run, as scripts record it, has one file per fact; the truth
// may also be in such a file until the case is converted.
func Read(dir string) (Run, error) {
	text, err := os.ReadFile(filepath.Join(dir, "run"))
	var r Run
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r, err = gather(dir)
	case err == nil:
		if r, err = Parse(string(text)); err == nil && r.Truth == "" {
			text, _ = os.ReadFile(filepath.Join(dir, "truth"))
			r.Truth = strings.TrimRight(string(text), "\n")
		}
	}
	if err != nil {
		return r, fmt.Errorf("reading the recorded run in %s: %w", dir, err)
	}
	for name, to := range map[string]*[]byte{"stdout": &r.Stdout, "stderr": &r.Stderr} {
		if *to, err = os.ReadFile(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	return r, nil
}

// gather reads the facts from one file each.
func gather(dir string) (r Run, err error) {
	for _, f := range r.facts() {
		text, err := os.ReadFile(filepath.Join(dir, f.key))
		if err != nil && (f.required || !errors.Is(err, fs.ErrNotExist)) {
			return r, err
		}
		*f.value = strings.TrimSpace(string(text))
	}
	return r, nil
}

// Parse parses the text of a file run.
func Parse(text string) (r Run, err error) {
	facts, next := r.facts(), 0
	var last *string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if more, ok := strings.CutPrefix(line, "\t"); ok && last != nil {
			*last += "\n" + more
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
		for next < len(facts) && facts[next].key != key {
			next++
		}
		if next == len(facts) {
			return r, fmt.Errorf("%q is no line of a file run, or not in its order: see package golden/runfile", line)
		}
		last = facts[next].value
		*last = value
		next++
	}
	for _, f := range facts {
		if f.required && *f.value == "" {
			return r, fmt.Errorf("the file run has no %q", f.key)
		}
	}
	return r, nil
}

// Text is the text of a file run.
func (r *Run) Text() string {
	var b strings.Builder
	for _, f := range r.facts() {
		if *f.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.key, strings.ReplaceAll(*f.value, "\n", "\n\t"))
		}
	}
	return b.String()
}

// Convert replaces the files with one fact each by a file run, and removes files of empty streams. It does nothing if
// that has been done.
func Convert(dir string) error {
	r, err := Read(dir)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "run"), []byte(r.Text()), 0o644); err != nil {
		return err
	}
	var gone []string
	for _, f := range r.facts() {
		gone = append(gone, f.key)
	}
	if len(r.Stdout) == 0 {
		gone = append(gone, "stdout")
	}
	if len(r.Stderr) == 0 {
		gone = append(gone, "stderr")
	}
	for _, name := range gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Want is the file with a case's expected result: the text for an agent, then the table of tests, if there is one, and
// the result as JSON, each after a line of its own.
const (
	Want        = "want"
	TestsBelow  = "-- tests --\n"
	ResultBelow = "-- result.json --\n"
)

// Result is the expected result of the case in a folder, as JSON.
func Result(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, Want))
	if err != nil {
		return nil, err
	}
	at := bytes.LastIndex(text, []byte("\n"+ResultBelow))
	if at < 0 {
		return nil, fmt.Errorf("%s in %s has no line %q", Want, dir, strings.TrimSpace(ResultBelow))
	}
	return text[at+1+len(ResultBelow):], nil
}
