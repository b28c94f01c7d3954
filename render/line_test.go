package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"cairn/result"
)

func TestLine(t *testing.T) {
	at := &result.Location{Path: "a.py", Line: 3}
	same := strings.Repeat("same ", 60)
	tests := map[string]struct {
		f    result.Finding
		want string
	}{
		"test":            {result.Finding{Severity: result.SevFailure, ID: "a.py::t", Rule: "KeyError", Message: "'x'", Location: "a.py:3"}, "a.py:3: a.py::t: KeyError: 'x'"},
		"module":          {result.Finding{Severity: result.SevFailure, Rule: "NotFound", RuleName: "shop.errors.NotFound", Message: "42", Location: "a.py:3"}, "a.py:3: shop.errors.NotFound: 42"},
		"rule in message": {result.Finding{Severity: result.SevFailure, ID: "a.py::t", Rule: "KeyError", Message: "KeyError: 'x'"}, "a.py::t: KeyError: 'x'"},
		// "C" is a part of a word of the message, not told by it
		"short rule":     {result.Finding{Severity: result.SevError, Rule: "C", Message: "Cannot"}, "error C: Cannot"},
		"rule cut off":   {result.Finding{Severity: result.SevFailure, ID: "t", Rule: "E9", Message: strings.Repeat("x", maxMessage) + " E9"}, "t: E9: " + strings.Repeat("x", maxMessage) + "[… 3 bytes]"},
		"lint":           {result.Finding{Severity: result.SevWarning, Rule: "F401", Message: "unused", Location: "a.py:3:1"}, "a.py:3:1: warning F401: unused"},
		"no place":       {result.Finding{Severity: result.SevError, Message: "boom"}, "error: boom"},
		"both values":    {result.Finding{Severity: result.SevFailure, Message: "m", Expected: "1", Actual: "2"}, "m (expected 1, got 2)"},
		"told already":   {result.Finding{Severity: result.SevFailure, Message: "want 1, got 2", Expected: "1", Actual: "2"}, "want 1, got 2"},
		"expected alone": {result.Finding{Severity: result.SevFailure, Message: "m", Expected: "1"}, "m (expected 1)"},
		"actual alone":   {result.Finding{Severity: result.SevFailure, Message: "m", Actual: "2"}, "m (got 2)"},
		"announced":      {result.Finding{Severity: result.SevFailure, Message: "2 validation errors for Order", Detail: "> load()\nid\n  bad\nname\n  missing"}, "2 validation errors for Order: id bad; name missing"},
		"told twice":     {result.Finding{Severity: result.SevFailure, Message: "not equal:", Detail: "Error: not equal:\n\n+ a\n- b\nError: not equal:\n"}, "not equal: + a; - b"},
		"white space":    {result.Finding{Severity: result.SevFailure, Message: "m", Expected: "a\nb", Actual: "a\t\u00a0b"}, `m (expected a\nb, got a\t\u00a0b)`},
		"late difference": {
			result.Finding{Severity: result.SevFailure, Message: "m", Expected: same + "1", Actual: same + "2"},
			"m (expected [… 280 bytes]same same same same 1, got [… 280 bytes]same same same same 2)",
		},
		"places": {
			result.Finding{
				Severity: result.SevFailure, Message: "m", At: at, Location: "a.py:3",
				Frames:  []result.Location{{Path: "a.py", Line: 3, Column: 9}, {Path: "t.py", Line: 9}, {Path: "lib.py", Line: 1, External: true}, {Path: "t.py", Line: 9}},
				Related: []result.Related{{Message: "declared here", At: &result.Location{Path: "b.py", Line: 1}}, {Message: "no place"}},
			},
			"a.py:3: m (see t.py:9, b.py:1)",
		},
		"many places": {
			result.Finding{Severity: result.SevFailure, Message: "m", Locations: []result.Location{{Path: "a", Line: 1}, {Path: "a", Line: 2}, {Path: "a", Line: 3}, {Path: "a", Line: 4}, {Path: "a", Line: 5}}},
			"m (see a:1, a:2, a:3 and 2 more)",
		},
		"notes": {
			result.Finding{Severity: result.SevFailure, ID: "p", Message: "m", Related: []result.Related{{Message: "was running: TestA"}, {Message: "there", At: at}, {Message: "b"}, {Message: "c"}, {Message: "d"}}},
			"p: m (was running: TestA, b, c and 1 more) (see a.py:3)",
		},
		"causes": {
			result.Finding{Severity: result.SevFailure, Message: "cannot load", At: at, Location: "a.py:3", Related: []result.Related{{Message: "caused by KeyError: 'x'", At: &result.Location{Path: "b.py", Line: 1}}, {Message: "while handling OSError: gone"}}},
			"a.py:3: cannot load; caused by KeyError: 'x'; while handling OSError: gone (see b.py:1)",
		},
		"causes that the message tells": {
			result.Finding{Severity: result.SevFailure, Message: "cannot load: no 'x' here; caused by E: gone", Related: []result.Related{{Message: "caused by KeyError: no 'x' here"}, {Message: "caused by E: gone"}}},
			"cannot load: no 'x' here; caused by E: gone; caused by KeyError",
		},
		"many causes": {
			result.Finding{Severity: result.SevFailure, Message: "m", Related: []result.Related{{Message: "caused by A"}, {Message: "caused by B"}, {Message: "caused by C"}, {Message: "caused by D"}, {Message: "caused by E"}}},
			"m; caused by A; caused by B; 2 more; caused by E",
		},
		"not sealed": {result.Finding{Severity: result.SevFailure, ID: "t\n1", Message: "a\r\nb\x1b[2J"}, "t 1: a b"},
		"nothing":    {result.Finding{Severity: result.SevFailure}, ""},
	}
	for name, test := range tests {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			if got := Line(test.f); got != test.want {
				t.Errorf("\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

// Two values that differ never look the same, however long they are and
// wherever they differ.
func TestValuesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := strings.Repeat("é", rapid.IntRange(0, 200).Draw(t, "shared"))
		a := rapid.SampledFrom([]string{"a", "é", "日", " x", "\n"}).Draw(t, "a") + strings.Repeat("z", rapid.IntRange(0, 200).Draw(t, "tail"))
		b := rapid.SampledFrom([]string{"b", "è", "本", "\u00a0x", "\t"}).Draw(t, "b")
		got := values(result.Finding{Expected: head + a, Actual: head + b}, "")
		want, have, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(got, " (expected "), ")"), ", got ")
		if !ok || want == have || !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
	})
}

func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 40).Draw(t, "n")
		got := cut(s, n)
		kept, _, isCut := strings.Cut(got, "[… ")
		if len(s) <= n && got != s || len(s) > n && !strings.Contains(s, "[") && (!isCut || !strings.HasPrefix(s, kept) || len(kept) > n || !utf8.ValidString(got)) {
			t.Fatalf("cut(%q, %d) = %q", s, n, got)
		}
	})
}

func TestHasWord(t *testing.T) {
	for _, test := range []struct {
		text, word string
		want       bool
	}{
		{"exit 12", "exit 1", false}, {"exit 1, exit 12", "exit 1", true}, {"exit 12, exit 1", "exit 1", true},
		{"KeyError: x", "KeyError", true}, {"MyKeyError", "KeyError", false}, {"größe", "gr", false}, {"x", "", true}, {"", "x", false},
		{"no-unused-vars", "no-unused-vars", true}, {"(crashed)", "crashed", true},
	} {
		if got := hasWord(test.text, test.word); got != test.want {
			t.Errorf("hasWord(%q, %q) = %v", test.text, test.word, got)
		}
	}
}

// A message of which not all was kept does not say how long it was.
func TestLineSizeUnknown(t *testing.T) {
	r := result.ToolResult{Findings: []result.Finding{
		{Kind: result.Diagnostic, Severity: result.SevError, Message: strings.Repeat("x", 1<<20)},
		{Kind: result.Diagnostic, Severity: result.SevError, Message: strings.Repeat("y", 1000)},
	}}
	result.Seal(&r, result.Workspace{})
	if got := Line(r.Findings[0]); !strings.HasSuffix(got, "x[… more]") {
		t.Errorf("%s", got)
	}
	if got := Line(r.Findings[1]); !strings.HasSuffix(got, "y[… 600 bytes]") {
		t.Errorf("%s", got)
	}
}

// TestTells: a value is left out only where the message says it, and not where its
// letters are part of a word.
func TestTells(t *testing.T) {
	for _, c := range []struct {
		message, value string
		want           bool
	}{
		{"expected 6 to be 5", "5", true},
		{"expected 16 to be 15", "5", false},
		{"Expected values to be equal", "x", false},
		{"got 'x'", "x", true},
		{"an axe, x", "x", true},
		{"größe", "gr", false},
		{"", "x", false},
		{"any", "", true},
	} {
		if got := tells(c.message, c.value); got != c.want {
			t.Errorf("%q in %q: %v", c.value, c.message, got)
		}
	}
}
