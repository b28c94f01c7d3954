package parsers

import (
	"os"
	"path/filepath"
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// FuzzReport: whatever a file holds, and in whatever role, it takes nothing
// from what the text and the exit say.
func FuzzReport(f *testing.F) {
	for _, pattern := range []string{"*.xml", "*/*/*.xml", "*.json", "*.txt"} {
		seeds, err := filepath.Glob(filepath.Join("..", "golden", "artifacts", "*", "artifacts", pattern))
		if err != nil {
			f.Fatal(err)
		}
		for i, name := range seeds {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, i%3)
		}
	}
	texts := []string{"", shortRun, passedRun}
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		text := texts[uint(which)%3]
		for _, role := range []tool.Role{tool.RoleReport, tool.RoleOutput, tool.RoleErrors} {
			a := file("r.xml", string(data))
			a.Role = role
			r := withReports("pytest", text, 1, a)
			if r.Status == result.Passed || r.Status == result.OK || r.ParserConfidence == result.Parsed && len(r.Findings) == 0 {
				t.Errorf("%s: %s %s with %d findings on exit 1", role, r.Status, r.ParserConfidence, len(r.Findings))
			}
			if text == shortRun && len(r.Findings) < 2 && role == tool.RoleReport {
				t.Errorf("%d findings", len(r.Findings))
			}
			for _, f := range r.Findings {
				if s := f.RawSpan; s != nil && s.End > r.Raw.Bytes {
					t.Errorf("%s: span %d-%d of %d bytes", role, s.Start, s.End, r.Raw.Bytes)
				}
			}
		}
	})
}
