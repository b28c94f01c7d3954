package redact

import (
	"strings"
	"testing"
)

// plainLog is output without any keyword.
func plainLog(size int) string {
	line := "ok  \texample.org/shop/checkout\t0.412s\n--- FAIL: TestRounding (0.00s)\n    round_test.go:17: got 3, want 4\n"
	return strings.Repeat(line, size/len(line)+1)[:size]
}

// busyLog is manifest text in which many keywords occur and two secrets.
func busyLog(size int) string {
	line := `{"message":"KeyError: 'token' in access_log","id":"tests/test_auth.py::test_api_key","path":"src/auth/token.py"}` + "\n"
	return strings.Repeat(line, size/len(line)+1)[:size] + "\nGITHUB_TOKEN=" + "gh" + "p_" + random(1, word, 36) + "\npassword=" + "hun" + "ter2\n"
}

func BenchmarkString(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"plain 4KB", plainLog(4 << 10)},
		{"plain 1MB", plainLog(1 << 20)},
		{"keywords 4KB", busyLog(4 << 10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				(&Redactor{}).String(c.text)
			}
		})
	}
}

// BenchmarkCold is the first call of a process: the matcher is built, and what is needed is compiled.
func BenchmarkCold(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"plain 4KB", plainLog(4 << 10)},
		{"keywords 4KB", busyLog(4 << 10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				resetForTest()
				(&Redactor{}).String(c.text)
			}
		})
	}
}
