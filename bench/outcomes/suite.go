package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/bench/packages"
)

// suite is the tests of one package.
type suite struct {
	name, version, runner string
	needs                 []string // programs that the machine must have
	fetch                 packages.Fetch
	env                   []string // additional variables; "{cache}" and "{dir}" are replaced by folders
	modes                 []mode
}

// mode is one way to run a suite.
type mode struct {
	name  string
	argv  []string // "{cache}" and "{dir}" are replaced by folders
	truth truth
}

// truth says where the runner's own report is, and reads the outcome of every test from it. If again is set, the report
// is the output of a second run; otherwise it is a file that the same run wrote.
type truth struct {
	again []string
	file  string // relative to the suite's folder; may be a pattern
	read  func(report [][]byte) (map[string]string, error)
}

type bench struct {
	options
	packages.Cache
}

// suite fetches and runs one suite.
func (b *bench) suite(s suite) (rows []row, err error) {
	if err := packages.Need(s.needs...); err != nil {
		return nil, err
	}
	dir := filepath.Join(b.Dir, "suites", s.name+"-"+s.version)
	if err := b.Once(dir, func() error { return s.fetch(b.Cache, dir) }); err != nil {
		return nil, err
	}
	for _, m := range s.modes {
		fmt.Fprintf(os.Stderr, "%s (%s)\n", s.name, m.name)
		files := filepath.Join(dir, m.truth.file)
		if m.truth.file != "" {
			if err := b.Remove(files); err != nil {
				return nil, err
			}
		}
		out, err := b.run(dir, s.env, m.argv)
		if err != nil {
			return nil, err
		}
		var reports [][]byte
		if len(m.truth.again) > 0 {
			again, err := b.run(dir, s.env, m.truth.again)
			if err != nil {
				return nil, err
			}
			reports = [][]byte{again.Stdout}
		} else if reports, err = readAll(files); err != nil {
			return nil, err
		}
		want, err := m.truth.read(reports)
		if err != nil {
			return nil, fmt.Errorf("%s: reading the report: %w", m.name, err)
		}
		if len(want) == 0 {
			return nil, fmt.Errorf("%s: the runner's report names no test, so nothing is measured", m.name)
		}
		if err := b.keepRun(s.name+"-"+m.name, out); err != nil {
			return nil, err
		}
		r := judge(s.name+" "+s.version, s.runner, m.name, dir, out, want, b.verbose)
		if r.harness, err = b.harness(s.runner, out, want); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (b *bench) fill(dir string, words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.NewReplacer("{cache}", b.Dir, "{dir}", dir).Replace(w)
	}
	return out
}

// run runs a command of a suite.
func (b *bench) run(dir string, env, argv []string) (packages.Output, error) {
	return packages.Run(dir, b.fill(dir, env), b.fill(dir, argv)...)
}

func readAll(pattern string) (all [][]byte, err error) {
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("the run wrote no report %s", pattern)
	}
	for _, f := range files {
		data, e := os.ReadFile(f)
		err = errors.Join(err, e)
		all = append(all, data)
	}
	return all, err
}

// keepRun stores a run for people.
func (b *bench) keepRun(name string, o packages.Output) error {
	if b.keep == "" {
		return nil
	}
	return packages.Keep(filepath.Join(b.keep, name), map[string][]byte{
		"cmd": []byte(strings.Join(o.Argv, " ") + "\n"), "exit": fmt.Appendln(nil, o.Code), "stdout": o.Stdout, "stderr": o.Stderr,
	})
}
