package read

import (
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// TestFramedHeads: what may stand above an arrow, and that nothing is found without.
func TestFramedHeads(t *testing.T) {
	at := result.Location{Path: "src/a.ts", Line: 1, Column: 7}
	for _, c := range []struct {
		lines []string
		want  result.Finding // no message: nothing is found
	}{
		{[]string{"  × Unexpected token", "   ╭─[src/a.ts:1:7]", " 1 │ const = ;"}, result.Finding{Message: "Unexpected token", Severity: result.SevError}},
		{[]string{"  x Unexpected token", "   ,-[src/a.ts:1:7]"}, result.Finding{Message: "Unexpected token", Severity: result.SevError}},
		{[]string{"  ⚠ Unused", "   ╭─[src/a.ts:1:7]"}, result.Finding{Message: "Unused", Severity: result.SevWarning}},
		{[]string{"[PARSE_ERROR] Error: Unexpected token", "   ╭─[ src/a.ts:1:7 ]"}, result.Finding{Message: "Unexpected token", Rule: "PARSE_ERROR", Severity: result.SevError}},
		{[]string{"[PARSE_ERROR] Unexpected token", "   ╭─[ src/a.ts:1:7 ]"}, result.Finding{Message: "Unexpected token", Rule: "PARSE_ERROR", Severity: result.SevError}},
		{[]string{"│  [PARSE_ERROR] Unexpected token", "│     ╭─[ src/a.ts:1:7 ]"}, result.Finding{Message: "Unexpected token", Rule: "PARSE_ERROR", Severity: result.SevError}},
		{[]string{"ParserError: Expected ';'", " --> src/a.ts:1:7:", "  |"}, result.Finding{Message: "Expected ';'", Rule: "ParserError", Severity: result.SevError}},
		{[]string{"Error (7576): Undeclared", " --> src/a.ts:1:7:"}, result.Finding{Message: "Undeclared", Rule: "7576", Severity: result.SevError}},
		{[]string{"  × Unexpected token", "no arrow"}, result.Finding{}},
		{[]string{"[web] Error: text", "   ╭─[ src/a.ts:1:7 ]"}, result.Finding{}},
		{[]string{"[PARSE_ERROR] Unexpected token", "", "", "", "   ╭─[ src/a.ts:1:7 ]"}, result.Finding{}},
	} {
		s, p := NewSink(&tool.Input{}), Framed{}
		for i, text := range c.lines {
			p.Line(s, tool.Line{Text: text, Start: int64(i)})
		}
		if c.want.Message == "" {
			if len(s.Findings) != 0 {
				t.Errorf("%q: found %+v", c.lines, s.Findings)
			}
			continue
		}
		if len(s.Findings) != 1 {
			t.Errorf("%q: %d findings", c.lines, len(s.Findings))
			continue
		}
		f := s.Findings[0]
		if f.Message != c.want.Message || f.Rule != c.want.Rule || f.Severity != c.want.Severity || f.At == nil || *f.At != at {
			t.Errorf("%q: %+v at %v", c.lines, f, f.At)
		}
	}
}
