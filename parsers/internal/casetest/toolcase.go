package casetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// toolCase is a recorded run of ruff or mypy.
type toolCase struct {
	Name, cmd, cwd string
	Stdout, Stderr []byte
	exit           int
}

func ReadToolCase(t testing.TB, name string) toolCase {
	t.Helper()
	r, exit := ReadRun(t, name)
	return toolCase{Name: name, cmd: r.Cmd, cwd: r.Cwd, Stdout: r.Stdout, Stderr: r.Stderr, exit: exit}
}

func ToolCases(t testing.TB, tools ...string) (all []toolCase) {
	t.Helper()
	for _, toolName := range tools {
		entries, err := os.ReadDir(filepath.Join(Golden, toolName))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, ReadToolCase(t, toolName+"/"+e.Name()))
		}
	}
	return all
}

func (c toolCase) Parse(stdout, stderr []byte) *result.ToolResult {
	in := tool.Input{Shell: c.cmd, Workspace: result.Workspace{Root: c.cwd, Dir: c.cwd}, Source: term.Separate(stdout, stderr)}
	return ParseKnown(in, result.Exit{Observed: true, Code: c.exit})
}

// Shown is a result as a person compares it with the raw output.
func Shown(r *result.ToolResult) []string {
	all := []string{fmt.Sprintf("%s %s %s %v", r.Tool, r.Status, r.ParserConfidence, r.Counts)}
	for _, f := range r.Findings {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s", f.Location, f.Severity, f.Rule, f.Message)))
	}
	return all
}

// SameFindings compares the multisets of path, line, rule and fingerprint. Not
// every format knows the cell of a notebook, and lines in it.
func SameFindings(t *testing.T, a, b *result.ToolResult) {
	t.Helper()
	keys := func(r *result.ToolResult) (all []string) {
		for _, f := range r.Findings {
			if f.At == nil || strings.HasSuffix(f.At.Path, ".ipynb") {
				continue
			}
			all = append(all, fmt.Sprintf("%s:%d %s %s %s", f.At.Path, f.At.Line, f.Rule, f.Fingerprint, f.Message))
		}
		slices.Sort(all)
		return all
	}
	SameLines(t, keys(a), keys(b))
}

// CutEverywhere cuts stdout at every byte and checks what no cut may do.
func CutEverywhere(t *testing.T, c toolCase) {
	t.Helper()
	for i := range Cuts(c.Stdout) {
		r := c.Parse(c.Stdout[:i], c.Stderr)
		if c.exit != 0 && (r.Status == result.OK || r.Status == result.Passed) {
			t.Fatalf("cut at %d: a failing run became %s", i, r.Status)
		}
		if c.exit != 0 && r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
			t.Fatalf("cut at %d: parsed with nothing", i)
		}
	}
}
