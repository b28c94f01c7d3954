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

func Exited(code int) result.Exit { return result.Exit{Observed: true, Code: code} }

var PytestGolden = filepath.Join(Golden, "pytest")

// pytestCase is a recorded run.
type pytestCase struct {
	Name, Cmd, cwd string
	Stdout, Stderr []byte
	Exit           int
}

func PytestCases(t testing.TB) []pytestCase {
	t.Helper()
	dirs, err := os.ReadDir(PytestGolden)
	if err != nil {
		t.Fatal(err)
	}
	var all []pytestCase
	for _, d := range dirs {
		if d.IsDir() {
			all = append(all, PytestCaseNamed(t, d.Name()))
		}
	}
	return all
}

func PytestCaseNamed(t testing.TB, name string) pytestCase {
	t.Helper()
	r, exit := ReadRun(t, "pytest/"+name)
	return pytestCase{Name: name, Cmd: r.Cmd, cwd: r.Cwd, Stdout: r.Stdout, Stderr: r.Stderr, Exit: exit}
}

func (c pytestCase) Input(stdout []byte) tool.Input {
	root := c.cwd
	for _, top := range []string{"/home/dev/shop", "/home/dev/etl"} {
		if strings.HasPrefix(root, top) {
			root = top
		}
	}
	return tool.Input{Shell: c.Cmd, Source: term.Separate(stdout, c.Stderr), Workspace: result.Workspace{Root: root, Dir: c.cwd, Home: "/home/dev", Tmp: "/tmp"}}
}

func (c pytestCase) Parse(stdout []byte) *result.ToolResult {
	return ParseKnown(c.Input(stdout), result.Exit{Observed: true, Code: c.Exit})
}

// Facts is a result, short enough to be compared by eye.
func Facts(r *result.ToolResult) string {
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

// Shell is what a line gives whose output was stdout.
func Shell(line, stdout string, exit int) *result.ToolResult {
	in := tool.Input{Shell: line, Workspace: result.Workspace{Root: "/src", Dir: "/src"}, Source: term.Separate([]byte(stdout), nil)}
	return ParseKnown(in, result.Exit{Observed: true, Code: exit})
}

func Locations(r *result.ToolResult) (all []string) {
	for _, f := range r.Findings {
		all = append(all, f.Location)
	}
	return all
}
