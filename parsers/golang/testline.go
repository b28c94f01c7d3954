package golang

import (
	"strings"

	"cairn/parsers/text/lex"
)

// goReport is a line "--- FAIL: TestX/sub (0.00s)".
type goReport struct {
	verdict string // fail, pass, skip, bench
	name    string
	took    int64 // milliseconds
	indent  int   // blanks before it
	glued   bool  // output without a newline stands before it
}

// cutGoVerdict takes the word off that a report begins with.
func cutGoVerdict(s string) (verdict, rest string) {
	switch {
	case strings.HasPrefix(s, "FAIL: "):
		return "fail", s[len("FAIL: "):]
	case strings.HasPrefix(s, "PASS: "):
		return "pass", s[len("PASS: "):]
	case strings.HasPrefix(s, "SKIP: "):
		return "skip", s[len("SKIP: "):]
	case strings.HasPrefix(s, "BENCH: "):
		return "bench", s[len("BENCH: "):]
	}
	return "", s
}

// readGoReport reads the line that package testing prints when a test ends. Its shape is checked to the end, for tests
// print things that look like it: the name is one that go test runs, the time has two decimals. A benchmark's has no
// time.
func readGoReport(s string) (r goReport, ok bool) {
	i := strings.Index(s, "--- ")
	if i < 0 {
		return r, false
	}
	before := s[:i]
	r.glued = strings.TrimLeft(before, " ") != ""
	if !r.glued {
		r.indent = i
	}
	var rest string
	if r.verdict, rest = cutGoVerdict(s[i+4:]); r.verdict == "" {
		return r, false
	}
	r.name = rest
	open := strings.LastIndexByte(rest, '(') - 1
	timed := open > 0 && rest[open] == ' ' && strings.HasSuffix(rest, ")") && isGoTime(rest[open+2:len(rest)-1])
	switch {
	case timed, open > 0 && strings.HasPrefix(rest, "Benchmark"):
		r.name = rest[:open]
		if timed {
			r.took, _ = lex.Millis(rest[open+2 : len(rest)-1])
		}
	case !strings.HasPrefix(rest, "Benchmark"):
		return r, false
	}
	return r, isGoTestPath(r.name) && (r.indent <= goIndent || strings.Count(r.name, "/")+1 >= r.indent/goIndent)
}

// isGoTestPath: a test, or one of its subtests. Blanks in their names are printed as "_".
func isGoTestPath(name string) bool {
	return strings.IndexByte(name, ' ') < 0 && strings.IndexByte(name, '\t') < 0 && isGoTestName(name)
}

// goIndent is how far the report of a subtest is behind its parent's, in blanks. A fuzz test has one more for its
// inputs; what is further in than its name tells was printed by a test.
const goIndent = 4

// isGoBenchmark: the line is the name of a benchmark and nothing else.
func isGoBenchmark(s string) bool {
	top, _, _ := strings.Cut(s, "/")
	return strings.HasPrefix(s, "Benchmark") && isGoTestName(top) && !strings.ContainsAny(s, " \t:")
}

// isGoTime: "0.00s", or "0.00 seconds" as Go up to 1.4 says it.
func isGoTime(s string) bool {
	old, ok := strings.CutSuffix(s, " seconds")
	return isGoSeconds(s, 2) || ok && isGoSeconds(old+"s", 2)
}

// isGoSeconds: "0.00s" with that many decimals.
func isGoSeconds(s string, decimals int) bool {
	whole, frac, ok := strings.Cut(strings.TrimSuffix(s, "s"), ".")
	return ok && strings.HasSuffix(s, "s") && whole != "" && len(frac) == decimals &&
		lex.IsDigits(whole) && lex.IsDigits(frac)
}

// goTrailer is the line that ends what is printed of a package.
type goTrailer struct {
	verdict string // pass, fail, skip (no test files)
	pkg     string
	note    string // "build failed", "setup failed", "no tests to run", "cached", …
}

// kept is a copy: the line that it was read from may be overwritten.
func (t goTrailer) kept() goTrailer {
	t.pkg, t.note = strings.Clone(t.pkg), strings.Clone(t.note)
	return t
}

// readGoTrailer reads "ok  \tpkg\t0.012s", "FAIL\tpkg [build failed]", "?   \tpkg\t[no test files]" and the coverage
// line of a package without tests.
func readGoTrailer(s string) (t goTrailer, ok bool) {
	if s == "" || s[0] != 'o' && s[0] != 'F' && s[0] != '?' && s[0] != '\t' {
		return t, false
	}
	word, rest, _ := strings.Cut(s, "\t")
	switch word {
	case "ok  ":
		t.verdict = "pass"
	case "FAIL":
		t.verdict = "fail"
	case "?   ":
		t.verdict = "skip"
	case "":
		pkg, cover, found := strings.Cut(rest, "\t\tcoverage: ")
		return goTrailer{verdict: "skip", pkg: pkg}, found && isImportPath(pkg) && strings.HasSuffix(cover, "of statements")
	default:
		return t, false
	}
	var tail string
	t.pkg, tail, _ = strings.Cut(rest, "\t")
	if pkg, note, found := strings.Cut(t.pkg, " ["); found && tail == "" {
		t.pkg, t.note = pkg, strings.TrimSuffix(note, "]")
		return t, t.verdict == "fail" && isImportPath(t.pkg) && (t.note == "build failed" || t.note == "setup failed")
	}
	if !isImportPath(t.pkg) {
		return t, false
	}
	took, note, _ := strings.Cut(tail, " ")
	took, more, _ := strings.Cut(took, "\t")
	switch {
	case t.verdict == "skip":
		t.note = "no test files"
		return t, tail == "[no test files]" || tail == "[no tests to run]"
	case took == "(cached)" || isGoSeconds(took, 3):
	default:
		return t, false
	}
	if strings.Contains(note+" "+more, "[no tests to run]") {
		t.note = "no tests to run"
	}
	return t, true
}

// isImportPath: also a directory ("./nope") that is no package.
func isImportPath(s string) bool { return s != "" && !strings.ContainsAny(s, " \t:\"'()[]") }

// isGoFraming: a line that package testing prints between those of the tests.
func isGoFraming(s string) bool {
	if !strings.HasPrefix(s, "=== ") {
		return false
	}
	return lex.HasAnyPrefix(s[4:], "RUN   ", "PAUSE ", "CONT  ", "NAME  ", "ATTR  ")
}

// cutGoFraming splits a framing line; what a test printed without a newline may stand before it.
func cutGoFraming(s string) (before, verb, name string, ok bool) {
	i := strings.Index(s, "=== ")
	if i < 0 || !isGoFraming(s[i:]) {
		return "", "", "", false
	}
	verb, name = strings.TrimSpace(s[i+4:i+10]), s[i+10:]
	if verb == "ATTR" {
		name, _, _ = strings.Cut(name, " ")
	}
	return s[:i], verb, name, isGoTestPath(name)
}
