package parsers

import (
	"fmt"
	"strings"
	"testing"

	"cairn/result"
)

// Source code and documents quote what tools print. A line that only shows them failed nothing; one that shows a log
// of the same text did.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"pytest": "F  [100%]\n=================================== FAILURES ===================================\n____ test_a ____\n\n    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\nt.py:2: AssertionError\n=========================== short test summary info ============================\nFAILED t.py::test_a - assert 1 == 2\n1 failed in 0.01s\n",
		"cargo":  "error[E0382]: borrow of moved value: `s`\n --> src/main.rs:4:20\n  |\n4 |     println!(\"{s}\");\n  |                ^ value borrowed here after move\n\nerror: could not compile `a` (bin \"a\") due to 1 previous error\n",
		"go":     "--- FAIL: TestA (0.00s)\n    a_test.go:4: got 3, want 4\nFAIL\nFAIL\texample.com/a\t0.002s\nFAIL\n",
		"gcc":    "a.c:3:5: error: expected ';' before 'return'\n    3 |     int x\n      |          ^\n",
		"tsc":    "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
	} {
		var hits, context strings.Builder
		for i, line := range strings.SplitAfter(text, "\n") {
			fmt.Fprintf(&hits, "docs/%s.md:%d:%s", name, i+1, line)
			fmt.Fprintf(&context, "docs/%s.md-%d-%s", name, i+1, line)
		}
		for line, shown := range map[string]string{
			"cat docs/" + name + ".md":                      text,
			"sed -n 1,40p docs/" + name + ".md":             text,
			"git show HEAD:docs/x.md | head -50":            text,
			"git log -p -1":                                 "+" + strings.ReplaceAll(text, "\n", "\n+"),
			"grep -rn -i fail docs":                         hits.String(),
			"grep -rn -B2 -A9 -i fail docs | head -99":      context.String(),
			"find . -name '*.md' | xargs grep -n -A9 error": context.String(),
		} {
			if r := ofShell(line, shown, 0); r.Status != result.OK || len(r.Findings) > 0 {
				t.Errorf("%s of what %s prints: %s, %d findings", line, name, r.Status, len(r.Findings))
			}
		}
		if name == "gcc" {
			continue
		}
		if r := ofShell("cat build.log", text, 0); len(r.Findings) == 0 {
			t.Errorf("the log of %s: no finding", name)
		}
	}
	const lost = "cat: b.go: No such file or directory\n"
	if r := ofShell("cat a.go b.go", "package a\n\n// --- FAIL: TestA (0.00s)\n//     a_test.go:4: got 3, want 4\n// FAIL\n// FAIL\texample.com/a\t0.002s\n"+lost, 1); r.Status != result.Failed || len(r.Findings) != 1 || r.Findings[0].Message != strings.TrimSpace(lost) {
		t.Errorf("a document that is not there: %s, %v", r.Status, locationsOf(r))
	}
	if r := ofShell("python3 doc.py", "package os // import \"os\"\n\nPackage os is portable.\n", 0); r.Status != result.OK {
		t.Errorf("a package clause: %s", r.Status)
	}
}
