package casetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/parsers/text/term"
	"cairn/parsers/tool"
	"cairn/result"
)

var GoGolden = filepath.Join(Golden, "go-test")

// GoCase is one recorded run.
type GoCase struct {
	Name, Cmd      string
	Workspace      result.Workspace
	Stdout, Stderr []byte
	Exit           int
}

func (c GoCase) Parse() *result.ToolResult { return c.ParseAs(term.Separate(c.Stdout, c.Stderr)) }

func (c GoCase) ParseAs(src term.Source) *result.ToolResult {
	in := tool.Input{Shell: c.Cmd, Workspace: c.Workspace, Source: src}
	return ParseKnown(in, result.Exit{Observed: true, Code: c.Exit})
}

func ReadGoCase(t testing.TB, name string) GoCase {
	t.Helper()
	r, exit := ReadRun(t, "go-test/"+name)
	dir := r.Cwd
	root := dir
	if i := strings.Index(dir, "/ledger"); i >= 0 {
		root = dir[:i+len("/ledger")]
	}
	return GoCase{
		Name: name, Cmd: r.Cmd, Exit: exit, Stdout: r.Stdout, Stderr: r.Stderr,
		Workspace: result.Workspace{Root: root, Dir: dir},
	}
}

func GoCases(t testing.TB) []GoCase {
	t.Helper()
	entries, err := os.ReadDir(GoGolden)
	if err != nil {
		t.Fatal(err)
	}
	var all []GoCase
	for _, e := range entries {
		all = append(all, ReadGoCase(t, e.Name()))
	}
	return all
}

// Brief is a result as these tests spell it: status and confidence, then a
// line for each finding, sorted. A test goes by its name, a package by its
// last element.
func Brief(r *result.ToolResult) []string {
	var all []string
	for _, f := range r.Findings {
		id := f.Name
		if id == "" {
			id = strings.TrimPrefix(f.ID, "example.com/ledger/")
		}
		all = append(all, strings.Join([]string{string(f.Kind), id, f.Location, f.Message}, "|"))
	}
	slices.Sort(all)
	return append([]string{string(r.Status) + " " + string(r.ParserConfidence)}, all...)
}

// Identities are what must be equal between two outputs of one run. What the
// fingerprint leaves out of a message, such as an address, may differ.
func Identities(r *result.ToolResult) []string {
	var all []string
	for _, f := range r.Findings {
		message, _, _ := strings.Cut(f.Message, "0x")
		if strings.HasPrefix(message, "Timed out after ") {
			message = ""
		}
		all = append(all, strings.Join([]string{f.Fingerprint, f.ID, f.Location, message}, "|"))
	}
	slices.Sort(all)
	return all
}

func SameLines(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// CannotHide checks what no damage to the output may change.
func CannotHide(t *testing.T, c GoCase, r *result.ToolResult, what string) {
	t.Helper()
	failing := c.Exit != 0
	if failing && (r.Status == result.Passed || r.Status == result.OK) {
		t.Errorf("%s: a failing run became %s", what, r.Status)
	}
	if failing && r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
		t.Errorf("%s: parsed with nothing on a failing exit", what)
	}
}

// ShortGoCases leaves out the longest outputs, which say nothing new when cut
// at every byte.
func ShortGoCases(t testing.TB, limit int) []GoCase {
	return slices.DeleteFunc(GoCases(t), func(c GoCase) bool { return len(c.Stdout) > limit })
}

func AsJSON(t *testing.T, r *result.ToolResult) []byte {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
