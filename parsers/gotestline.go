package parsers

import "strings"

// goReport is a line "--- FAIL: TestX/sub (0.00s)".
type goReport struct {
	verdict string // fail, pass, skip, bench
	name    string
	indent  int  // blanks before it
	glued   bool // output without a newline stands before it
}

var goVerdicts = map[string]string{"FAIL": "fail", "PASS": "pass", "SKIP": "skip", "BENCH": "bench"}

// readGoReport reads the line that package testing prints when a test ends.
// Its shape is checked to the end, for tests print things that look like it:
// the name is one that go test runs, the time has two decimals. A benchmark's
// has no time.
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
	word, rest, found := strings.Cut(s[i+4:], ": ")
	if r.verdict = goVerdicts[word]; !found || r.verdict == "" {
		return r, false
	}
	r.name = rest
	if !strings.HasPrefix(rest, "Benchmark") {
		open := strings.LastIndex(rest, " (")
		if open < 0 || !isGoSeconds(strings.TrimSuffix(rest[open+2:], ")"), 2) || !strings.HasSuffix(rest, ")") {
			return r, false
		}
		r.name = rest[:open]
	} else if open := strings.LastIndex(rest, " ("); open > 0 {
		r.name = rest[:open]
	}
	top, _, _ := strings.Cut(r.name, "/")
	return r, isGoTestName(top) && !strings.ContainsAny(r.name, " \t") && strings.Count(r.name, "/")+1 >= r.indent/goIndent
}

// goIndent is how far the report of a subtest is behind its parent's, in
// blanks. A fuzz test has one more for its inputs; what is further in than its
// name tells was printed by a test.
const goIndent = 4

// isGoBenchmark: the line is the name of a benchmark and nothing else.
func isGoBenchmark(s string) bool {
	top, _, _ := strings.Cut(s, "/")
	return strings.HasPrefix(s, "Benchmark") && isGoTestName(top) && !strings.ContainsAny(s, " \t:")
}

// isGoSeconds: "0.00s" with that many decimals.
func isGoSeconds(s string, decimals int) bool {
	whole, frac, ok := strings.Cut(strings.TrimSuffix(s, "s"), ".")
	return ok && strings.HasSuffix(s, "s") && whole != "" && len(frac) == decimals &&
		isDigits(whole) && isDigits(frac)
}

// goTrailer is the line that ends what is printed of a package.
type goTrailer struct {
	verdict string // pass, fail, skip (no test files)
	pkg     string
	note    string // "build failed", "setup failed", "no tests to run", "cached", …
}

// readGoTrailer reads "ok  \tpkg\t0.012s", "FAIL\tpkg [build failed]",
// "?   \tpkg\t[no test files]" and the coverage line of a package without
// tests.
func readGoTrailer(s string) (t goTrailer, ok bool) {
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
func isImportPath(s string) bool {
	return s != "" && !strings.ContainsAny(s, " \t:\"'()[]")
}

// isGoFraming: a line that package testing prints between those of the tests.
func isGoFraming(s string) bool {
	if !strings.HasPrefix(s, "=== ") {
		return false
	}
	for _, p := range []string{"RUN   ", "PAUSE ", "CONT  ", "NAME  ", "ATTR  "} {
		if strings.HasPrefix(s[4:], p) {
			return true
		}
	}
	return false
}

// cutGoFraming splits a framing line; what a test printed without a newline
// may stand before it.
func cutGoFraming(s string) (before, verb, name string, ok bool) {
	i := strings.Index(s, "=== ")
	if i < 0 || !isGoFraming(s[i:]) {
		return "", "", "", false
	}
	verb, name = strings.TrimSpace(s[i+4:i+10]), s[i+10:]
	if verb == "ATTR" {
		name, _, _ = strings.Cut(name, " ")
	}
	top, _, _ := strings.Cut(name, "/")
	return s[:i], verb, name, isGoTestName(top) && !strings.ContainsAny(name, " \t")
}
