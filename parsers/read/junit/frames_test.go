package junit

import (
	"testing"
)

func TestJUnitFrames(t *testing.T) {
	cases := map[string]string{
		"at Object.toBe (/a/b.test.js:3:36)":                         "/a/b.test.js:3:36 Object.toBe",
		"at file:///a/b.mjs:3:36":                                    "file:///a/b.mjs:3:36",
		"at /a/b.spec.ts:3:36":                                       "/a/b.spec.ts:3:36",
		"at async Promise.all (index 0)":                             "",
		"at node:internal/x:3:4":                                     "node:internal/x:3:4 external",
		"at com.acme.T$In.m(T.java:13)":                              "T.java:13 com.acme.T$In.m",
		"at app//com.acme.T.m(T.kt:13)":                              "T.kt:13 com.acme.T.m",
		"at java.base/java.util.ArrayList.forEach(ArrayList.java:5)": "ArrayList.java:5 java.util.ArrayList.forEach external",
		"at com.acme.T.m(Native Method)":                             "",
		`at N.C.M(Int32 a) in C:\src\c.cs:line 7`:                    `C:\src\c.cs:7 N.C.M(Int32 a)`,
		"❯ cart.test.ts:4:36":                                        "cart.test.ts:4:36",
		"❯ Module.load lib.ts:2:12":                                  "lib.ts:2:12 Module.load",
		`File "/a/b.py", line 3, in f`:                               "/a/b.py:3 f",
		"/a/b.cc:8: Failure":                                         "/a/b.cc:8",
		"/a/bTest.php:12":                                            "/a/bTest.php:12",
		"# ./spec/a_spec.rb:4:in `block'":                            "./spec/a_spec.rb:4 block",
		"(in test file test/a.bats, line 5)":                         "test/a.bats:5",
		"(from function `f' in file test/h.bash, line 3,":            "test/h.bash:3",
		"thread 'main' panicked at src/lib.rs:5:9:":                  "src/lib.rs:5:9",
		"expected 3:4 to be 5":                                       "",
		"see http://example.com:80":                                  "",
		"12:30:45":                                                   "",
	}
	for line, want := range cases {
		at, ok := junitFrame(line)
		got := ""
		if ok {
			got = at.String()
			if at.Function != "" {
				got += " " + at.Function
			}
			if at.External {
				got += " external"
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
