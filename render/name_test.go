package render

import (
	"testing"

	"cairn/result"
)

// TestNames: a test is shown by its name, and by no regular expression that selects it.
func TestNames(t *testing.T) {
	at := &result.Location{Path: "a.test.ts", Line: 3}
	for want, f := range map[string]result.Finding{
		"ms(string) › adds 1+1":                  {ID: "ms(string) › adds 1+1", Select: `ms\(string\) adds 1\+1`, At: at},
		`withBase > "/foo" + ""`:                 {ID: `a.test.ts > withBase > "/foo" + ""`, Select: `withBase.*"/foo" \+ ""`, At: at},
		"TestSum/1+1":                            {ID: "example.com/x.TestSum/1+1", Select: `TestSum/1\+1`, At: at},
		"CartTest.adds":                          {ID: "com.acme.CartTest.adds", Select: "CartTest#adds", At: at},
		"src/lib.rs - one":                       {ID: "src/lib.rs - one", Select: "--doc one", At: at},
		"Tests/add":                              {ID: "a::Tests/add", Select: "Tests::add", At: at},
		"pre_adds":                               {ID: "pre_adds", Select: "-n adds", At: at},
		"adds (in example.com/x)":                {ID: "example.com/x.adds", Select: "adds"},
		"m.T (setUpClass)":                       {ID: "m.T", Name: "setUpClass", At: at},
		"tests/a.py::test_a":                     {ID: "tests/a.py::test_a", Name: "test_a", At: at},
		`CartTest::testRows with data set "two"`: {ID: `CartTest::testRows with data set "two"`, Select: "CartTest::testRows@two", At: at},
	} {
		if got := test(f); got != want {
			t.Errorf("%s, selected by %s: %q", f.ID, f.Select, got)
		}
	}
	f := result.Finding{Kind: result.GenericFinding, Rule: "conflict", Message: "CONFLICT (content): Merge conflict in a"}
	if got := Line(f); got != " "+f.Message && got != f.Message {
		t.Errorf("%q", got)
	}
	f = result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: "same", Message: "no", Times: 3}
	if got := Line(f); got != "same: no (3 times)" {
		t.Errorf("%q", got)
	}
}
