package trace

import "testing"

func TestClassOf(t *testing.T) {
	for message, want := range map[string]string{
		"shop.cart.OutOfStock: only 2": "OutOfStock",
		"ValueError":                   "ValueError",
		"KeyError: 'a b'":              "KeyError",
		"assert 1 == 2":                "AssertionError",
		"f.<locals>.E: no":             "E",
		"something went wrong":         "",
		"no such file: x":              "",
		"":                             "",
		"a..B: x":                      "",
	} {
		if got := ClassOf(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for s, want := range map[string]bool{"> 1 | let b": true, "  2 | debugger;": true, "    |    ^": true, "x | y": false, "": false, "let b": false} {
		if IsFrameSource(s) != want {
			t.Errorf("IsFrameSource(%q) is %v", s, !want)
		}
	}
	for s, want := range map[string]bool{"RangeError: no": true, "Error": true, "an Error: x": false, "f(Error": false, "no": false} {
		if IsThrown(s) != want {
			t.Errorf("IsThrown(%q) is %v", s, !want)
		}
	}
	for s, want := range map[string]bool{"npm ERR! code 1": true, "error Command failed with exit code 1.": true, " ELIFECYCLE  Command failed.": true, "make: *** [all] Error 1": true, "src/a.ts": false, "": false} {
		if IsScriptTail(s) != want {
			t.Errorf("IsScriptTail(%q) is %v", s, !want)
		}
	}
}
