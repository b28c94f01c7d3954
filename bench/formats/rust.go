package formats

// rust has the formats of cargo 1.95 and cargo-nextest 0.9.
var rust = []Format{
	{
		Tool: "cargo-check", shape: "text", Argv: []string{"cargo", "check"}, Exit: 101,
		heads: []string{"    Checking shop v0.1.0 (/home/dev/shop)\n"},
		parts: []string{"error[E0308]: mismatched types\n   --> %[4]s.rs:%[2]d:%[3]d\n    |\n%[2]d |         cart_%[1]d.parse::<i32>()\n    |         ^^^^^^^^^^^^^^^^ expected `Cart%[1]d`, found `i32`\n    |\n    = note: expected enum `Result<_, Cart%[1]d>`\n               found enum `Result<_, ParseIntError>`\n\n"},
		foot:  "For more information about this error, try `rustc --explain E0308`.\nerror: could not compile `shop` (lib) due to %[1]d previous errors\n", each: 1,
	},
	{
		Tool: "cargo-check", shape: "short", Argv: []string{"cargo", "check", "--message-format", "short"}, Exit: 101,
		heads: []string{"    Checking shop v0.1.0 (/home/dev/shop)\n"},
		parts: []string{"%[4]s.rs:%[2]d:%[3]d: error[E0308]: mismatched types: expected `Cart%[1]d`, found `i32`\n"},
		foot:  "error: could not compile `shop` (lib) due to %[1]d previous errors\n", each: 1,
	},
	{
		Tool: "cargo-check", shape: "json", Argv: []string{"cargo", "check", "--message-format", "json"}, Exit: 101, JSON: true,
		parts: []string{`{"reason":"compiler-message","package_id":"path+file:///home/dev/shop#0.1.0","manifest_path":"/home/dev/shop/Cargo.toml","target":{"kind":["lib"],"crate_types":["lib"],"name":"shop","src_path":"/home/dev/shop/src/lib.rs","edition":"2021","doc":true,"doctest":true,"test":true},"message":{"rendered":"error[E0308]: mismatched types\n   --> %[4]s.rs:%[2]d:%[3]d\n    |\n%[2]d |         cart_%[1]d.parse::<i32>()\n    |         ^^^^^^^^^^^^^^^^ expected ` + "`Cart%[1]d`, found `i32`" + `\n\n","$message_type":"diagnostic","children":[{"children":[],"code":null,"level":"note","message":"expected enum ` + "`Result<_, Cart%[1]d>`" + `","rendered":null,"spans":[]}],"level":"error","message":"mismatched types","spans":[{"byte_end":182,"byte_start":166,"column_end":99,"column_start":%[3]d,"expansion":null,"file_name":"%[4]s.rs","is_primary":true,"label":"expected ` + "`Cart%[1]d`, found `i32`" + `","line_end":%[2]d,"line_start":%[2]d,"suggested_replacement":null,"suggestion_applicability":null,"text":[{"highlight_end":25,"highlight_start":9,"text":"        cart_%[1]d.parse::<i32>()"}]}],"code":{"code":"E0308","explanation":"Expected type did not match the received type.\n\nErroneous code examples:\n\n` + "```compile_fail,E0308\\nfn plus_one(x: i32) -> i32 {\\n    x + 1\\n}\\n\\nplus_one(\\\"Not a number\\\");\\n//       ^^^^^^^^^^^^^^ expected `i32`, found `&str`\\n```" + `\n"}}}` + "\n"},
		foot:  `{"reason":"build-finished","success":false}` + "\n", each: 1,
	},
	{
		Tool: "cargo-test", shape: "text", kind: "flood", Argv: []string{"cargo", "test"}, Exit: 101,
		heads: []string{"    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.13s\n     Running unittests src/lib.rs (target/debug/deps/shop-b31c8225ff691b21)\n\nrunning %[1]d tests\n", "\nfailures:\n", "\n\nfailures:\n"},
		parts: []string{
			"test tests::case_%[1]d ... FAILED\n",
			"\n---- tests::case_%[1]d stdout ----\n\nthread 'tests::case_%[1]d' (10965) panicked at %[4]s.rs:%[2]d:%[3]d:\nassertion `left == right` failed\n  left: %[3]d\n right: %[1]d\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
			"    tests::case_%[1]d\n",
		},
		foot: "\ntest result: FAILED. 0 passed; %[1]d failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s\n\nerror: test failed, to rerun pass `-p shop --lib`\n", each: 1,
	},
	{
		Tool: "cargo-test", shape: "text", kind: "quiet", Argv: []string{"cargo", "test"}, Exit: 101,
		heads: []string{"    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.13s\n     Running unittests src/lib.rs (target/debug/deps/shop-b31c8225ff691b21)\n\nrunning %[5]d tests\n"},
		parts: []string{"test store::tests::case_%[1]d_of_%[3]d ... ok\n"},
		foot:  "test tests::last ... FAILED\n\nfailures:\n\n---- tests::last stdout ----\n\nthread 'tests::last' (10965) panicked at src/lib.rs:17:21:\nassertion `left == right` failed\n  left: 4\n right: 5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\nfailures:\n    tests::last\n\ntest result: FAILED. %[1]d passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.03s\n\nerror: test failed, to rerun pass `-p shop --lib`\n",
		extra: 1,
	},
	{
		Tool: "cargo-nextest", shape: "text", kind: "flood", Argv: []string{"cargo", "nextest", "run"}, Exit: 100,
		heads: []string{"    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.01s\n────────────\n Nextest run ID 9fddd2e3-2e35-4991-abd4-f752d3f065db with nextest profile: default\n    Starting 99999 tests across 4 binaries\n"},
		parts: []string{"        FAIL [   0.055s] (  99999/99999) shop tests::case_%[1]d\n  stdout ───\n\n    running 1 test\n    test tests::case_%[1]d ... FAILED\n\n    failures:\n\n    failures:\n        tests::case_%[1]d\n\n    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 33 filtered out; finished in 0.05s\n\n  stderr ───\n\n    thread 'tests::case_%[1]d' (991) panicked at %[4]s.rs:%[2]d:%[3]d:\n    assertion `left == right` failed\n      left: %[3]d\n     right: %[1]d\n    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n"},
		foot:  "────────────\n     Summary [   3.143s] %[1]d tests run: 0 passed, %[1]d failed, 0 skipped\n", each: 1,
	},
	{
		Tool: "cargo-nextest", shape: "text", kind: "quiet", Argv: []string{"cargo", "nextest", "run"}, Exit: 100,
		heads: []string{"    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.01s\n────────────\n Nextest run ID 9fddd2e3-2e35-4991-abd4-f752d3f065db with nextest profile: default\n    Starting 99999 tests across 4 binaries\n"},
		parts: []string{"        PASS [   0.055s] (  99999/99999) shop store::tests::case_%[1]d_of_%[3]d\n"},
		foot:  "        FAIL [   0.055s] (  99999/99999) shop tests::last\n  stderr ───\n\n    thread 'tests::last' (991) panicked at src/lib.rs:17:21:\n    one and one is 2, not 3\n\n────────────\n     Summary [   3.143s] 99999 tests run: %[1]d passed, 1 failed, 0 skipped\n        FAIL [   0.055s] (  99999/99999) shop tests::last\nerror: test run failed\n",
		extra: 1,
	},
}
