package sources

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/result"
)

// TestPrinted: what a test printed is no failure where the files show that there is no such test; a failure of which the
// files say nothing, and the only one of its package, stay.
func TestPrinted(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m // here\n",
		"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestReal(t *testing.T) { t.Error() }\n\nfunc  TestSpace (t *testing.T) {}\n" +
			"func TestGhostly(t *testing.T) { println(`--- FAIL: TestGhost (0.00s)`) }\n",
		"sub/a_test.go": "package sub\n\nfunc TestReal(t *testing.T) {}\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for failed, want := range map[string]string{
		"example.com/m.TestReal example.com/m.TestGhost":               "example.com/m.TestReal",
		"example.com/m.TestReal example.com/m.TestGhost/one":           "example.com/m.TestReal",
		"example.com/m.TestReal example.com/m.TestSpace":               "example.com/m.TestReal example.com/m.TestSpace",
		"example.com/m.TestGhost":                                      "example.com/m.TestGhost",
		"example.com/m/sub.TestReal example.com/m.TestGhost":           "example.com/m/sub.TestReal example.com/m.TestGhost",
		"example.com/m/none.TestReal example.com/m/none.TestGhost":     "example.com/m/none.TestReal example.com/m/none.TestGhost",
		"example.com/mm.TestReal example.com/mm.TestGhost":             "example.com/mm.TestReal example.com/mm.TestGhost",
		"example.com/m.TestReal example.com/m.TestSpac example.com/m.": "example.com/m.TestReal example.com/m.",
	} {
		r := &result.ToolResult{Tool: "go-test", Kind: result.Test, Parser: &result.ParserInfo{Name: "go-test", Format: "text"}, Counts: map[string]int{}}
		for id := range strings.FieldsSeq(failed) {
			dot := strings.LastIndexByte(id, '.')
			r.Findings = append(r.Findings, result.Finding{
				Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Suite: []string{id[:dot]}, Name: id[dot+1:], Message: "no",
			})
			r.Counts["failed"]++
		}
		w := result.Workspace{Root: root, Dir: root}
		result.Seal(r, w)
		SeeFiles(r, w)
		var left []string
		for _, f := range r.Findings {
			left = append(left, f.ID)
		}
		if got := strings.Join(left, " "); got != want || r.Counts["failed"] != len(left) || r.Truncated.FindingsTotal != len(left) {
			t.Errorf("%s: %s, counts %v", failed, got, r.Counts)
		}
		if gone := len(strings.Fields(failed)) - len(left); gone > 0 && (len(r.Suppressed) != 1 || r.Suppressed[0].Count != gone) {
			t.Errorf("%s: %+v", failed, r.Suppressed)
		}
	}
}

// TestPrintedUncounted: where the tool's count of failures does not hold them all, no failure is taken out.
func TestPrintedUncounted(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n", "a_test.go": "package m\n\nfunc TestReal(t *testing.T) {}\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, counted := range []int{0, 1} {
		r := &result.ToolResult{Tool: "go-test", Kind: result.Test, Parser: &result.ParserInfo{Name: "go-test", Format: "text"}, Counts: map[string]int{"failed": counted}}
		for _, name := range []string{"TestReal", "TestGhost"} {
			r.Findings = append(r.Findings, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: "example.com/m." + name, Suite: []string{"example.com/m"}, Name: name, Message: "no"})
		}
		w := result.Workspace{Root: root, Dir: root}
		result.Seal(r, w)
		SeeFiles(r, w)
		if len(r.Findings) != 2 || r.Findings[0].ID == "" || r.Findings[1].ID == "" || len(r.Suppressed) != 0 {
			t.Errorf("%d counted: %+v, %+v", counted, r.Findings, r.Suppressed)
		}
	}
}
