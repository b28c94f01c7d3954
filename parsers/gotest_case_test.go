package parsers

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/result"
)

const goGolden = "../golden/go-test"

// goCase is one recorded run.
type goCase struct {
	name, cmd      string
	workspace      result.Workspace
	stdout, stderr []byte
	exit           int
}

func (c goCase) parse() *result.ToolResult { return c.parseAs(Separate(c.stdout, c.stderr)) }

func (c goCase) parseAs(src Source) *result.ToolResult {
	in := Input{Shell: c.cmd, Workspace: c.workspace, Source: src}
	return Parse(in, result.Exit{Observed: true, Code: c.exit})
}

func readGoCase(t testing.TB, name string) goCase {
	t.Helper()
	read := func(file string) []byte {
		b, err := os.ReadFile(filepath.Join(goGolden, name, file))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	line := func(file string) string { return strings.TrimSpace(string(read(file))) }
	exit, err := strconv.Atoi(line("exit"))
	if err != nil {
		t.Fatal(err)
	}
	dir := line("cwd")
	root := dir
	if i := strings.Index(dir, "/ledger"); i >= 0 {
		root = dir[:i+len("/ledger")]
	}
	return goCase{
		name: name, cmd: line("cmd"), exit: exit, stdout: read("stdout"), stderr: read("stderr"),
		workspace: result.Workspace{Root: root, Dir: dir},
	}
}

func goCases(t testing.TB) []goCase {
	t.Helper()
	entries, err := os.ReadDir(goGolden)
	if err != nil {
		t.Fatal(err)
	}
	var all []goCase
	for _, e := range entries {
		all = append(all, readGoCase(t, e.Name()))
	}
	return all
}

// brief is a result as these tests spell it: status and confidence, then a
// line for each finding, sorted. A test goes by its name, a package by its
// last element.
func brief(r *result.ToolResult) []string {
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

// identities are what must be equal between two outputs of one run. What the
// fingerprint leaves out of a message, such as an address, may differ.
func identities(r *result.ToolResult) []string {
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

func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
