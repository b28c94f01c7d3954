package casetest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/read/place"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// LintCase is a recorded run of a tool whose cases stand in golden/<tool>.
type LintCase struct {
	Name, Cmd, Dir string
	Stdout, Stderr []byte
	Exit           int
}

func ReadLintCase(t testing.TB, toolName, name string) LintCase {
	t.Helper()
	r, exit := ReadRun(t, toolName+"/"+name)
	return LintCase{Name: name, Cmd: r.Cmd, Dir: r.Cwd, Stdout: r.Stdout, Stderr: r.Stderr, Exit: exit}
}

func LintCases(t testing.TB, tools ...string) (all []LintCase) {
	t.Helper()
	for _, toolName := range tools {
		entries, err := os.ReadDir(filepath.Join(Golden, toolName))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, ReadLintCase(t, toolName, e.Name()))
		}
	}
	return all
}

func (c LintCase) Parse() *result.ToolResult { return c.parseAs(term.Separate(c.Stdout, c.Stderr)) }

func (c LintCase) parseAs(src term.Source) *result.ToolResult {
	in := tool.Input{Shell: c.Cmd, Workspace: result.Workspace{Root: c.Dir, Dir: c.Dir}, Source: src}
	return ParseKnown(in, result.Exit{Observed: true, Code: c.Exit})
}

// Problems are what two formats of one run must agree on.
func Problems(r *result.ToolResult, column bool) []string {
	var all []string
	for _, f := range r.Findings {
		spot := f.Location
		if !column {
			spot, _, _ = place.CutLineNumber(spot)
		}
		all = append(all, strings.Join([]string{f.Fingerprint, spot, f.Rule, string(f.Severity)}, "|"))
	}
	slices.Sort(all)
	return all
}

// neverHides holds for whatever became of a case's output.
func (c LintCase) neverHides(t *testing.T, r *result.ToolResult, what string, i int) {
	t.Helper()
	if c.Exit == 0 {
		return
	}
	if r.Status == result.Passed || r.Status == result.OK {
		t.Errorf("%s %d: a failing run became %s", what, i, r.Status)
	}
	if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s %d: parsed with nothing on a failing exit", what, i)
	}
}

// Damage cuts short cases at every byte, and drops and doubles every line.
func Damage(t *testing.T, cases []LintCase) {
	for _, c := range cases {
		if len(c.Stdout) > 1000 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			for i := range Cuts(c.Stdout) {
				c.neverHides(t, c.parseAs(term.Separate(c.Stdout[:i], c.Stderr)), "cut at", i)
			}
			for i := range Cuts(c.Stderr) {
				c.neverHides(t, c.parseAs(term.Separate(c.Stdout, c.Stderr[:i])), "stderr cut at", i)
			}
			lines := bytes.SplitAfter(c.Stdout, []byte("\n"))
			for i := range lines {
				without := bytes.Join(append(slices.Clone(lines[:i]), lines[i+1:]...), nil)
				c.neverHides(t, c.parseAs(term.Separate(without, c.Stderr)), "without line", i)
				twice := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
				c.neverHides(t, c.parseAs(term.Separate(twice, c.Stderr)), "twice line", i)
			}
		})
	}
}
