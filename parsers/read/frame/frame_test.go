package frame

import (
	"testing"

	"cairn/result"
)

// shown is a frame on one line.
func shown(at result.Location, ok bool) string {
	if !ok {
		return ""
	}
	s := at.String()
	if at.Function != "" {
		s += " " + at.Function
	}
	if at.External {
		s += " external"
	}
	return s
}

// TestCut: a line of a trace is read without being told its language, and prose
// is not.
func TestCut(t *testing.T) {
	for line, want := range map[string]string{
		"at Object.toBe (/a/b.test.js:3:36)":                         "/a/b.test.js:3:36 Object.toBe",
		"at file:///a/b.mjs:3:36":                                    "file:///a/b.mjs:3:36",
		"at /a/b.spec.ts:3:36":                                       "/a/b.spec.ts:3:36",
		"at async Promise.all (index 0)":                             "",
		"at node:internal/x:3:4":                                     "node:internal/x:3:4 external",
		"at com.acme.T$In.m(T.java:13)":                              "T.java:13 com.acme.T$In.m",
		"at app//com.acme.T.m(T.kt:13)":                              "T.kt:13 com.acme.T.m",
		"at java.base/java.util.ArrayList.forEach(ArrayList.java:5)": "ArrayList.java:5 java.util.ArrayList.forEach external",
		"at com.acme.T.m(Native Method)":                             "",
		"at com.acme.T.m(T.java:13) ~[classes!/:1.0]":                "T.java:13 com.acme.T.m",
		"at com.zaxxer.P.m(P.java:3) [HikariCP-5.1.jar!/:na]":        "P.java:3 com.zaxxer.P.m external",
		`at N.C.M(Int32 a) in C:\src\c.cs:line 7`:                    `C:\src\c.cs:7 N.C.M(Int32 a)`,
		"❯ cart.test.ts:4:36":                                        "cart.test.ts:4:36",
		"❯ Module.load lib.ts:2:12":                                  "lib.ts:2:12 Module.load",
		`File "/a/b.py", line 3, in f`:                               "/a/b.py:3 f",
		"/a/b.cc:8: Failure":                                         "/a/b.cc:8",
		"/a/bTest.php:12":                                            "/a/bTest.php:12",
		"# ./spec/a_spec.rb:4:in `block'":                            "./spec/a_spec.rb:4 block",
		"test_total(CartTest) [test/cart_test.rb:7]:":                "test/cart_test.rb:7",
		"(in test file test/a.bats, line 5)":                         "test/a.bats:5",
		"(from function `f' in file test/h.bash, line 3,":            "test/h.bash:3",
		"thread 'main' panicked at src/lib.rs:5:9:":                  "src/lib.rs:5:9",
		"expected 3:4 to be 5":                                       "",
		"at <anonymous>":                                             "",
		"at 12:30 it stopped":                                        "",
		"see http://example.com:80":                                  "",
		"12:30:45":                                                   "",
		"[info] a.c:3":                                               "",
		"":                                                           "",
	} {
		if got := shown(Cut(line)); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestLanguages: what each language writes, what of it lies in a library, and a line
// that is no frame of it.
func TestLanguages(t *testing.T) {
	for name, lang := range map[string]struct {
		read  func(string) (result.Location, bool)
		lines map[string]string
	}{
		"C": {C, map[string]string{
			"#0 0x5d4 in main /src/as.c:10:5":                            "/src/as.c:10:5 main",
			"#1 0x7f in operator new(unsigned long) /src/new.cc:3":       "/src/new.cc:3 operator new(unsigned long)",
			"#2 0x7f in __libc_start_main ../sysdeps/x86/libc-start.c:9": "../sysdeps/x86/libc-start.c:9 __libc_start_main external",
			"#3 0x7f in _start (/tmp/a+0x10b4)":                          "",
			"in main /src/as.c:10:5":                                     "",
		}},
		"addressed": {Addressed, map[string]string{
			"by 0x109204: main (as.c:9)":                     "as.c:9 main",
			"at 0x4848899: malloc (vg_replace_malloc.c:381)": "vg_replace_malloc.c:381 malloc external",
			"at 0x4848899: f (in /usr/lib/libc.so)":          "",
			"by main (as.c:9)":                               "",
		}},
		"crystal": {Crystal, map[string]string{
			"from src/a.cr:3:5 in 'add'":                       "src/a.cr:3:5 add",
			"from /usr/share/crystal/src/kernel.cr:9:1 in 'f'": "/usr/share/crystal/src/kernel.cr:9:1 f external",
			"src/a.cr:3:5 in 'add'":                            "",
		}},
		"dotnet": {DotNet, map[string]string{
			"at Shop.Cart.Add(Int32 n) in /src/Cart.cs:line 7": "/src/Cart.cs:7 Shop.Cart.Add(Int32 n)",
			"at System.Linq.First()":                           "",
			"at f (a.js:3:5)":                                  "",
		}},
		"elixir": {Elixir, map[string]string{
			"(ledger 0.1.0) lib/ledger.ex:3: Ledger.find/2": "lib/ledger.ex:3 Ledger.find/2",
			"test/ledger_test.exs:5: (test)":                "test/ledger_test.exs:5 (test)",
			"(elixir 1.14.0) lib/enum.ex:2: Enum.map/2":     "lib/enum.ex:2 Enum.map/2 external",
			"(stdlib 4.2) :lists.nth/2":                     "",
		}},
		"erlang": {Erlang, map[string]string{
			"in function teller:withdraw/2 (/src/teller.erl, line 10)": "/src/teller.erl:10 teller:withdraw/2",
			"in function lists:nth/2 (lists.erl, line 170)":            "lists.erl:170 lists:nth/2 external",
			"in call from teller:run/0":                                "",
		}},
		"go": {Go, map[string]string{
			"\t/src/a.go:12 +0x1f fp=0x1": "/src/a.go:12",
			"/usr/lib/go/src/a/b.go:9":    "/usr/lib/go/src/a/b.go:9",
			"main.main()":                 "",
		}},
		"JavaScript": {JavaScript, map[string]string{
			"at find (src/cart.js:2:84)":               "src/cart.js:2:84 find",
			"at async src/a.js:1:2":                    "src/a.js:1:2",
			"at async load (src/a.js:1:2) {":           "src/a.js:1:2 load",
			"at Object.<anonymous> (/p/a.test.js:3:5)": "/p/a.test.js:3:5 Object.<anonymous>",
			"at fs (node:fs:3:5)":                      "node:fs:3:5 fs external",
			"at op (ext:core/01_core.js:3:5)":          "ext:core/01_core.js:3:5 op external",
			"at f (/p/node_modules/x/i.js:1:1)":        "/p/node_modules/x/i.js:1:1 f external",
			"at <anonymous>":                           " external",
			"at C:\\p\\a.js:3:5":                       "C:\\p\\a.js:3:5",
			"find (src/cart.js:2:84)":                  "",
			"at least one of them":                     "",
		}},
		"JVM": {JVM, map[string]string{
			"at com.acme.T.m(T.java:13)":               "T.java:13 com.acme.T.m",
			"at app//com.acme.T.m(T.scala:13)":         "T.scala:13 com.acme.T.m",
			"at org.junit.Assert.fail(Assert.java:89)": "Assert.java:89 org.junit.Assert.fail external",
			"at com.acme.T.m(Native Method)":           "",
			"at com.acme.T.m(Unknown Source)":          "",
			"at f (a.js:3:5)":                          "",
		}},
		"OCaml": {OCaml, map[string]string{
			`Called from Rt in file "rt.ml", line 2, characters 16-22`:                 "rt.ml:2:17",
			`Raised at Stdlib.failwith in file "stdlib.ml", line 29, characters 17-33`: "stdlib.ml:29:18 external",
			`Called from Rt`: "",
		}},
		"Perl": {Perl, map[string]string{
			"at t/basic.t line 3.": "t/basic.t:3",
			"at a line of code":    "",
		}},
		"PHP": {PHP, map[string]string{
			"#0 /src/run.php(12): f()":     "/src/run.php:12 f()",
			"#1 {main}":                    "",
			"#0 [internal function]: g(1)": "",
		}},
		"Python": {Python, map[string]string{
			`  File "app.py", line 3, in <module>`: "app.py:3 <module>",
			`File "app.py", line 3`:                "app.py:3",
			`  File "a.py", line 3 in f`:           "a.py:3 f",
			`  File "a.py", line 0`:                "",
			`  File "a.py", line 99999999999`:      "",
			`File not found`:                       "",
		}},
		"Ruby": {Ruby, map[string]string{
			"lib/shelf.rb:5:in `find'":            "lib/shelf.rb:5 find",
			"from lib/shelf.rb:5:in 'Shelf#find'": "lib/shelf.rb:5 Shelf#find",
			"lib/shelf.rb:5":                      "lib/shelf.rb:5",
			"lib/shelf.rb:5: no such book":        "",
		}},
		"Rust": {Rust, map[string]string{
			"at ./src/lib.rs:61:9": "./src/lib.rs:61:9",
			"src/lib.rs:61":        "src/lib.rs:61",
			"at 12:30":             "",
		}},
		"shell": {Shell, map[string]string{
			"(in test file test/a.bats, line 5)":              "test/a.bats:5",
			"(from function `f' in file test/h.bash, line 3,": "test/h.bash:3",
			"the file is a.bats, line 5":                      "",
		}},
		"Zig": {Zig, map[string]string{
			"/src/a.zig:5:5: 0x10 in test.adds (test)":       "/src/a.zig:5:5 test.adds",
			"/opt/zig/lib/std/testing.zig:5:5: 0x1 in f (t)": "/opt/zig/lib/std/testing.zig:5:5 f external",
			"/src/a.zig:5:5: error: no":                      "",
		}},
	} {
		for line, want := range lang.lines {
			if got := shown(lang.read(line)); got != want {
				t.Errorf("%s: %s: got %q, want %q", name, line, got, want)
			}
		}
	}
}

// TestRustLibraries: which sources are no code of the project.
func TestRustLibraries(t *testing.T) {
	for path, want := range map[string]bool{
		"/rustc/a28077b2/library/core/src/panicking.rs": true, "library/std/src/rt.rs": true,
		"/home/u/.cargo/registry/src/index.crates.io-1/serde-1/src/lib.rs": true, "src/lib.rs": false, "library/mine.rs": false,
	} {
		if IsRustLibrary(path) != want {
			t.Errorf("IsRustLibrary(%q) is %v", path, !want)
		}
	}
}
