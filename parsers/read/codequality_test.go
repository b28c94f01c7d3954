package read

import (
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// TestCodeQuality: positions and lines, an array and one behind the other.
func TestCodeQuality(t *testing.T) {
	const lines = `{"check_name": "a", "description": "one", "severity": "minor", "location": {"path": "x.go", "lines": {"begin": 3, "end": 4}}}`
	const positions = `{"check_name": "b", "description": "two", "severity": "blocker", "location": {"path": "y.go", "positions": {"begin": {"line": 7, "column": 2}, "end": {"line": 7, "column": 9}}}}`
	for name, text := range map[string]string{"array": "[" + lines + "," + positions + "]\n", "stream": lines + " " + positions + "\n", "lines": lines + "\n" + positions + "\n"} {
		r := CodeQuality(nil)(&tool.Input{Source: tool.Separate([]byte(text), nil)})
		if r == nil || len(r.Findings) != 2 || !r.Complete {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		a, b := r.Findings[0], r.Findings[1]
		if a.Rule != "a" || a.Severity != result.SevWarning || a.At.Line != 3 || a.At.EndLine != 4 || a.At.Column != 0 {
			t.Errorf("%s: %+v at %+v", name, a, a.At)
		}
		if b.Rule != "b" || b.Severity != result.SevError || b.At.Line != 7 || b.At.Column != 2 || b.At.EndColumn != 9 {
			t.Errorf("%s: %+v at %+v", name, b, b.At)
		}
	}
	const pointed = `[{"description": "one", "severity": "minor", "fingerprint": "no-empty-#/info", "location": {"path": "x.go", "lines": {"begin": 3}}}]`
	if r := CodeQuality(nil)(&tool.Input{Source: tool.Separate([]byte(pointed), nil)}); r == nil || len(r.Findings) != 1 || r.Findings[0].Rule != "no-empty" {
		t.Errorf("without the name of the check: %+v", r)
	}
	if r := CodeQuality(nil)(&tool.Input{Source: tool.Separate([]byte(`[{"name": "x"}]`), nil)}); r != nil && len(r.Findings) > 0 {
		t.Errorf("%+v", r)
	}
}
