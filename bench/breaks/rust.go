package main

import "cairn/bench/packages"

var semver = project{
	name: "semver", version: "1.0.26", license: "MIT or Apache-2.0",
	needs: []string{"cargo"},
	fetch: packages.Crate("semver", "1.0.26", "56e6fa9c48d24d85fb3de5ad847117517440f6beceb7798af16b4a87d616b8d0"),
	tools: map[string][]string{
		"cargo-test":   {"cargo", "test"},
		"no-fail-fast": {"cargo", "test", "--no-fail-fast"},
		"cargo-clippy": {"cargo", "clippy", "--", "-D", "warnings"},
		"cargo-build":  {"cargo", "build"},
	},
	breaks: []brk{
		{"wrong value", "cargo-test", []edit{{"src/eval.rs", "    ver.pre == cmp.pre", "    ver.pre != cmp.pre"}}, 101,
			want{"test_exact", "tests/test_version_req.rs", `assert_match_all(r, &["1.0.0"]);`}},
		{"wrong value, no fail fast", "no-fail-fast", []edit{{"src/eval.rs", "    ver.pre == cmp.pre", "    ver.pre != cmp.pre"}}, 101,
			want{"test_exact", "tests/test_version_req.rs", `assert_match_all(r, &["1.0.0"]);`}},
		{"panic in a helper", "cargo-test", []edit{{"src/display.rs", "let len = do_len();", "let len = do_len();\n    if len < min_width { panic!(\"no width\") }"}}, 101,
			want{"test_align", "src/display.rs", `panic!("no width")`}},
		{"stack overflow", "cargo-test", []edit{{"src/display.rs", "1 + digits(val / 10)", "1 + digits(val)"}, {"tests/test_version.rs", "fn test_align() {\n    let version = version(\"1.2", "fn test_align() {\n    let version = version(\"11.2"}}, 101,
			want{"test_align", "", ""}},
		{"left by exit", "cargo-test", []edit{{"tests/test_version.rs", "fn test_align() {", "fn test_align() {\n    std::process::exit(3);"}}, 3,
			want{"", "", ""}},
		{"unwrap of none", "cargo-test", []edit{{"tests/test_version.rs", "    let version = version(\"1.2.3-rc1\");", "    let version = version(\"1.2.3-rc1\");\n    None::<u8>.unwrap();"}}, 101,
			want{"test_align", "tests/test_version.rs", "None::<u8>.unwrap()"}},
		{"failing doctest", "cargo-test", []edit{{"src/lib.rs", "//!     assert!(!req.matches(&version));", "//!     assert!(req.matches(&version));"}}, 101,
			want{"src/lib.rs - (line 19)", "src/lib.rs", "```\n//! use semver::{"}}, /* where the test begins: rustdoc names no line in it */
		{"syntax error", "cargo-build", []edit{{"src/eval.rs", "if !matches_impl(cmp, ver) {", "if !matches_impl(cmp, ver {"}}, 101,
			want{"", "src/eval.rs", "if !matches_impl(cmp, ver {"}},
		{"mismatched types", "cargo-build", []edit{{"src/eval.rs", "    ver.pre == cmp.pre", "    ver.major"}}, 101,
			want{"E0308", "src/eval.rs", "    ver.major\n"}},
		{"missing crate", "cargo-build", []edit{{"src/eval.rs", "use crate::{Comparator", "use nobody::Missing;\nuse crate::{Comparator"}}, 101,
			want{"E0432", "src/eval.rs", "use nobody::Missing"}},
		{"undefined name in a test", "cargo-test", []edit{{"tests/test_version.rs", "    let err = version_err(\"  \");", "    let err = version_error(\"  \");"}}, 101,
			want{"E0425", "tests/test_version.rs", "version_error("}},
		{"deleted function", "cargo-test", []edit{{"src/eval.rs", "fn matches_tilde(", "fn matches_tilde_old("}}, 101,
			want{"E0425", "src/eval.rs", "matches_tilde(cmp, ver),"}},
		{"unused variable", "cargo-clippy", []edit{{"src/eval.rs", "    ver.pre == cmp.pre", "    let unused = 1;\n    ver.pre == cmp.pre"}}, 101,
			want{"unused", "src/eval.rs", "let unused = 1"}},
		{"needless return", "cargo-clippy", []edit{{"src/eval.rs", "    ver.pre == cmp.pre", "    return ver.pre == cmp.pre;"}}, 101,
			want{"needless_return", "src/eval.rs", "return ver.pre == cmp.pre;"}},
	},
}
