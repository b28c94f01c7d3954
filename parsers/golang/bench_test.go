package golang

import (
	"bytes"
	"fmt"
	"testing"

	"cairn/parsers/internal/casetest"
)

// goEvents is the -json output of a package with tests that pass, log much,
// and fail rarely.
func goEvents(tests int) []byte {
	var b bytes.Buffer
	event := func(action, rest string) {
		fmt.Fprintf(&b, `{"Time":"2026-11-20T23:51:24.364722594Z","Action":%q,"Package":"example.com/m/p"%s}`+"\n", action, rest)
	}
	event("start", "")
	for i := range tests {
		name := fmt.Sprintf(`,"Test":"TestCase/n=%d"`, i)
		event("run", name)
		for j := range 20 {
			event("output", name+fmt.Sprintf(`,"Output":"    p_test.go:%d: step %d of the \"long\" story\n"`, j+1, j))
		}
		verdict := "pass"
		if i%1000 == 0 {
			verdict = "fail"
		}
		event(verdict, name+`,"Elapsed":0`)
	}
	event("output", `,"Output":"FAIL\n"`)
	event("output", `,"Output":"FAIL\texample.com/m/p\t0.003s\n"`)
	event("fail", `,"Elapsed":0.004`)
	return b.Bytes()
}

func goVerbose(tests int) []byte {
	var b bytes.Buffer
	for i := range tests {
		fmt.Fprintf(&b, "=== RUN   TestCase%d\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "    p_test.go:%d: step %d of the \"long\" story\n", j+1, j)
		}
		verdict := "PASS"
		if i%1000 == 0 {
			verdict = "FAIL"
		}
		fmt.Fprintf(&b, "--- %s: TestCase%d (0.00s)\n", verdict, i)
	}
	b.WriteString("FAIL\nFAIL\texample.com/m/p\t0.003s\n")
	return b.Bytes()
}

func BenchmarkGoTestJSON(b *testing.B) { casetest.Benchmark(b, "", goEvents(5000), parseGoTestJSON) }

func BenchmarkGoTestVerbose(b *testing.B) {
	casetest.Benchmark(b, "", goVerbose(20000), parseGoTestText)
}

func BenchmarkGoTestPrinted(b *testing.B) {
	data := bytes.Repeat([]byte("a line that some test printed at column one, of no interest\n"), 200_000)
	casetest.Benchmark(b, "", append(data, "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.com/m/p\t0.003s\n"...), parseGoTestText)
}
