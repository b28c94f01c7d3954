package rust

import (
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestCargoCrates: crates for tests that panic in their own source, and what
// else stands for a place.
func TestCargoCrates(t *testing.T) {
	const registry = "/home/dev/.cargo/registry/src/index-1949cf8c6b5b557f"
	for _, c := range []struct{ name, output, stderr, want string }{
		{
			name: "insta names the source above its panic",
			output: `━━━━━━━━━━ Snapshot Summary ━━━━━━━━━━
Snapshot: snap
Source: core/src/lib.rs:290
──────────
    1     1 │ value
    2       │-expected
          2 │+other

thread 'it' (22003) panicked at ` + registry + `/insta-1.49.0/src/runtime.rs:734:13:
snapshot assertion for 'snap' failed in line 290`,
			want: "core/src/lib.rs:290 core::it: snapshot assertion for 'snap' failed in line 290",
		},
		{
			name: "the deepest frame outside the registry, its path from the package's directory",
			output: `
thread 'it' (8259) panicked at ` + registry + `/dep-1.0.0/src/lib.rs:734:13:
dep: bad input
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: dep::check
             at ` + registry + `/dep-1.0.0/src/lib.rs:734:13
   2: core::tests::it
             at ./src/lib.rs:290:9
note: Some details are omitted, run with ` + "`RUST_BACKTRACE=full`" + ` for a verbose backtrace.`,
			want: "src/lib.rs:290:9 core::it: dep: bad input",
		},
		{
			name: "trybuild tells its cases on stderr and quotes a compiler",
			output: `
thread 'it' (22027) panicked at ` + registry + `/trybuild-1.0.122/src/run.rs:103:13:
1 of 2 tests failed`,
			stderr: `test tests/ui/good.rs [should pass] ... ok
test tests/ui/mismatch.rs [should fail to compile] ... mismatch

EXPECTED:
┈┈┈┈┈┈┈┈
error[E0308]: wrong
 --> tests/ui/mismatch.rs:1:1
┈┈┈┈┈┈┈┈

`,
			want: "registry/src/trybuild-1.0.122/src/run.rs:103:13 core::it: 1 of 2 tests failed [tests/ui/mismatch.rs should fail to compile: mismatch]",
		},
		{
			name:   "causes belong to the message, eyre tells the place",
			output: "Error: starting\n\nCaused by:\n   0: reading config\n   1: No such file or directory (os error 2)\n\nLocation:\n    src/lib.rs:12:9",
			want:   "src/lib.rs:12:9 core::it: Error: starting: reading config: No such file or directory (os error 2)",
		},
		{
			name:   "a value over several lines is one message",
			output: "\nthread 'it' (7) panicked at src/lib.rs:4:5:\ngot [\n    1,\n    2,\n]",
			want:   "src/lib.rs:4:5 core::it: got [ 1, 2, ]",
		},
		{
			name: "color-eyre tells no thread, and a place without a column",
			output: "The application panicked (crashed).\nMessage:  assertion `left == right` failed\n  left: 1\n right: 2\nLocation: src/lib.rs:22\n\n" +
				"  ━━━━━━━━━━━━━━━━━ BACKTRACE ━━━━━━━━━━━━━━━━━\n                 ⋮ 2 frames hidden ⋮               \n   9: core::tests::it::h643674c240a67acb\n      at src/lib.rs:21",
			want: "src/lib.rs:22 core::it: assertion `left == right` failed (left: 1, right: 2)",
		},
		{
			name:   "color-eyre numbers its errors from the first",
			output: "Error: \n   0: reading config\n   1: No such file or directory (os error 2)\n\nLocation:\n   src/lib.rs:16\n\nBacktrace omitted. Run with RUST_BACKTRACE=1 environment variable to display it.",
			want:   "src/lib.rs:16 core::it: Error: reading config: No such file or directory (os error 2)",
		},
		{
			name:   "miette draws its errors",
			output: "Error: shop::bad\n\n  × the price is bad\n  ╰─▶ it is negative\n  help: try less",
			want:   "nowhere core::it: Error: shop::bad: the price is bad: it is negative",
		},
		{
			name: "googletest says what was expected above the error",
			output: "Value of: 2\nExpected: is equal to 3\nActual: 2,\n  which isn't equal to 3\n  at src/lib.rs:62:22\n\n" +
				"Value of: x\nExpected: is true\nActual: false,\n  which is false\n  at src/lib.rs:63:22\n\nError: See failure output above",
			want: "src/lib.rs:62:22 core::it: Value of: 2 Expected: is equal to 3 Actual: 2, which isn't equal to 3 [Value of: x Expected: is true Actual: false, which is false]",
		},
		{
			name: "assert2 says what failed above the panic",
			output: "Assertion failed at src/lib.rs:33:20:\n  check!( 1 + 1 == 3 )\nwith expansion:\n  2 == 3\n\n\n" +
				"thread 'it' (7) panicked at src/lib.rs:33:20:\ncheck failed",
			want: "src/lib.rs:33:20 core::it: assertion failed: check!( 1 + 1 == 3 ) with expansion: 2 == 3",
		},
		{
			name:   "what looks like an error of rustc's in a test's own output",
			output: "error: config is missing\n --> shop.conf:1:1\nError: \"no config\"",
			want:   "nowhere core::it: Error: \"no config\"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout := "\nrunning 1 test\ntest it ... FAILED\n\nfailures:\n\n---- it stdout ----\n" + c.output +
				"\n\n\nfailures:\n    it\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
			for _, quiet := range []bool{false, true} {
				shellText, stderr := "cargo test -q", ""
				if !quiet {
					shellText, stderr = "cargo test", "     Running unittests src/lib.rs (target/debug/deps/core-831829d4dd84a192)\n"
				}
				stderr += c.stderr + "error: test failed, to rerun pass `-p core --lib`\n"
				in := tool.Input{Shell: shellText, Source: tool.Separate([]byte(stdout), []byte(stderr)), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
				r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 101})
				if got := withRelated(r, !quiet); got != c.want && !(quiet && strings.HasPrefix(c.want, got)) || r.ParserConfidence != result.Parsed {
					t.Errorf("%s: %s\n%s\nwant\n%s", shellText, r.ParserConfidence, got, c.want)
				}
			}
		})
	}
}

func withRelated(r *result.ToolResult, related bool) string {
	var got []string
	for _, f := range r.Findings {
		said := placeText(f.At) + " " + f.ID + ": " + f.Message
		for _, other := range f.Related {
			if related {
				said += " [" + other.Message + "]"
			}
		}
		got = append(got, said)
	}
	return strings.Join(got, "\n")
}

// TestCargoQuiet: a package that is alone has the same findings with -q, where
// nothing names its crate, as without; one whose process died is named by it.
func TestCargoQuiet(t *testing.T) {
	const stdout = "\nrunning 2 tests\ntest tests::a ... FAILED\ntest tests::b ... "
	const died = "error: test failed, to rerun pass `--lib`\n\nCaused by:\n" +
		"  process didn't exit successfully: `/src/target/debug/deps/shop-831829d4dd84a192 --test-threads=1` (signal: 6, SIGABRT: process abort signal)\n"
	parse := func(shellText, stdout, stderr string) string {
		in := tool.Input{Shell: shellText, Source: tool.Separate([]byte(stdout), []byte(stderr)), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
		return strings.Join(cargoPlaces(casetest.ParseKnown(in, result.Exit{Observed: true, Code: 101})), "\n")
	}
	loud := parse("cargo test", stdout, "     Running unittests src/lib.rs (target/debug/deps/shop-831829d4dd84a192)\n"+died)
	quiet := parse("cargo test -q", stdout, died)
	if loud != quiet || !strings.Contains(loud, " tests::b: process didn't exit successfully") {
		t.Errorf("loud:\n%s\nquiet:\n%s", loud, quiet)
	}
}

// TestCargoNextBinary: a process that died while its test ran leaves a line
// without end, behind which the next binary begins.
func TestCargoNextBinary(t *testing.T) {
	stdout := "\nrunning 1 test\ntest tests::b ... \nrunning 1 test\ntest after ... FAILED\n\nfailures:\n\n---- after stdout ----\n\nthread 'after' (7) panicked at tests/more.rs:1:22:\nboom\n\n\n" +
		"failures:\n    after\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
	stderr := "     Running unittests src/lib.rs (target/debug/deps/shop-831829d4dd84a192)\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n" +
		"  process didn't exit successfully: `/src/target/debug/deps/shop-831829d4dd84a192` (signal: 6, SIGABRT: process abort signal)\n" +
		"     Running tests/more.rs (target/debug/deps/more-831829d4dd84a192)\nerror: test failed, to rerun pass `--test more`\n"
	in := tool.Input{Shell: "cargo test --no-fail-fast", Source: tool.Separate([]byte(stdout), []byte(stderr)), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
	r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 101})
	var ids []string
	for _, f := range r.Findings {
		ids = append(ids, f.ID)
	}
	if strings.Join(ids, " ") != "tests::b more::after" || r.ParserConfidence != result.Parsed {
		t.Errorf("%s %v", r.ParserConfidence, ids)
	}
}

// TestCargoTailWithinAPanic: the heading of a test's output is cut off, and the panic names the test.
func TestCargoTailWithinAPanic(t *testing.T) {
	tail := "thread 'tests::b' (7) panicked at src/lib.rs:1:22:\nboom\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\nfailures:\n    tests::b\n\n" +
		"test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `--lib`\n"
	in := tool.Input{Shell: "cargo test 2>&1 | tail -11", Source: tool.Separate([]byte(tail), nil), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
	r := casetest.ParseKnown(in, result.Exit{Observed: true})
	if len(r.Findings) != 1 || r.Findings[0].Message != "boom" || r.Findings[0].Location != "src/lib.rs:1" && r.Findings[0].At.Line != 1 {
		t.Errorf("got %+v", r.Findings)
	}
}

// TestCargoTail: the output of "cargo test | tail" has no beginning.
func TestCargoTail(t *testing.T) {
	tail := "---- tests::b stdout ----\n\nthread 'tests::b' (7) panicked at src/lib.rs:1:22:\nboom\n\n\nfailures:\n    tests::a\n    tests::b\n\n" +
		"test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `--lib`\n"
	in := tool.Input{Shell: "cargo test 2>&1 | tail -14", Source: tool.Separate([]byte(tail), nil), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
	r := casetest.ParseKnown(in, result.Exit{Observed: true})
	want := ":0   tests::a: failed; what it said is missing\nsrc/lib.rs:1   tests::b: boom"
	var got []string
	for _, s := range cargoPlaces(r) {
		spot, rest, _ := strings.Cut(s, " ")
		words := strings.SplitN(rest, " ", 3)
		got = append(got, spot+"   "+words[2])
	}
	if strings.Join(got, "\n") != want || r.Counts["passed"] != 3 || r.Counts["failed"] != 2 || r.Status != result.Failed || r.ParserConfidence != result.Heuristic {
		t.Errorf("%s %s %v\n%s", r.Status, r.ParserConfidence, r.Counts, strings.Join(got, "\n"))
	}
}
