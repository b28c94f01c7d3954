package rust

import (
	"strings"
	"testing"
	"unicode/utf8"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

const mimicBlock = "running 4 tests\ntest      adds    ... ok\ntest [ui] fails   ... FAILED\ntest      panics  ... FAILED\ntest      silent  ... FAILED\n\n" +
	"failures:\n\n---- fails ----\nexpected 3, got 4\nsecond line\n\n---- panics ----\ntest panicked: oh no\n\n---- silent ----\n\n\n" +
	"failures:\n    fails\n    panics\n    silent\n\ntest result: FAILED. 1 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n"

const mimicPanic = "\nthread '<unnamed>' (12023) panicked at tests/m.rs:7:34:\noh no\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"

// TestCargoHarness: a harness that looks like libtest says itself why a test
// failed; with -q as without, nextest the same.
func TestCargoHarness(t *testing.T) {
	const header = "     Running tests/m.rs (target/debug/deps/m-b9da8f81bda29a73)\n"
	const failed = "error: test failed, to rerun pass `--test m`\n"
	const want = "nowhere m::fails: expected 3, got 4\ntests/m.rs:7:34 m::panics: oh no\nnowhere m::silent: failed without saying why"
	for _, c := range []struct{ shell, stderr string }{
		{"cargo test", header + mimicPanic + failed},
		{"cargo test -q", mimicPanic + failed},
	} {
		if got := harnessFindings(c.shell, "\n"+mimicBlock, c.stderr, 101); got != want {
			t.Errorf("%s\n%s\nwant\n%s", c.shell, got, want)
		}
	}
	nextest := "    Starting 2 tests across 1 binary\n        FAIL [   0.045s] (1/2) shop::m [ui] fails\n  stdout ───\n\n" +
		"    running 1 test\n    test [ui] fails ... FAILED\n\n    failures:\n\n    ---- fails ----\n    expected 3, got 4\n    second line\n\n\n    failures:\n        fails\n\n" +
		"    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s\n\n\n" +
		"        PASS [   0.044s] (2/2) shop::m adds\n────────────\n     Summary [   0.133s] 2 tests run: 1 passed, 1 failed, 0 skipped\n        FAIL [   0.045s] (1/2) shop::m [ui] fails\nerror: test run failed\n"
	if got := harnessFindings("cargo nextest run", "", nextest, 100); got != "nowhere shop::m::[ui] fails: expected 3, got 4" {
		t.Errorf("nextest: %s", got)
	}
}

// TestCargoQuietNocapture: under -q no header says that tests run, yet what they
// print on stderr is theirs.
func TestCargoQuietNocapture(t *testing.T) {
	stdout := "\nrunning 2 tests\nFF\n\nfailures:\n\nfailures:\n    tests::a\n    tests::b\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
	stderr := "\nthread 'tests::a' (7) panicked at src/lib.rs:4:5:\nboom\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\nerror: what a test says\n" +
		"\nthread 'tests::b' (8) panicked at src/lib.rs:9:5:\nbang\nerror: test failed, to rerun pass `--lib`\n"
	want := "src/lib.rs:4:5 tests::a: boom\nsrc/lib.rs:9:5 tests::b: bang"
	if got := harnessFindings("cargo test -q -- --nocapture", stdout, stderr, 101); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func harnessFindings(shellText, stdout, stderr string, exit int) string {
	in := tool.Input{Shell: shellText, Source: tool.Separate([]byte(stdout), []byte(stderr)), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
	var got []string
	for _, f := range casetest.ParseKnown(in, result.Exit{Observed: true, Code: exit}).Findings {
		got = append(got, placeText(f.At)+" "+f.ID+": "+f.Message)
	}
	return strings.Join(got, "\n")
}

// TestCargoMiri: what Miri says of the test that it stopped is why the process ended.
func TestCargoMiri(t *testing.T) {
	stdout := "\nrunning 2 tests\ntest tests::fine ... ok\ntest tests::ub ... "
	stderr := "     Running unittests src/lib.rs (target/miri/x86_64-unknown-linux-gnu/debug/deps/mm-76a58e058a78966b)\n" +
		"error: Undefined Behavior: memory access failed\n --> src/lib.rs:1:42\n  |\n1 | pub fn at(p: *const u8) -> u8 { unsafe { *p } }\n  |                                          ^^ Undefined Behavior occurred here\n  |\n" +
		"  = note: this is on thread `tests::ub`\n\nerror: aborting due to 1 previous error\n\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n" +
		"  process didn't exit successfully: `cargo-miri runner /src/target/miri/x86_64-unknown-linux-gnu/debug/deps/mm-76a58e058a78966b` (exit status: 1)\n"
	if got := harnessFindings("cargo +nightly miri test", stdout, stderr, 1); got != "src/lib.rs:1:42 tests::ub: Undefined Behavior: memory access failed" {
		t.Error(got)
	}
}

// TestNextestScreen: on a terminal nextest ends no row with a newline, and draws
// bars over each other below.
func TestNextestScreen(t *testing.T) {
	const width = 100
	row := func(s string) string {
		cells := utf8.RuneCount(tool.Resolve([]byte(s)))
		return s + strings.Repeat(" ", max(width, (cells+width-1)/width*width)-cells)
	}
	draw := func(rows ...string) string {
		all := ""
		for _, r := range append(rows, "     Running [ 00:00:00] ██   1/2: 1 running, 1 failed", "          [ 00:00:00] shop tests::slow") {
			all += row(r)
		}
		return all + "\x1b[1A\r\x1b[2K\x1b[1B\r\x1b[2K\x1b[1A"
	}
	long := "a message that is longer than one row of the terminal, which goes on in the next " + strings.Repeat("word ", 8) + "end"
	out := "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.11s\r\n" + draw() +
		draw(screenRule, " Nextest run ID cc653e4e with nextest profile: default", "    Starting 2 tests across 1 binary") + draw() +
		draw("\x1b[31;1m        FAIL\x1b[0m [   0.021s] shop tests::eq", "  stderr ───", "", "    thread 'tests::eq' (7) panicked at src/lib.rs:42:9:", "    "+long, "") +
		draw("        PASS [   0.017s] shop tests::slow") +
		draw(screenRule, "     Summary [   0.103s] 2 tests run: 1 passed, 1 failed, 0 skipped", "        FAIL [   0.021s] shop tests::eq") +
		"\x1b[31;1merror\x1b[0m: test run failed\r\n"
	for _, shellText := range []string{"cargo nextest run", "make test"} {
		in := tool.Input{Shell: shellText, Source: tool.Separate([]byte(out), nil), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
		r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 100})
		if r.Tool != "cargo-nextest" && (len(r.Parts) == 0 || r.Parts[0].Tool != "cargo-nextest") || r.ParserConfidence != result.Parsed {
			t.Errorf("%s: %s %s", shellText, r.Tool, r.ParserConfidence)
		}
		if got := harnessFindings(shellText, out, "", 100); shellText != "make test" && got != "src/lib.rs:42:9 shop::tests::eq: "+long {
			t.Errorf("%s: %s", shellText, got)
		}
	}
}

// TestCargoSanitizer: the report of a sanitizer names the test by its frames, and
// says nothing that is another in the next run.
func TestCargoSanitizer(t *testing.T) {
	stderr := "     Running unittests src/lib.rs (target/x86_64-unknown-linux-gnu/debug/deps/shop-5276c5d80e538d1d)\n=================================================================\n" +
		"==10538==ERROR: AddressSanitizer: heap-use-after-free on address 0x7b78853e4010 at pc 0x55c6e9b0a62d bp 0x7b5882bfd360 sp 0x7b5882bfd358\nREAD of size 4 at 0x7b78853e4010 thread T2\n" +
		"    #0 0x55c6e9b0a62c in core::ptr::read_volatile::<i32> /rustc/e50a/library/core/src/ptr/mod.rs:2107:9\n    #1 0x55c6e9b0a805 in shop::at /src/src/lib.rs:3:104\n" +
		"    #2 0x55c6e9b0a805 in shop::tests::uaf /src/src/lib.rs:9:5\n    #3 0x55c6e9b0a916 in shop::tests::uaf::{closure#0} /src/src/lib.rs:8:21\n" +
		"    #4 0x55c6e9b0b44a in test::__rust_begin_short_backtrace /rustc/e50a/library/test/src/lib.rs:724:18\n\n0x7b78853e4010 is located 0 bytes inside of 4-byte region\nfreed by thread T2 here:\n" +
		"    #0 0x55c6e9b0a805 in shop::other /src/src/lib.rs:5:9\n==10538==ABORTING\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n" +
		"  process didn't exit successfully: `/src/target/x86_64-unknown-linux-gnu/debug/deps/shop-5276c5d80e538d1d` (exit status: 1)\n"
	want := "src/lib.rs:3:104 tests::uaf: AddressSanitizer: heap-use-after-free"
	if got := harnessFindings("cargo +nightly test --lib", "\nrunning 2 tests\ntest tests::ok ... ok\n", stderr, 1); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
