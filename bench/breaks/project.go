package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/bench/packages"
)

// project is a published package and its breaks.
type project struct {
	name, version, license string
	needs                  []string          // programs that the machine must have
	fetch                  packages.Fetch    // fetches the package, checked, and its tools
	files                  map[string]string // added to the package: settings that its archive lacks
	env                    []string
	tools                  map[string][]string // command lines by short name
	breaks                 []brk
}

// projects returns all projects, in the order in which they run.
func projects() []project {
	return []project{itsdangerous, moreItertools, pflag, mux, semver, immer}
}

// brk is one break: the edits, and what cairn must name.
type brk struct {
	name  string
	tool  string // a key of project.tools
	edits []edit
	exit  int
	want  want
}

// edit replaces the first occurrence of old in a file. If old is empty, it creates the file.
type edit struct{ file, old, new string }

// want is what must be named. An empty part is not checked: a process that exits silently has no place.
type want struct {
	id   string // contained in the id or the rule of the finding
	file string
	mark string // text of the expected line in the broken file; its first occurrence counts
}

// line finds the expected line in the broken tree.
func (w want) line(dir string) (int, error) {
	if w.mark == "" {
		return 0, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, w.file))
	if err != nil {
		return 0, err
	}
	before, _, ok := strings.Cut(string(text), w.mark)
	if !ok {
		return 0, fmt.Errorf("%s does not hold %q", w.file, w.mark)
	}
	return 1 + strings.Count(before, "\n"), nil
}

// apply makes the edits of a break and returns a function that undoes them.
func (b brk) apply(dir string) (undo func() error, err error) {
	var steps []func() error
	undo = func() (err error) {
		for _, s := range steps {
			if e := s(); e != nil {
				err = e
			}
		}
		return err
	}
	for _, e := range b.edits {
		name := filepath.Join(dir, e.file)
		text, err := os.ReadFile(name)
		switch {
		case e.old == "" && os.IsNotExist(err):
			steps = append([]func() error{func() error { return os.Remove(name) }}, steps...)
		case err != nil:
			return undo, err
		case !strings.Contains(string(text), e.old):
			return undo, fmt.Errorf("%s does not hold %q", e.file, e.old)
		default:
			steps = append([]func() error{func() error { return os.WriteFile(name, text, 0o644) }}, steps...)
		}
		changed := strings.Replace(string(text), e.old, e.new, 1)
		if err := os.WriteFile(name, []byte(changed), 0o644); err != nil {
			return undo, err
		}
	}
	return undo, nil
}
