package parsers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/result"
)

const pytestGolden = "../golden/pytest"

// pytestCase is a recorded run.
type pytestCase struct {
	name, cmd, cwd string
	stdout, stderr []byte
	exit           int
}

func pytestCases(t testing.TB) []pytestCase {
	t.Helper()
	dirs, err := os.ReadDir(pytestGolden)
	if err != nil {
		t.Fatal(err)
	}
	var all []pytestCase
	for _, d := range dirs {
		if d.IsDir() {
			all = append(all, pytestCaseNamed(t, d.Name()))
		}
	}
	return all
}

func pytestCaseNamed(t testing.TB, name string) pytestCase {
	t.Helper()
	read := func(file string) []byte {
		b, err := os.ReadFile(filepath.Join(pytestGolden, name, file))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	exit, err := strconv.Atoi(strings.TrimSpace(string(read("exit"))))
	if err != nil {
		t.Fatal(err)
	}
	return pytestCase{
		name: name, cmd: strings.TrimSpace(string(read("cmd"))), cwd: strings.TrimSpace(string(read("cwd"))),
		stdout: read("stdout"), stderr: read("stderr"), exit: exit,
	}
}

func (c pytestCase) input(stdout []byte) Input {
	root := c.cwd
	for _, top := range []string{"/home/dev/shop", "/home/dev/etl"} {
		if strings.HasPrefix(root, top) {
			root = top
		}
	}
	return Input{Shell: c.cmd, Source: Separate(stdout, c.stderr), Workspace: result.Workspace{Root: root, Dir: c.cwd, Home: "/home/dev", Tmp: "/tmp"}}
}

func (c pytestCase) parse(stdout []byte) *result.ToolResult {
	return Parse(c.input(stdout), result.Exit{Observed: true, Code: c.exit})
}

// facts is a result, short enough to be compared by eye.
func facts(r *result.ToolResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s %s", r.Tool, r.Status, r.ExitMeaning, r.ParserConfidence)
	keys := make([]string, 0, len(r.Counts))
	for k := range r.Counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(&b, " %s=%d", k, r.Counts[k])
	}
	fmt.Fprintf(&b, " %v\n", r.Extra)
	for _, f := range r.Findings {
		at := "-"
		if f.At != nil {
			at = f.At.String() + "(" + f.At.Function + ")"
		}
		fmt.Fprintf(&b, "  %s|%s|%s|%s|%s|%v\n", f.RawSeverity, f.ID, at, f.Rule, f.Message, f.MessageTruncated)
		if f.Operator+f.Expected+f.Actual != "" {
			fmt.Fprintf(&b, "      %q %q want %q\n", f.Actual, f.Operator, f.Expected)
		}
		for _, rel := range f.Related {
			fmt.Fprintf(&b, "      rel %s %v\n", rel.Message, rel.At)
		}
		fmt.Fprintf(&b, "      frames %v\n      detail %q\n", f.Frames, f.Detail)
	}
	return b.String()
}

func TestPytestDump(t *testing.T) {
	for _, c := range pytestCases(t) {
		t.Logf("%s exit=%d  %s\n%s", c.name, c.exit, c.cmd, facts(c.parse(c.stdout)))
	}
}
