package golden

import (
	"slices"
	"strings"
	"testing"

	"cairn/parsers"
	"cairn/result"
)

// inContainer are readers that choose a frame of the project for a failure's place.
var inContainer = []string{"phpunit", "googletest", "rspec", "minitest", "exunit", "test-unit", "jest", "mocha", "node-test", "vitest", "playwright", "junit"}

// tellsLess are cases whose places need the workspace: a report whose paths count from its own folder.
var tellsLess = map[string]bool{"junit/jest-junit-files": true, "junit/pytest-7": true, "junit/pytest-7-text": true, "junit/pytest-failures": true, "junit/pytest-failures-text": true, "junit/xmlrunner": true}

// TestInContainer: where the tool ran in a container, or its output is read in another directory, no failure loses
// its place.
func TestInContainer(t *testing.T) {
	each(t, func(t *testing.T, c Case) {
		room, _, _ := strings.Cut(c.Name, "/")
		if !slices.Contains(inContainer, room) || tellsLess[c.Name] {
			return
		}
		in := c.Input(c.Output)
		in.Workspace = result.Workspace{Root: "/home/dev/elsewhere", Dir: "/home/dev/elsewhere"}
		if got, want := placed(parsers.Parse(in, c.Exit)), placed(parsers.Parse(c.Input(c.Output), c.Exit)); got < want {
			t.Errorf("%d places, %d in its own directory", got, want)
		}
	})
}

// placed counts the findings that have a line.
func placed(r *result.ToolResult) (n int) {
	for _, f := range r.Findings {
		if f.At != nil && f.At.Line > 0 {
			n++
		}
	}
	return n
}
