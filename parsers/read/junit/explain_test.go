package junit

import (
	"slices"
	"strings"
	"testing"

	"cairn/parsers/tool"
	"cairn/result"
)

// TestExplain: what the text of a failure tells, in the words of several languages'
// runners.
func TestExplain(t *testing.T) {
	in := &tool.Input{Workspace: result.Workspace{Root: "/home/u/shop", Dir: "/home/u/shop"}}
	for name, c := range map[string]struct {
		text, class, dir        string
		rule, message, at       string
		expected, actual, frame string
	}{
		"JUnit 5": {
			text: "org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n\tat org.junit.jupiter.api.AssertEquals.fail(AssertEquals.java:35)\n\tat com.acme.CartTest.total(CartTest.java:12)\n\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)",
			rule: "AssertionFailedError", message: "expected: <4> but was: <3>", at: "com/acme/CartTest.java:12", expected: "4", actual: "3",
		},
		"where the tests are": {
			text: "java.lang.IllegalStateException: no item\n\tat com.acme.CartTest$Inner.total(CartTest.kt:12)", class: "com.acme.CartTest", dir: "app/src/test",
			rule: "IllegalStateException", message: "no item", at: "app/src/test/kotlin/com/acme/CartTest.kt:12",
		},
		"another class": {
			text: "java.lang.IllegalStateException: no item\n\tat com.acme.Cart.total(Cart.java:9)", class: "com.acme.CartTest", dir: "app/src/test",
			rule: "IllegalStateException", message: "no item", at: "com/acme/Cart.java:9",
		},
		"of a library alone": {
			text: "java.lang.OutOfMemoryError: heap\n\tat java.base/java.util.Arrays.copyOf(Arrays.java:3537)",
			rule: "OutOfMemoryError", message: "heap", frame: "Arrays.java:3537",
		},
		"a host is no place": {
			text: "java.net.ConnectException: Connection refused: localhost/127.0.0.1:5432\n\tat com.acme.Db.open(Db.java:9)",
			rule: "ConnectException", message: "Connection refused: localhost/127.0.0.1:5432", at: "com/acme/Db.java:9",
		},
		"Karate": {
			text: "org.opentest4j.AssertionFailedError:\nmatch failed: EQUALS\nclasspath:shop/cart.feature:5\n\tat com.intuit.karate.junit5.FeatureNode.next(FeatureNode.java:86)",
			rule: "AssertionFailedError", message: "match failed: EQUALS", at: "shop/cart.feature:5",
		},
		"Python": {
			text: "ValueError: bad row\n  File \"/home/u/shop/app.py\", line 3, in main\n  File \"/home/u/shop/rows.py\", line 9, in read",
			rule: "ValueError", message: "ValueError: bad row", at: "/home/u/shop/rows.py:9", frame: "/home/u/shop/app.py:3",
		},
		"JavaScript": {
			text: "TypeError: x is not a function\n    at total (/home/u/shop/cart.js:2:84)\n    at node:internal/x:3:4",
			rule: "TypeError", message: "TypeError: x is not a function", at: "/home/u/shop/cart.js:2:84",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var f result.Finding
			text := strings.Split(c.text, "\n")
			kept := slices.Clone(text)
			Explain(in, &f, text, c.class, c.dir)
			at, frame := "", ""
			if f.At != nil {
				at = f.At.String()
			}
			if len(f.Frames) > 0 {
				frame = f.Frames[0].String()
			}
			got := []string{f.Rule, f.Message, at, f.Expected, f.Actual, frame}
			if want := []string{c.rule, c.message, c.at, c.expected, c.actual, c.frame}; !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if f.Detail != c.text || !slices.Equal(text, kept) {
				t.Errorf("the text was not kept: %q", f.Detail)
			}
		})
	}
}

// TestExplainNothing: a failure without a word has no message made up from
// nothing, and long ones are bounded.
func TestExplainNothing(t *testing.T) {
	in := &tool.Input{}
	var f result.Finding
	Explain(in, &f, nil, "", "")
	if f.At != nil || f.Rule != "" || f.Detail != "" {
		t.Errorf("%+v", f)
	}
	var long result.Finding
	Explain(in, &long, slices.Repeat([]string{"java.lang.Error: " + strings.Repeat("x", 500)}, 10_000), "", "")
	if len(long.Detail) > 2*result.MaxDetail {
		t.Errorf("%d bytes of detail", len(long.Detail))
	}
}
