package golang

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// gotestsum (1.8 to 1.13) runs go test. Its progress format varies (dots, names), but its closing summary has one form:
//
//	=== Failed
//	=== FAIL: money TestParse/negative (0.00s)
//	    money_test.go:26: Parse("-1.25") = -75, want -125
//
//	=== FAIL: report  (0.00s)
//	FAIL	example.com/ledger/report [build failed]
//
//	=== Errors
//	report/report.go:9:6: declared and not used: unused
//
//	DONE 11 tests, 1 skipped, 5 failures, 1 error in 0.006s
//
// Packages are named relative to the directory where gotestsum ran, which also says where they lie. The full import
// path, which go test's own findings have, is read from a trailer, a stack or a heading; other packages share its
// prefix.
//
// Formats that print what go test -v does are read as such (parseGoTestText).

// gotestsumBlock is one "=== FAIL: " entry of the summary.
type gotestsumBlock struct {
	pkg, test string
	run       int  // 1 for "(re-run 1)"
	unknown   bool // "(unknown)" instead of a time: the test did not end
	log       lex.Log
	span      result.Span
}

type gotestsum struct {
	run     *goRun
	blocks  []*gotestsumBlock
	errors  bool // in "=== Errors"
	summary bool
	done    *gotestsumDone
	dones   int      // number of "DONE" lines read
	told    int64    // offset at which gotestsum's last line ends
	heads   []string // full import paths that were read
	runs    bool     // "=== RUN" came before the summary
	trails  bool     // trailers came before the summary
	rows    []gotestsumRow
	parents int // tests with subtests that passed; go test itself does not count them

	above []string            // lines since the last one of go test -v's own
	shown map[string][]string // of failed tests, which --hide-summary=output leaves out below
}

// gotestsumStarts are the beginnings of the summary's lines.
var gotestsumStarts = []string{"DONE ", "=== FAIL: ", "=== Failed", "=== Errors", "=== Skipped"}

func isGotestsumLine(line string) bool {
	if strings.HasPrefix(line, "DONE ") {
		return readGotestsumDone(line) != nil
	}
	return strings.HasPrefix(line, "=== FAIL: ") || isGotestsumTitle(line)
}

func isGotestsumTitle(line string) bool {
	return line == "=== Failed" || line == "=== Errors" || line == "=== Skipped"
}

// parseGotestsum reads the summary; the lines before it only show progress.
func parseGotestsum(in *tool.Input) *tool.Report {
	g := readGotestsum(in)
	if g.done == nil && len(g.blocks) == 0 || g.runs && g.trails && g.dones < 2 {
		return nil
	}
	return g.finish()
}

func readGotestsum(in *tool.Input) *gotestsum {
	g := &gotestsum{run: newGoRun(in), shown: map[string][]string{}}
	for l := range in.Lines() {
		g.line(l)
	}
	return g
}

func (g *gotestsum) line(l tool.Line) {
	g.run.whole = l.Ended || g.run.whole && l.Text == ""
	g.run.now = result.Span{Start: l.Start, End: l.End}
	if g.done == nil || isGotestsumLine(l.Text) {
		g.run.report.CoverSpan(g.told, l.End)
		g.told = l.End
	}
	switch s := l.Text; {
	case isGotestsumTitle(s):
		g.summary, g.errors = true, s == "=== Errors"
		g.blocks = append(g.blocks, nil)
	case strings.HasPrefix(s, "DONE ") && readGotestsumDone(s) != nil:
		g.done, g.dones = readGotestsumDone(s), g.dones+1
	case strings.HasPrefix(s, "=== FAIL: "):
		g.summary, g.errors = true, false
		g.open(s)
	case g.errors:
		g.error(l)
	case !g.summary:
		g.progress(s)
	case len(g.blocks) > 0 && g.blocks[len(g.blocks)-1] != nil:
		b := g.blocks[len(g.blocks)-1]
		b.log.Add(s)
		b.span.End = max(b.span.End, l.End)
	}
}

// open begins a block: "=== FAIL: money TestParse (re-run 1) (0.00s)".
func (g *gotestsum) open(s string) {
	b := &gotestsumBlock{span: g.run.now}
	var rest string
	b.pkg, rest, _ = strings.Cut(strings.TrimPrefix(s, "=== FAIL: "), " ")
	if i := strings.LastIndex(rest, " ("); i >= 0 {
		rest, b.unknown = rest[:i], rest[i:] == " (unknown)"
	}
	if name, run, ok := strings.Cut(rest, " (re-run "); ok {
		rest = name
		b.run, _ = strconv.Atoi(strings.TrimSuffix(run, ")"))
	}
	b.test = strings.TrimSpace(rest)
	lex.Keep(&g.blocks, 2*g.run.report.Most(), b)
}

// progress looks for the full names of packages in a line before the summary.
func (g *gotestsum) progress(s string) {
	g.runs = g.runs || strings.HasPrefix(s, "=== RUN   ")
	if r, ok := readGotestsumRow(s); ok && len(g.rows) < tool.MaxTests {
		g.rows = append(g.rows, r)
	}
	if r, ok := readGoReport(s); ok {
		g.shown[strings.Clone(r.name)], g.above = g.above, nil
	} else if isGoFraming(s) {
		g.above = nil
	} else if len(g.above) < maxGoBuildText {
		g.above = append(g.above, s)
	}
	if t, ok := readGoTrailer(s); ok {
		g.trails = true
		g.heads = append(g.heads, t.pkg)
	}
	if head, ok := strings.CutSuffix(s, ":"); ok && len(g.heads) < maxGoRelated && isImportPath(head) && strings.Contains(head, "/") {
		g.heads = append(g.heads, head)
	}
}

// error takes a line of the section "=== Errors": compile errors, each followed by an empty line.
func (g *gotestsum) error(l tool.Line) {
	if l.Text != "" && !g.run.build.take(l) {
		g.run.compilerError(l)
	}
}

// compilerError opens a block for a compile error without a package header.
func (run *goRun) compilerError(l tool.Line) {
	if _, _, ok := cutGoPosition(l.Text); ok || isGoLoad(l.Text) {
		run.build.begin(l.Stream.String(), &goBlock{})
		run.build.take(l)
	}
}

// prefix returns the import path that all package names lack: "example.com/ledger/".
func (g *gotestsum) prefix() string {
	for _, b := range g.blocks {
		if b == nil {
			continue
		}
		for _, s := range b.log.Lines() {
			if t, ok := readGoTrailer(s); ok {
				g.heads = append(g.heads, t.pkg)
			}
			full := beforeTest(s)
			if b.pkg == "." && full != "" {
				return full + "/"
			}
			if full, ok := strings.CutSuffix(full, "/"+b.pkg); ok {
				return full + "/"
			}
		}
		for _, head := range g.heads {
			if full, ok := strings.CutSuffix(head, "/"+b.pkg); ok {
				return full + "/"
			}
		}
	}
	return ""
}

// beforeTest returns the package of a test function as a stack names it: "example.com/m" of
// "example.com/m.TestA.func1".
func beforeTest(s string) string {
	for _, mark := range []string{".Test", "_test.Test", ".Benchmark", ".Fuzz", ".Example"} {
		if i := strings.Index(s, mark); i > 0 && isImportPath(s[:i]) {
			return strings.TrimSuffix(s[:i], "_test")
		}
	}
	return ""
}

func (g *gotestsum) finish() *tool.Report {
	g.run.argv = goCommand{} // the names of the packages say where they lie
	g.run.events, g.run.verbose = true, false
	prefix := g.prefix()
	var section *goSection
	name, failed := "", 0
	for _, b := range g.blocks {
		if b == nil {
			continue
		}
		failed++
		if section == nil || name != b.pkg {
			g.close(section)
			name, section = b.pkg, g.run.open(g.full(prefix, b.pkg))
			g.run.dirs.proveDir(section.pkg, b.pkg)
		}
		g.replay(section, b)
	}
	g.close(section)
	rep := g.run.finish(true)
	rep = cmp.Or(rep, g.run.report)
	g.tellRows(rep, prefix)
	return g.applyCounts(rep, failed)
}

// full returns the import path of a package; "." is the package in gotestsum's directory.
func (g *gotestsum) full(prefix, pkg string) string {
	switch {
	case pkg == ".":
		return strings.TrimSuffix(prefix, "/")
	case strings.HasPrefix(pkg, prefix):
		return pkg
	}
	return prefix + pkg
}

// replay feeds a block's lines to the section, as if go test had printed them.
func (g *gotestsum) replay(s *goSection, b *gotestsumBlock) {
	g.run.now = b.span
	g.run.touch(&s.span)
	if b.test == "" || b.test == "TestMain" {
		for _, line := range b.log.Lines() {
			if t, ok := readGoTrailer(line); ok {
				s.trailer = t
				continue
			}
			s.packageLine(line)
		}
		s.failLine = false
		return
	}
	if len(s.failures) == 0 && s.lastFailed == "" {
		s.failLine = true
	}
	died, last := s.trace != nil, s.lastFailed
	t, log := s.start(b.test), b.log.Lines()
	if len(log) == 0 {
		log = g.shown[b.test]
	}
	s.printed(t, log)
	if s.failed(t); died { // a block above has the trace: this test only ran at the same time
		s.lastFailed = last
	}
	s.end(b.test, "fail")
	if n := len(s.failures); b.unknown && n > 0 && !s.failures[n-1].own {
		f := &s.failures[n-1].finding
		f.Message, f.Tags = "the test binary ended without a verdict", []string{"exit"}
	}
}

func (g *gotestsum) close(s *goSection) {
	if s == nil {
		return
	}
	s.trailer.pkg, s.trailer.verdict = s.pkg, "fail"
	s.close()
}
