package result

import (
	"fmt"
	"testing"
)

func typical(i int) Finding {
	return Finding{Kind: TestFailure, Severity: SevFailure, ID: fmt.Sprintf("tests/test_auth.py::TestLogin::test_expired[%d]", i), Rule: "AssertionError",
		Message:  fmt.Sprintf("AssertionError: assert %d == 200, in /home/ann/proj/src/auth.py at line 7 after 15ms", i),
		At:       at("/home/ann/proj/tests/test_auth.py", 42+i, 5),
		Expected: "200", Actual: "401", Detail: "def test_expired():\n>   assert login() == 200\nE   assert 401 == 200\n"}
}

var benchSpace = Workspace{Root: "/home/ann/proj", Dir: "/home/ann/proj", Home: "/home/ann", Tmp: "/tmp"}

// The identity of one finding, from its text to its digest.
func BenchmarkIdentify(b *testing.B) {
	p := newPaths(benchSpace)
	f := typical(1)
	f.At.Path, _ = p.path(f.At.Path)
	b.ReportAllocs()
	for b.Loop() {
		p.identify(&f, "pytest")
	}
}

func BenchmarkFingerprint(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Fingerprint("pytest", "AssertionError", "tests/test_auth.py::TestLogin::test_expired[1]", "AssertionError: assert 1 == 200")
	}
}

func BenchmarkMessage(b *testing.B) {
	p := newPaths(benchSpace)
	m := typical(1).Message
	b.SetBytes(int64(len(m)))
	b.ReportAllocs()
	for b.Loop() {
		p.message(m)
	}
}

func BenchmarkSeal1000(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		r := &ToolResult{Tool: "pytest", Kind: Test}
		for i := range 1000 {
			r.Findings = append(r.Findings, typical(i))
		}
		b.StartTimer()
		Seal(r, benchSpace)
	}
}

func BenchmarkJSON1000(b *testing.B) {
	r := &ToolResult{Tool: "pytest", Kind: Test}
	for i := range 1000 {
		r.Findings = append(r.Findings, typical(i))
	}
	Seal(r, benchSpace)
	b.ReportAllocs()
	for b.Loop() {
		data, err := r.JSON()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(data)))
	}
}
