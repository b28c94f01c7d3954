package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/bench/packages"
)

// bench is the state shared by all projects.
type bench struct {
	options
	packages.Cache
	tmp, cairn string
	env        []string // what the current project's environment has besides
}

// close removes everything but the cache. Files of a Go module are read-only.
func (b *bench) close() { os.RemoveAll(b.tmp) }

// answer is cairn's answer about one run, and the bytes that it is about.
type answer struct {
	code               int
	result             told
	json, raw, compact []byte
	stdout             []byte // the part of raw on stdout, in whole lines even if the tool writes to both streams
}

// told has the fields that are read from cairn's JSON.
type told struct {
	Status     string         `json:"status"`
	Exit       *int           `json:"exit_code"`
	Counts     map[string]int `json:"counts"`
	Confidence string         `json:"parser_confidence"`
	Raw        string         `json:"raw_oid"`
	Findings   []finding      `json:"findings"`
}

type finding struct {
	ID       string `json:"id"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	At       struct {
		Path string `json:"path"`
		Line int    `json:"line"`
	} `json:"at"`
}

// project runs one project: first as published, then with every break.
func (b *bench) project(p project) ([]row, error) {
	if err := packages.Need(append([]string{"git", "tar"}, p.needs...)...); err != nil {
		return nil, err
	}
	dir := filepath.Join(b.tmp, "work", p.name)
	if err := p.fetch(b.Cache, dir); err != nil {
		return nil, fmt.Errorf("fetching: %w", err)
	}
	if err := b.repository(p, dir); err != nil {
		return nil, err
	}
	rows, err := b.clean(p, dir)
	if err != nil {
		return nil, err
	}
	for _, k := range p.breaks {
		if b.breakName != "" && b.breakName != k.name {
			continue
		}
		r, err := b.broken(p, k, dir)
		if err != nil {
			return nil, fmt.Errorf("break %q: %w", k.name, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// clean runs each tool once on the package as published. That also fills the tools' caches, so that no break has to.
func (b *bench) clean(p project, dir string) (rows []row, err error) {
	for _, tool := range sortedKeys(p.tools) {
		a, err := b.capture(dir, p.tools[tool])
		if err != nil {
			return nil, fmt.Errorf("%s on the clean package: %w", tool, err)
		}
		rows = append(rows, judgeClean(tool, a))
		if err := b.keepRun(p.name, "clean-"+tool, p.tools[tool], a); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (b *bench) broken(p project, k brk, dir string) (r row, err error) {
	undo, err := k.apply(dir)
	defer func() { err = errors.Join(err, undo()) }()
	if err != nil {
		return r, err
	}
	line, err := k.want.line(dir)
	if err != nil {
		return r, err
	}
	a, err := b.capture(dir, p.tools[k.tool])
	if err != nil {
		return r, err
	}
	return judge(k, line, a), b.keepRun(p.name, k.tool+"-"+strings.ReplaceAll(k.name, " ", "-"), p.tools[k.tool], a)
}

// repository makes a git repository of the package, independent of the user's own settings.
func (b *bench) repository(p project, dir string) error {
	for name, text := range p.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	bins := []string{filepath.Join(b.Dir, "python", "bin"), filepath.Join(b.Dir, "node", "node_modules", ".bin"), os.Getenv("PATH")}
	b.env = append([]string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "PATH=" + strings.Join(bins, string(os.PathListSeparator))}, p.env...)
	ignore := "target/\nnode_modules\n__pycache__/\n.*_cache/\n"
	steps := [][]string{{"init", "-q"}, {"config", "user.name", "bench"}, {"config", "user.email", "bench@localhost"}, {"add", "-A"}, {"commit", "-q", "-m", p.name + " " + p.version}}
	for i, s := range steps {
		if _, err := packages.Must(dir, b.env, append([]string{"git"}, s...)...); err != nil {
			return err
		}
		if i == 0 {
			if err := os.WriteFile(filepath.Join(dir, ".git", "info", "exclude"), []byte(ignore), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// capture runs a tool through cairn, and reads the stored output.
func (b *bench) capture(dir string, argv []string) (a answer, err error) {
	o, err := packages.Run(dir, b.env, append([]string{b.cairn, "capture", "run", "--format", "json", "--"}, argv...)...)
	if err != nil {
		return a, err
	}
	a.code, a.json = o.Code, o.Stdout
	if err := json.Unmarshal(a.json, &a.result); err != nil {
		return a, fmt.Errorf("reading cairn's answer to %q: %w\n%s", argv, err, a.json)
	}
	if a.raw, err = packages.Must(dir, b.env, b.cairn, "recall", "object", a.result.Raw); err != nil {
		return a, err
	}
	if a.stdout, err = packages.Must(dir, b.env, b.cairn, "recall", "object", a.result.Raw, "--stdout"); err != nil {
		return a, err
	}
	a.compact, err = packages.Must(dir, b.env, b.cairn, "recall", "object", a.result.Raw, "--result", "--format", "compact")
	return a, err
}

func (f finding) fails() bool { return f.Severity == "failure" || f.Severity == "error" }

// keepRun stores the output and answer of a run for people.
func (b *bench) keepRun(project, name string, argv []string, a answer) error {
	if b.keep == "" {
		return nil
	}
	return packages.Keep(filepath.Join(b.keep, project, name), map[string][]byte{
		"cmd": []byte(strings.Join(argv, " ") + "\n"), "exit": fmt.Appendln(nil, a.code),
		"raw": a.raw, "stdout": a.stdout, "compact": a.compact, "result.json": a.json,
	})
}
