package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// suite is the tests of one package.
type suite struct {
	name, version, runner string
	needs                 []string // programs that the machine must have
	fetch                 fetcher
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

// limit bounds one run.
const limit = 20 * time.Minute

type bench struct {
	options
	cache string
}

type missingTool string

func (m missingTool) Error() string { return string(m) + " is not installed" }

// output is the output of a run, and its exit status.
type output struct {
	argv           []string
	stdout, stderr []byte
	code           int
}

// suite fetches and runs one suite.
func (b *bench) suite(s suite) (rows []row, err error) {
	for _, tool := range s.needs {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, missingTool(tool)
		}
	}
	dir := filepath.Join(b.cache, "suites", s.name+"-"+s.version)
	if err := b.once(dir, func() error { return s.fetch(b, dir) }); err != nil {
		return nil, err
	}
	for _, m := range s.modes {
		fmt.Fprintf(os.Stderr, "%s (%s)\n", s.name, m.name)
		files := filepath.Join(dir, m.truth.file)
		if m.truth.file != "" {
			if err := b.remove(files); err != nil {
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
			reports = [][]byte{again.stdout}
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
		out[i] = strings.NewReplacer("{cache}", b.cache, "{dir}", dir).Replace(w)
	}
	return out
}

// run runs a command, which may exit with any status.
func (b *bench) run(dir string, env, argv []string) (o output, err error) {
	argv = b.fill(dir, argv)
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), b.fill(dir, env)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return o, fmt.Errorf("running %s: %w", strings.Join(argv, " "), err)
	}
	return output{argv, stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}, nil
}

// command runs a command that must succeed.
func (b *bench) command(dir string, argv ...string) error {
	o, err := b.run(dir, nil, argv)
	if err == nil && o.code != 0 {
		err = fmt.Errorf("%s exited with %d:\n%s", strings.Join(argv, " "), o.code, o.stderr)
	}
	return err
}

// once calls fill for dir, unless it has completed before.
func (b *bench) once(dir string, fill func() error) error {
	done := dir + ".complete"
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	if err := b.remove(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	return os.WriteFile(done, nil, 0o644)
}

// remove removes files in the cache that match a pattern.
func (b *bench) remove(pattern string) error {
	if !strings.HasPrefix(pattern, b.cache+string(filepath.Separator)) {
		return fmt.Errorf("%s is not in the cache", pattern)
	}
	files, err := filepath.Glob(pattern)
	for _, f := range files {
		err = errors.Join(err, os.RemoveAll(f))
	}
	return err
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
func (b *bench) keepRun(name string, o output) error {
	if b.keep == "" {
		return nil
	}
	dir := filepath.Join(b.keep, name)
	err := os.MkdirAll(dir, 0o755)
	for file, data := range map[string][]byte{
		"cmd": []byte(strings.Join(o.argv, " ") + "\n"), "exit": fmt.Appendln(nil, o.code), "stdout": o.stdout, "stderr": o.stderr,
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), data, 0o644))
	}
	return err
}
