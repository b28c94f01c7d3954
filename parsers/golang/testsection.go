package golang

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// goSection is the part of a run's output that belongs to one package.
type goSection struct {
	run     *goRun
	pkg     string // in text, "" until the trailer names it
	trailer goTrailer
	verbose bool
	seen    bool // the package printed something
	// announced: a "=== RUN" line was read. Before it, output may start within the package, as "| tail" leaves it.
	announced bool
	span      result.Span // of the whole section

	tests      map[string]*goTest // running tests; under -v also those that ended, until the package ends
	failures   []goFailure
	spare      *goTest // an ended test, whose memory the next one reuses: of a million tests few run at a time
	lastFailed string  // the test of the last "--- FAIL"; if one panicked, that one

	trace   *goTrace
	traceOn tool.Stream
	specs   ginkgo
	convey  convey
	steps   godogSteps
	early   []string // entries printed before the report of their test
	glued   string   // "panic: …" after output without a newline
	race    *goRace
	races   []*goRace

	lastLine []byte // the last line printed at column one
	exit     string // "exit status 3"
	failLine bool   // "FAIL" alone on a line: the test binary ran to its end
	passLine bool

	passed, skipped int

	serial   *goTest     // the top-level test that began last
	ran      []tool.Test // named as in their package, without its path
	reported int         // failures that package testing reported
	beyond   int         // failures beyond the limit, which are only counted
}

// goTest is a test that runs or whose log is being read.
type goTest struct {
	name    string
	log     lex.Log
	took    int64  // milliseconds
	twice   bool   // reported as failed after another report
	indent  int    // blanks before its report; lines that belong to it are indented by as many
	verdict string // in its report
	ended   bool
	parent  bool    // has subtests
	paused  bool    // waits for its turn
	nested  bool    // reported itself again within its own report
	partial string  // output whose newline has not come yet
	specs   *ginkgo // specs that it ran
	conveys []logEntry
	span    result.Span // of its log and its report
}

// touch widens a span to the line that is being read.
func (run *goRun) touch(s *result.Span) {
	if s.End == 0 {
		s.Start = run.now.Start
	}
	s.End = max(s.End, run.now.End)
}

func (s *goSection) start(name string) *goTest {
	name = strings.Clone(name)
	t := s.spare
	if t == nil {
		t = &goTest{}
	}
	s.spare, t.name = nil, name
	s.tests[name] = t
	s.seen = true
	s.run.touch(&t.span)
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if p := s.tests[name[:i]]; p != nil {
			p.parent = true
			break
		}
	}
	return t
}

// joined starts a test whose output began above a cut, and its parent, which is
// reported first.
func (s *goSection) joined(name string) {
	top, _, _ := strings.Cut(name, "/")
	for _, n := range []string{top, name} {
		if s.tests[n] == nil && strings.HasPrefix(n, "Test") {
			s.start(n)
		}
	}
}

// failed notes a report of failure. A parent's report comes after its subtest's in -json and before it in text;
// lastFailed keeps the subtest.
func (s *goSection) failed(t *goTest) {
	s.reported++
	if rest, ok := strings.CutPrefix(s.lastFailed, t.name); !ok || !strings.HasPrefix(rest, "/") {
		s.lastFailed = t.name
	}
}

// ends takes the report of a test that has not ended.
func (s *goSection) ends(t *goTest, rep goReport) {
	if rep.verdict == "fail" {
		s.failed(t)
	}
	s.framed()
	s.gather(t)
	t.indent, t.verdict, t.ended, t.took = rep.indent, rep.verdict, true, rep.took
}

// maxEarly bounds the entries that wait for their test's report.
const maxEarly = 50

// earlyLine keeps an entry that an assertion library printed by itself. If logs is set, it keeps all lines of logs
// that precede their test's report.
func (s *goSection) earlyLine(line string, logs bool) {
	logs = logs && lex.LeadingBlanks(line) >= goIndent
	if spot, text, ok := strings.Cut(line, "_test.go:"); ok && !strings.ContainsAny(spot, " \t/") { // go-playground/assert: "a_test.go:12 1 does not equal 2"
		if number, rest, _ := strings.Cut(text, " "); lex.IsDigits(number) && rest != "" {
			line, logs = "    "+spot+"_test.go:"+number+": "+rest, true
		}
	}
	if len(line) > 1 && (line[0] == '\t' || logs) && len(s.early) < maxEarly && len(line) < lex.MaxLogLine {
		if _, ok := readLogEntry(line); ok || logs {
			s.early = append(s.early, strings.Clone(line))
		}
	}
}

// logsFirst says whether logs precede their test's report, as with -v. If the lines that name the
// test were filtered out, the logs belong to the next report, not to the one above.
func (r *goText) logsFirst() bool {
	n := len(r.stack)
	return r.run.argv.verbose && !r.section.announced && !r.below && (n == 0 || strings.HasPrefix(r.stack[n-1].name, "Test"))
}

// anyFailed says whether a test of the section was reported as failed.
func (s *goSection) anyFailed() bool { return s.lastFailed != "" }

// testLine adds a line that a test printed or logged.
func (s *goSection) testLine(t *goTest, line string) {
	s.run.touch(&t.span)
	if s.note(line) {
		return
	}
	if n := t.indent; n > 0 && lex.LeadingBlanks(line) >= n {
		line = line[n:]
	}
	t.log.Add(line)
}

// packageLine takes a line that belongs to no test.
func (s *goSection) packageLine(line string) {
	switch {
	case line == "FAIL":
		s.failLine = true
		s.framed()
	case line == "PASS":
		s.passLine = true
		s.framed()
	case strings.HasPrefix(line, "exit status "):
		s.exit = strings.Clone(line)
	default:
		s.note(line)
	}
}

// framed notes that package testing continues, so text that looked like the end of the process was only printed. A test
// binary that ran by itself is excluded: its two streams are not in order.
func (s *goSection) framed() {
	if s.traced() {
		s.trace = nil
	}
	s.glued = ""
}

// traced says whether a trace has begun to which the current line may belong.
func (s *goSection) traced() bool {
	return s.trace != nil && (!s.run.binary || s.run.stream == s.traceOn)
}

// note collects traces and race reports, which any test may be running during, and remembers the last line at
// column one. It says whether the line was part of a trace or a report.
func (s *goSection) note(line string) bool {
	if !s.listens() && !stirs(line) {
		s.remember(line)
		return false
	}
	return s.follow(strings.Clone(line))
}

// listens says whether a trace, a race report or a library's report has begun to which the line may belong.
func (s *goSection) listens() bool {
	library := s.specs.specs != nil || s.specs.checks || s.convey.in || s.steps.in
	return library || s.trace != nil || s.glued != "" || s.race != nil && !s.race.closed
}

// stirs says whether the line may begin a trace or a report.
func stirs(line string) bool {
	if line == "" || line[0] == ' ' {
		return false
	}
	switch line[0] {
	case '=', '-', 'W', 'f', 'S', 'F', 'P', 'E', 'R', 'p', "•"[0]:
		return true
	}
	return strings.Contains(line, "panic: ")
}

func (s *goSection) follow(line string) bool {
	switch {
	case s.race != nil && !s.race.closed:
		if s.race.line(line) {
			return true
		}
		s.race.closed = true
	case line == raceTitle:
		s.seen = true
		s.race = &goRace{}
		lex.Keep(&s.races, maxGoroutines, s.race)
		return true
	case line == raceRule:
		return true
	}
	if startsGoTrace(line) {
		s.seen = true
		s.trace, s.traceOn = newGoTrace(line), s.run.stream
		s.remember(line)
		return true
	}
	if s.trace == nil && s.glued != "" && strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, "]:") {
		s.trace, s.traceOn, s.glued = newGoTrace(s.glued), s.run.stream, ""
	}
	if s.traced() {
		s.trace.line(line)
		return true
	}
	s.specs.line(line, s.run.now)
	s.seen = s.seen || s.specs.checks || strings.HasPrefix(line, "Running Suite: ")
	s.convey.line(line)
	s.steps.line(line)
	if line != "" && line[0] != ' ' {
		if i := strings.Index(line, "panic: "); i > 0 {
			s.glued = line[i:]
		}
	}
	s.remember(line)
	return false
}

func (s *goSection) remember(line string) {
	if line == "" || line[0] == ' ' || line[0] == '\t' || isGoFraming(line) || strings.HasPrefix(line, "exit status ") {
		return
	}
	s.lastLine = append(s.lastLine[:0], line...)
}

// logIndent is the indentation of a test's log, in blanks. The fuzzer's log of an input has the same indentation
// as the report of that input.
func (t *goTest) logIndent() int {
	if t.nested {
		return t.indent
	}
	return t.indent + goIndent
}
