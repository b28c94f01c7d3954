package formats

// golang has the formats of go 1.26.
var golang = []Format{
	{
		Tool: "go-test", shape: "text", kind: "flood", Argv: []string{"go", "test", "./..."}, Exit: 1,
		parts: []string{"--- FAIL: TestCase%[1]d (0.00s)\n    cart_test.go:%[2]d: total of %[1]d items = %[3]d, want %[1]d\n"},
		foot:  "FAIL\nFAIL\texample.com/shop/cart\t0.003s\nFAIL\n", each: 1,
	},
	{
		Tool: "go-test", shape: "text", kind: "quiet", Argv: []string{"go", "test", "-v", "./..."}, Exit: 1,
		parts: []string{"=== RUN   TestCase%[1]d\n    cart_test.go:%[2]d: priced %[3]d items\n    cart_test.go:%[2]d: total is %[3]d\n--- PASS: TestCase%[1]d (0.00s)\n"},
		foot:  "=== RUN   TestLast\n    cart_test.go:7: total = 1, want 2\n--- FAIL: TestLast (0.00s)\nFAIL\nFAIL\texample.com/shop/cart\t0.003s\nFAIL\n", extra: 1,
	},
	{
		Tool: "go-test", shape: "json", kind: "flood", Argv: []string{"go", "test", "-json", "./..."}, Exit: 1, JSON: true,
		heads: []string{`{"Time":"2026-11-20T23:51:24.364722594Z","Action":"start","Package":"example.com/shop/cart"}` + "\n"},
		parts: []string{`{"Time":"2026-11-20T23:51:24.364722594Z","Action":"run","Package":"example.com/shop/cart","Test":"TestCase%[1]d"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Output":"=== RUN   TestCase%[1]d\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Output":"    cart_test.go:%[2]d: total of %[1]d \"items\" = %[3]d, want %[1]d\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Output":"--- FAIL: TestCase%[1]d (0.00s)\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"fail","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Elapsed":0}` + "\n"},
		foot:  `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Output":"FAIL\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Output":"FAIL\texample.com/shop/cart\t0.003s\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"fail","Package":"example.com/shop/cart","Elapsed":0.004}` + "\n",
		each:  1,
	},
	{
		Tool: "go-test", shape: "json", kind: "quiet", Argv: []string{"go", "test", "-json", "./..."}, Exit: 1, JSON: true,
		heads: []string{`{"Time":"2026-11-20T23:51:24.364722594Z","Action":"start","Package":"example.com/shop/cart"}` + "\n"},
		parts: []string{`{"Time":"2026-11-20T23:51:24.364722594Z","Action":"run","Package":"example.com/shop/cart","Test":"TestCase%[1]d"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Output":"=== RUN   TestCase%[1]d\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Output":"    cart_test.go:%[2]d: priced %[3]d \"items\"\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Output":"--- PASS: TestCase%[1]d (0.00s)\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"pass","Package":"example.com/shop/cart","Test":"TestCase%[1]d","Elapsed":0}` + "\n"},
		foot:  `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"run","Package":"example.com/shop/cart","Test":"TestLast"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Test":"TestLast","Output":"    cart_test.go:7: total = 1, want 2\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"fail","Package":"example.com/shop/cart","Test":"TestLast","Elapsed":0}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"output","Package":"example.com/shop/cart","Output":"FAIL\n"}` + "\n" + `{"Time":"2026-11-20T23:51:24.364722594Z","Action":"fail","Package":"example.com/shop/cart","Elapsed":0.004}` + "\n",
		extra: 1,
	},
}
