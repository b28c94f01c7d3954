package jserror

import (
	"strings"
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// TestExplain: the message, the class, what was expected and what came, and the first
// place in the project's own code.
func TestExplain(t *testing.T) {
	for name, c := range map[string]struct {
		text                          string
		rule, message, expected, came string
		at                            string
		frames                        int
	}{
		"assertion": {"AssertionError [ERR_ASSERTION]: totals differ\n\n+ expected - actual\n\n-2\n+3\n\n    at total (src/cart.js:7:3)\n    at node_modules/mocha/lib/run.js:9:1\n    at main (src/main.js:2:1)",
			"AssertionError", "totals differ", "3", "2", "src/cart.js:7:3", 1},
		"values":        {"expect(received).toBe(expected)\n\nExpected: 5\nReceived: 4\n\n  > 12 |   expect(n).toBe(5)\n       |             ^", "", "expect(received).toBe(expected)", "5", "4", "", 0},
		"difference":    {"not equal\n- Expected\n+ Received\n- a\n+ b", "", "not equal", "a", "b", "", 0},
		"syntax":        {"SyntaxError: src/a.ts: Unexpected token (2:11)", "SyntaxError", "Unexpected token", "", "", "src/a.ts:2:12", 0},
		"place ahead":   {"src/a.js:3\nTypeError: x is not a function\n    at Object.<anonymous> (src/b.js:1:1)", "TypeError", "x is not a function", "", "", "src/a.js:3", 0},
		"nothing known": {"it broke", "", "it broke", "", "", "", 0},
	} {
		var f result.Finding
		Explain(&f, strings.Split(c.text, "\n"))
		at := ""
		if f.At != nil {
			at = f.At.String()
		}
		if f.Rule != c.rule || f.Message != c.message || f.Expected != c.expected || f.Actual != c.came || at != c.at || len(f.Frames) != c.frames {
			t.Errorf("%s: rule %q, message %q, expected %q, actual %q, at %q, frames %v", name, f.Rule, f.Message, f.Expected, f.Actual, at, f.Frames)
		}
	}
}

func TestCutClass(t *testing.T) {
	for message, want := range map[string][2]string{
		"TypeError: x": {"TypeError", "x"}, "Uncaught RangeError: x": {"RangeError", "x"}, "Error: x": {"", "x"}, "Error: TypeError: x": {"TypeError", "x"},
		"warning: x": {"", "warning: x"}, "no class at all": {"", "no class at all"}, "a b Error: x": {"", "a b Error: x"},
	} {
		if class, text := CutClass(message); class != want[0] || text != want[1] {
			t.Errorf("%s: %q and %q", message, class, text)
		}
	}
}

// TestUsage: a complaint stands in the first lines; a tool that has worked for a while
// has not been called wrongly.
func TestUsage(t *testing.T) {
	parse := func(stdout, stderr string) *tool.Report {
		return Usage("Invalid option", "Error: ")(&tool.Input{Shell: "x", Source: tool.Separate([]byte(stdout), []byte(stderr))})
	}
	rep := parse("", "\nError: ConfigError: no such rule\n  in a.json\n    at load (src/x.js:1:2)\n")
	if rep == nil || rep.Meaning != result.MeansUsage || len(rep.Findings) != 1 {
		t.Fatalf("%+v", rep)
	}
	if f := rep.Findings[0]; f.Rule != "ConfigError" || f.Message != "no such rule in a.json" || f.At == nil || f.At.String() != "src/x.js:1:2" {
		t.Errorf("%+v", f)
	}
	if rep = parse("", "Invalid option '--nope'\n"); rep == nil || rep.Findings[0].Message != "Invalid option '--nope'" {
		t.Errorf("%+v", rep)
	}
	if rep = parse("a\nb\nc\nError: late\n", ""); rep != nil {
		t.Errorf("behind other lines: %+v", rep)
	}
}
