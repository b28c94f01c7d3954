package golang

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/result"
)

// goReport is a line "--- FAIL: TestX/sub (0.00s)".
type goReport struct {
	verdict string // fail, pass, skip, bench
	name    string
	took    int64 // milliseconds
	indent  int   // blanks before "---"
	glued   bool  // output without a newline precedes it
}

// readGoReport reads the line that package testing prints when a test ends. Since tests print similar lines, all of it
// is checked: the name is one that go test runs, and the time has two decimals. A benchmark's report has no time.
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
	word, rest, _ := strings.Cut(s[i+4:], ": ")
	if r.verdict = lex.Means(word, "fail: FAIL; pass: PASS; skip: SKIP; bench: BENCH"); r.verdict == "" {
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

// isGoTestPath says whether name is a test or a subtest. Go prints blanks in names as "_".
func isGoTestPath(name string) bool {
	return strings.IndexByte(name, ' ') < 0 && strings.IndexByte(name, '\t') < 0 && isGoTestName(name)
}

// goIndent is how many blanks a subtest's report is indented below its parent's. A fuzz test adds one more level for
// its inputs. A line that is indented deeper than its name allows was printed by a test.
const goIndent = 4

// isGoBenchmark says whether the line is a benchmark's name and nothing else.
func isGoBenchmark(s string) bool {
	top, _, _ := strings.Cut(s, "/")
	return strings.HasPrefix(s, "Benchmark") && isGoTestName(top) && !strings.ContainsAny(s, " \t:")
}

// isGoTime accepts "0.00s", and "0.00 seconds" as Go up to 1.4 prints it.
func isGoTime(s string) bool { return isGoSeconds(strings.Replace(s, " seconds", "s", 1), 2) }

// isGoSeconds accepts seconds with that many decimals: "0.00s" has 2.
func isGoSeconds(s string, decimals int) bool {
	whole, frac, ok := strings.Cut(strings.TrimSuffix(s, "s"), ".")
	return ok && strings.HasSuffix(s, "s") && whole != "" && len(frac) == decimals &&
		lex.IsDigits(whole) && lex.IsDigits(frac)
}

// goTrailer is the line that ends the output of a package.
type goTrailer struct {
	verdict string // pass, fail, skip (no test files)
	pkg     string
	note    string // "build failed", "setup failed", "no tests to run", "cached", …
}

// kept is a copy that stays valid when the buffer of the line is reused.
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
	if word == "" {
		pkg, cover, found := strings.Cut(rest, "\t\tcoverage: ")
		return goTrailer{verdict: "skip", pkg: pkg}, found && isImportPath(pkg) && strings.HasSuffix(cover, "of statements")
	}
	if t.verdict = lex.Means(word, "pass: ok  ; fail: FAIL; skip: ?   "); t.verdict == "" {
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

// isImportPath says whether s can be an import path, or a directory such as "./nope" that has no package.
func isImportPath(s string) bool { return s != "" && !strings.ContainsAny(s, " \t:\"'()[]") }

// isGoFraming says whether package testing prints the line between the tests' own: "=== RUN   TestX".
func isGoFraming(s string) bool {
	rest, ok := strings.CutPrefix(s, "=== ")
	return ok && lex.HasAnyPrefix(rest, "RUN   ", "PAUSE ", "CONT  ", "NAME  ", "ATTR  ")
}

// frames reports whether a line is package testing's own about the test of that name.
func frames(line, name string) bool {
	r, ok := readGoReport(line)
	return ok && r.name == name && !r.glued || isGoFraming(line) && strings.HasSuffix(line, name)
}

// cutGoFraming splits a framing line. Output without a newline may precede it.
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

// checkLine follows what gopkg.in/check.v1 prints inside of one test, which runs all of its suites:
//
//	----------------------------------------------------------------------
//	FAIL: c_test.go:6: S.TestEq
//
//	c_test.go:7:
//	    c.Assert(1, Equals, 2)
//	... obtained int = 1
//	... expected int = 2
//
//	OOPS: 1 passed, 3 FAILED, 1 PANICKED, 1 MISSED
//
// Its failures are specs, as ginkgo's are. A test that is MISSED did not run because another one failed. With -check.vv,
// a line "START: c_test.go:6: S.TestEq" precedes what is said, fixtures within it included, and the verdict follows it.
func (g *ginkgo) checkLine(s string) bool {
	switch verdict, rest, _ := strings.Cut(s, ": "); {
	case lex.IsOneOf(verdict, "FAIL PANIC START"):
		return g.checkBegins(verdict, rest)
	case len(g.begun) > 0 && lex.IsOneOf(verdict, "PASS SKIP MISS"):
		g.open, g.begun = g.begun[len(g.begun)-1], g.begun[:len(g.begun)-1]
		return true
	case verdict == "OOPS" && g.checks:
		n := read.Counts(rest)
		g.found, g.open = n["failed"]+n["panicked"], nil
		return true
	case strings.HasPrefix(s, "-----"), verdict == "PASS", verdict == "SKIP", verdict == "MISS":
		g.open = nil
	}
	if g.open == nil || !g.checks {
		return g.checks && g.specs != nil
	}
	g.open.checkLine(s)
	return true
}

// checkBegins reads "c_test.go:6: S.TestEq": the place is the test's, not the failing check's.
func (g *ginkgo) checkBegins(verdict, rest string) bool {
	spot, name, ok := strings.Cut(rest, ": ")
	at, placed := frame.Go(spot)
	if !ok || !placed || !strings.HasSuffix(at.Path, ".go") || !strings.Contains(name, ".") || strings.Contains(name, " ") {
		return false
	}
	p := &ginkgoSpec{head: name, at: &at, check: true}
	g.checks = true
	switch n := len(g.begun); {
	case verdict == "START":
		g.begun, g.open = append(g.begun[:min(n, maxSpecs)], g.open), p
		return true
	case n > 0 && g.open != nil && g.open.head == name:
		p, g.open, g.begun = g.open, g.begun[n-1], g.begun[:n-1]
	default:
		g.open = p
	}
	p.paniced = verdict == "PANIC"
	lex.Keep(&g.specs, maxSpecs, p)
	return true
}

func (p *ginkgoSpec) checkLine(s string) {
	said, isSaid := strings.CutPrefix(s, "... ")
	switch {
	case strings.HasPrefix(said, "Panic: ") && len(p.text) == 0:
		said, _, _ = strings.Cut(said[len("Panic: "):], " (PC=")
		p.text = append(p.text, "panic: "+said)
	case isSaid:
		p.checkSays(strings.TrimPrefix(said, "Error: "))
	case strings.HasPrefix(s, "  in "):
		if n := len(p.frames); n > 0 {
			p.frames[n-1].Function = s[len("  in "):]
		}
	default:
		p.checkPlace(s)
	}
}

// checkSays takes a line of the first check that failed; lines of further checks become related places.
func (p *ginkgoSpec) checkSays(s string) {
	if n := len(p.more); n > 0 {
		if f := &p.more[n-1]; f.Message == "" {
			f.Message = s
		} else {
			f.Message += ", " + s
		}
		return
	}
	lex.Keep(&p.text, maxGoBuildText, s)
}

// checkPlace reads "c_test.go:7:" before a check, and "c_test.go:8" of a stack.
func (p *ginkgoSpec) checkPlace(s string) {
	spot, isCheck := strings.CutSuffix(s, ":")
	at, ok := frame.Go(spot)
	if !ok || s[0] == ' ' {
		return
	}
	switch {
	case !isCheck && len(p.text) > 0 && len(p.frames) < maxGoFrames:
		p.frames = append(p.frames, at)
	case isCheck && len(p.text) == 0:
		p.at = &at
	case isCheck && len(p.more) < maxGoRelated:
		p.more = append(p.more, result.Related{At: &at})
	}
}

// missed says whether the test did not run because its fixture failed.
func (p *ginkgoSpec) missed() bool {
	return p.check && p.paniced && len(p.text) > 0 && strings.HasPrefix(p.text[0], "panic: Fixture has panicked")
}

// fillCheck completes the finding of a failed check: its values, joined into one line.
func (p *ginkgoSpec) fillCheck(f *result.Finding) {
	f.Message = strings.Join(p.text, ", ")
	if i := strings.Index(f.Message, ", Difference:"); i > 0 {
		f.Message = f.Message[:i]
	}
	for _, s := range p.text {
		if v, ok := strings.CutPrefix(s, "obtained "); ok {
			_, f.Actual, _ = strings.Cut(v, " = ")
		}
		if v, ok := strings.CutPrefix(s, "expected "); ok {
			_, f.Expected, _ = strings.Cut(v, " = ")
		}
	}
	f.Related = append(f.Related, p.more...)
	for _, at := range p.frames { // frames in the package itself have no directory, or with -trimpath that of the test
		if p.paniced && path.Dir(at.Path) == path.Dir(p.at.Path) {
			f.At = &at
			break
		}
	}
	f.Frames = nil
}
