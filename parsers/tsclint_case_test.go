package parsers

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/result"
)

// lintCase is a recorded run of a tool whose cases stand in golden/<tool>.
type lintCase struct {
	name, cmd, dir string
	stdout, stderr []byte
	exit           int
}

func readLintCase(t testing.TB, tool, name string) lintCase {
	t.Helper()
	read := func(file string) []byte {
		b, err := os.ReadFile(filepath.Join("..", "golden", tool, name, file))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	exit, err := strconv.Atoi(strings.TrimSpace(string(read("exit"))))
	if err != nil {
		t.Fatal(err)
	}
	return lintCase{
		name: name, cmd: strings.TrimSpace(string(read("cmd"))), dir: strings.TrimSpace(string(read("cwd"))),
		stdout: read("stdout"), stderr: read("stderr"), exit: exit,
	}
}

func lintCases(t testing.TB, tools ...string) (all []lintCase) {
	t.Helper()
	for _, tool := range tools {
		entries, err := os.ReadDir(filepath.Join("..", "golden", tool))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, readLintCase(t, tool, e.Name()))
		}
	}
	return all
}

func (c lintCase) parse() *result.ToolResult { return c.parseAs(Separate(c.stdout, c.stderr)) }

func (c lintCase) parseAs(src Source) *result.ToolResult {
	in := Input{Shell: c.cmd, Workspace: result.Workspace{Root: c.dir, Dir: c.dir}, Source: src}
	return Parse(in, result.Exit{Observed: true, Code: c.exit})
}

// problems are what two formats of one run must agree on.
func problems(r *result.ToolResult, column bool) []string {
	var all []string
	for _, f := range r.Findings {
		place := f.Location
		if !column {
			place, _, _ = cutLineNumber(place)
		}
		all = append(all, strings.Join([]string{f.Fingerprint, place, f.Rule, string(f.Severity)}, "|"))
	}
	slices.Sort(all)
	return all
}

// neverHides holds for whatever became of a case's output.
func (c lintCase) neverHides(t *testing.T, r *result.ToolResult, what string, i int) {
	t.Helper()
	if c.exit == 0 {
		return
	}
	if r.Status == result.Passed || r.Status == result.OK {
		t.Errorf("%s %d: a failing run became %s", what, i, r.Status)
	}
	if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s %d: parsed with nothing on a failing exit", what, i)
	}
}

// damage cuts short cases at every byte, and drops and doubles every line.
func damage(t *testing.T, cases []lintCase) {
	for _, c := range cases {
		if len(c.stdout) > 1000 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			for i := range c.stdout {
				c.neverHides(t, c.parseAs(Separate(c.stdout[:i], c.stderr)), "cut at", i)
			}
			for i := range c.stderr {
				c.neverHides(t, c.parseAs(Separate(c.stdout, c.stderr[:i])), "stderr cut at", i)
			}
			lines := bytes.SplitAfter(c.stdout, []byte("\n"))
			for i := range lines {
				without := bytes.Join(append(slices.Clone(lines[:i]), lines[i+1:]...), nil)
				c.neverHides(t, c.parseAs(Separate(without, c.stderr)), "without line", i)
				twice := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
				c.neverHides(t, c.parseAs(Separate(twice, c.stderr)), "twice line", i)
			}
		})
	}
}
