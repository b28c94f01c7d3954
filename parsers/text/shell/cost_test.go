package shell

import "testing"

// BenchmarkLine reads lines as captures give them, and as outputs show them.
func BenchmarkLine(b *testing.B) {
	for _, line := range []string{"pytest -q tests/test_a.py", `cd api && CI=1 npx eslint "src/**/*.ts" 2>&1 | tail -50`, "> the quoted line of a mail (or of a diff), which is text"} {
		b.Run(line[:8], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tools.UnwrapShell(line, "sh")
			}
		})
	}
}
