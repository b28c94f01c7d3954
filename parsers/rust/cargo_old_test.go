package rust

import (
	"strings"
	"testing"

	"cairn/parsers/internal/casetest"
	"cairn/parsers/tool"
	"cairn/result"
)

// TestCargoOldText reads what older toolchains printed. The texts follow the
// sources of the standard library and of cargo at those versions.
func TestCargoOldText(t *testing.T) {
	for _, c := range []struct{ name, stdout, stderr, want string }{
		{
			name: "rust 1.40: no source in the header, place after the message",
			stdout: `
running 2 tests
test tests::ok ... ok
test tests::sum ... FAILED

failures:

---- tests::sum stdout ----
thread 'tests::sum' panicked at 'assertion failed: ` + "`(left == right)`" + `
  left: ` + "`4`" + `,
 right: ` + "`5`" + `: sum of 2 and 2', src/lib.rs:56:9
note: run with ` + "`RUST_BACKTRACE=1`" + ` environment variable to display a backtrace.


failures:
    tests::sum

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out

`,
			stderr: "    Finished dev [unoptimized + debuginfo] target(s) in 0.00s\n     Running target/debug/deps/lexer-831829d4dd84a192\nerror: test failed, to rerun pass '--lib'\n",
			want:   "src/lib.rs:56:9 tests::sum: assertion failed: `(left == right)`: sum of 2 and 2 (left: 4, right: 5)",
		},
		{
			name: "rust 1.65: path in the header, no id of the thread",
			stdout: `
running 1 test
test works ... FAILED

failures:

---- works stdout ----
thread 'works' panicked at 'called ` + "`Option::unwrap()` on a `None`" + ` value', tests/it.rs:3:20
note: run with ` + "`RUST_BACKTRACE=1`" + ` environment variable to display a backtrace


failures:
    works

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`,
			stderr: "     Running tests/it.rs (target/debug/deps/it-0123456789abcdef)\nerror: test failed, to rerun pass '-p lexer --test it'\n",
			want:   "tests/it.rs:3:20 lexer::it::works: called `Option::unwrap()` on a `None` value",
		},
		{
			name: "rust 1.80: place before the message, no id of the thread",
			stdout: `
running 1 test
test works ... FAILED

failures:

---- works stdout ----
thread 'works' panicked at tests/it.rs:3:20:
boom

failures:
    works

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`,
			stderr: "     Running tests/it.rs (target/debug/deps/it-0123456789abcdef)\nerror: test failed, to rerun pass `--test it`\n",
			want:   "tests/it.rs:3:20 it::works: boom",
		},
		{
			name: "rust 1.70: should_panic, values in backticks",
			stdout: `
running 1 test
test tests::huge - should panic ... FAILED

failures:

---- tests::huge stdout ----
thread 'tests::huge' panicked at 'index out of bounds: the len is 0 but the index is 3', src/lib.rs:80:18
note: run with ` + "`RUST_BACKTRACE=1`" + ` environment variable to display a backtrace
note: panic did not contain expected string
      panic message: ` + "`\"index out of bounds: the len is 0 but the index is 3\"`," + `
 expected substring: ` + "`\"overflow\"`" + `

failures:
    tests::huge

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`,
			stderr: "     Running unittests src/lib.rs (target/debug/deps/lexer-831829d4dd84a192)\nerror: test failed, to rerun pass `--lib`\n",
			want:   `src/lib.rs:80:18 tests::huge: panic did not contain expected string (panic message: "index out of bounds: the len is 0 but the index is 3", expected substring: "overflow")`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := tool.Input{Shell: "cargo test", Source: tool.Separate([]byte(c.stdout), []byte(c.stderr)), Workspace: result.Workspace{Root: "/src", Dir: "/src"}}
			r := casetest.ParseKnown(in, result.Exit{Observed: true, Code: 101})
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Location+" "+f.ID+": "+f.Message)
			}
			if strings.Join(got, "\n") != c.want || r.ParserConfidence != result.Parsed || r.Status != result.Failed {
				t.Errorf("%s %s\n%s\nwant\n%s", r.Status, r.ParserConfidence, strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// TestCargoTestPrints: what a test prints is not taken for what libtest says.
func TestCargoTestPrints(t *testing.T) {
	r := casetest.Read(t, "cargo-test/show-output").Parse()
	if r.Status != result.Passed || len(r.Findings) != 0 || r.Counts["passed"] != 2 {
		t.Errorf("%s, %d findings, %v", r.Status, len(r.Findings), r.Counts)
	}
}

// TestCargoTargets: tests of one name in several targets have ids of their own.
func TestCargoTargets(t *testing.T) {
	r := casetest.Read(t, "cargo-test/workspace").Parse()
	seen := map[string]bool{}
	for _, f := range r.Findings {
		if seen[f.ID] {
			t.Errorf("two findings are called %s", f.ID)
		}
		seen[f.ID] = true
	}
	for _, id := range []string{"cli::tests::eq", "bin/cli::tests::eq", "lexer::tests::eq", "cli::integration::same_name", "lexer::integration::same_name", "cli::cli/src/lib.rs - twice (line 11)"} {
		if !seen[id] {
			t.Errorf("no finding is called %s", id)
		}
	}
}
