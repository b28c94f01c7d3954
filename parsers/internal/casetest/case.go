package casetest

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cairn/golden/runfile"
	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

// Case is a recorded run.
type Case struct {
	Name, Cmd      string
	Dir, Root      string // where the run was; the top of the workspace, "" if that is Dir
	Stdout, Stderr []byte
	Exit           int
	Truth          []string // facts, see package golden
}

// Read reads a case below Golden by its name, "TOOL/CASE".
func Read(t testing.TB, name string) Case {
	t.Helper()
	r, err := runfile.Read(filepath.Join(Golden, name))
	if err != nil {
		t.Fatal(err)
	}
	exit, err := strconv.Atoi(r.Exit)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	_, short, _ := strings.Cut(name, "/")
	return Case{Name: short, Cmd: r.Cmd, Dir: r.Cwd, Root: cmp.Or(r.Root, topOf(r.Cwd)), Stdout: r.Stdout, Stderr: r.Stderr, Exit: exit, Truth: strings.FieldsFunc(r.Truth, func(c rune) bool { return c == '\n' })}
}

// topOf is the top of the workspace of a recorded run in dir.
func topOf(dir string) string {
	for _, top := range []string{"/tmp/ledger", "/home/dev/ledger", "/home/dev/shop", "/home/dev/etl"} {
		if dir == top || strings.HasPrefix(dir, top+"/") {
			return top
		}
	}
	return dir
}

// Cases returns all cases of some tools.
func Cases(t testing.TB, tools ...string) (all []Case) {
	t.Helper()
	for _, name := range tools {
		entries, err := os.ReadDir(filepath.Join(Golden, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() {
				all = append(all, Read(t, name+"/"+e.Name()))
			}
		}
	}
	return all
}

// Input returns the run's input, with stdout replaced.
func (c Case) Input(stdout []byte) tool.Input {
	return tool.Input{Shell: c.Cmd, Workspace: result.Workspace{Root: cmp.Or(c.Root, c.Dir), Dir: c.Dir, Home: "/home/dev", Tmp: "/tmp"}, Source: term.Separate(stdout, c.Stderr)}
}

// Parse returns the result of the recorded output.
func (c Case) Parse() *result.ToolResult { return c.ParseOf(c.Stdout) }

// ParseOf returns the result of the run with stdout replaced.
func (c Case) ParseOf(stdout []byte) *result.ToolResult {
	return ParseKnown(c.Input(stdout), Exited(c.Exit))
}

// ParseAs returns the result of the run with its output replaced.
func (c Case) ParseAs(src term.Source) *result.ToolResult {
	in := c.Input(nil)
	in.Source = src
	return ParseKnown(in, Exited(c.Exit))
}

// Exited is the exit of a process that ended by itself.
func Exited(code int) result.Exit { return result.Exit{Observed: true, Code: code} }

// CannotHide checks that a damaged output of a failed run does not give a result that looks like success.
func (c Case) CannotHide(t *testing.T, r *result.ToolResult, what string) {
	t.Helper()
	if c.Exit == 0 {
		return
	}
	if r.Status == result.Passed || r.Status == result.OK {
		t.Errorf("%s: a failing run became %s", what, r.Status)
	}
	if r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s: parsed with nothing on a failing exit", what)
	}
}
