package language

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("zig | ziglang python-zig", func(p *tool.Parser) {
	p.Is("zig", result.Build, 1, "Zig 0.11 to 0.17: build, build-exe, test, fmt --check")
	p.ColumnUnit = "byte"
	p.Reads(tool.Format{Name: "text", Starts: []string{"error: the following … command failed with ", "error: the following command failed with ", "Build Summary: "}, Named: true, Parse: parseZig})
})

// zig reads the compiler's diagnostics, the rows of its test runner, and the files that zig fmt would change:
//
//	a.zig:11:5: error: use of undeclared identifier 'missing'
//	1/2 a.test.adds...expected 3, found 4
//	FAIL (TestExpectedEqual)
//	/src/a.zig:5:5: 0x10 in test.adds (a.zig)
type zig struct {
	test  string // the test that runs
	head  tool.Line
	said  string // the first line that the test printed
	shown string // what differs: "expected 3, found 4", or "the text differs"
	cmp   [2]string
	next  int  // which of the compared texts follows: 1 or 2
	both  bool // both texts were read
	fmt   bool // the command is zig fmt
}

func parseZig(in *tool.Input) *tool.Report {
	z := &zig{}
	for _, a := range in.Command().Argv {
		z.fmt = z.fmt || a == "fmt"
	}
	return read.Text{Line: z.line, End: z.whole, Closes: true}.Parse(in)
}

func (z *zig) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	if built := strings.TrimLeft(t, " "); len(t)-len(built) == 7 { // zig build indents by seven blanks
		t = built
	}
	z.compare(t)
	if z.frame(s, l, t) || z.runs(s, l, t) || z.closes(s, l, t) || z.diagnostic(s, l, t) {
		return true
	}
	switch {
	case z.fmt && l.Stream == tool.Stdout && (strings.HasSuffix(t, ".zig") || strings.HasSuffix(t, ".zon")):
		s.Find(l, result.Finding{Rule: "fmt", Message: "not formatted", At: &result.Location{Path: t}, Fixable: true})
	case z.panics(s, l, t):
	case strings.HasPrefix(t, "error: "):
		if strings.HasPrefix(t, "error: unknown command: ") {
			s.Meaning = result.MeansUsage
		}
		s.Find(l, result.Finding{Kind: result.BuildError, Message: t[len("error: "):]})
	case z.test != "" && t != "":
		z.said = cmp.Or(z.said, strings.Trim(t, " =:"))
	case s.Last() != nil && t != "":
		if f := s.Last(); f.Kind == result.TestFailure && f.Message == "" && f.Detail == "" {
			f.Message = t
		}
		z.values(s.Last())
		s.More(l)
	default:
		return false
	}
	return true
}

// compare reads "expected 3, found 4" of std.testing, and two texts that differ:
//
//	====== expected this output: =========
//	abc␃
//
//	======== instead found this: =========
//	abd␃
func (z *zig) compare(t string) {
	switch {
	case strings.HasPrefix(t, "expected ") && strings.Contains(t, ", found "):
		z.shown = t
	case strings.HasPrefix(t, "====== expected this output: "):
		z.cmp, z.next, z.shown = [2]string{}, 1, "the text differs"
	case strings.HasPrefix(t, "======== instead found this: "):
		z.next = 2
	case z.next > 0:
		z.cmp[z.next-1] = strings.TrimSuffix(t, "␃")
		z.next, z.both = 0, z.next == 2
	}
}

// values gives a failed test the two values that it compared.
func (z *zig) values(f *result.Finding) {
	if f.Kind != result.TestFailure || f.Expected != "" {
		return
	}
	if expected, actual, ok := strings.Cut(strings.TrimPrefix(z.shown, "expected "), ", found "); ok && f.Message == z.shown {
		f.Expected, f.Actual = expected, actual
	} else if z.both {
		f.Message, f.Expected, f.Actual, z.both = z.shown, z.cmp[0], z.cmp[1], false
	}
}

// panics reads "thread 26 panic: integer overflow", and makes it the failure of the test that runs, if any.
func (z *zig) panics(s *read.Sink, l tool.Line, t string) bool {
	_, message, ok := strings.Cut(t, " panic: ")
	if !ok || !strings.HasPrefix(t, "thread ") {
		return false
	}
	f := result.Finding{Kind: result.Panic, Rule: "panic", Message: message}
	if z.test != "" {
		f.ID, f.Name, s.Tested = z.test, z.test, true
	}
	s.Find(l, f)
	z.test = ""
	return true
}

// runs reads "3/5 b.test.strings...OK", and "FAIL (TestExpectedEqual)" on the same line or below the test's output;
// with zig build, "error: 'b.test.x' failed:".
func (z *zig) runs(s *read.Sink, l tool.Line, t string) bool {
	number, rest, _ := strings.Cut(t, " ")
	i, n, numbered := strings.Cut(number, "/")
	if name, said, ok := strings.Cut(rest, "..."); ok && numbered && lex.IsDigits(i) && lex.IsDigits(n) && strings.Contains(name, ".") {
		z.test, z.said, z.head, s.Tested = name, "", l, true
		s.Sign(l)
		s.Break()
		if t = said; t == "OK" || t == "SKIP" {
			z.test = ""
			return true
		}
		if !strings.HasPrefix(t, "FAIL (") {
			z.said = t
			z.panics(s, l, t)
			return true
		}
	}
	if why, ok := strings.CutPrefix(t, "FAIL ("); ok && z.test != "" {
		z.failure(s, l, strings.TrimSuffix(why, ")"))
		return true
	}
	quoted, isError := strings.CutPrefix(t, "error: '")
	if name, said, ok := strings.Cut(quoted, "' leaked: "); ok && isError {
		return s.Find(l, result.Finding{Kind: result.Panic, Rule: "leak", ID: name, Name: name, Message: strings.TrimSuffix(said, ":")})
	}
	if quoted, ok := strings.CutPrefix(t, "error: while executing test '"); ok {
		name, how, _ := strings.Cut(quoted, "', the following ")
		return z.died(s, l, name, how)
	}
	if name, said, ok := strings.Cut(quoted, "' failed:"); ok && isError {
		z.test, z.said = name, strings.TrimSpace(said)
		z.failure(s, l, "")
		return true
	}
	return false
}

// died takes the test that ran when the process ended: by a signal, after a panic that names no test, or only because
// tests before it failed.
func (z *zig) died(s *read.Sink, l tool.Line, name, how string) bool {
	for i := range s.Findings {
		if f := &s.Findings[i]; f.Kind == result.Panic && f.ID == "" && strings.Contains(how, "terminated") {
			f.ID, f.Name, s.Tested = name, name, true
			return s.Break()
		}
	}
	if s.Failures() > 0 && !strings.Contains(how, "terminated") {
		return s.Break()
	}
	return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name, Message: how})
}

func (z *zig) failure(s *read.Sink, l tool.Line, rule string) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: z.test, Name: z.test, Rule: rule, Message: z.said}
	if f.Message == "" && rule != "" {
		if f.Message = z.shown; f.Message == "" {
			f.Message = "error." + rule
		}
	}
	if rule != "" {
		z.values(&f)
		z.shown, z.said = "", ""
	}
	s.Tested, z.test = true, ""
	s.Find(l, f)
	if last := s.Last(); last != nil && z.head.End > 0 && z.head.Stream == l.Stream {
		last.RawSpan.Start = z.head.Start
	}
	z.head = tool.Line{}
}

// summary reads "…; 1/5 tests passed (1 skipped, 3 failed)" of zig build.
func (z *zig) summary(s *read.Sink, t string) {
	_, tests, ok := strings.Cut(t, " (") // the counts of steps
	if _, after, has := strings.Cut(tests, "; "); has {
		tests = after
	}
	passed, rest, found := strings.Cut(tests, " tests passed")
	if !ok || !found || !strings.HasPrefix(t, "Build Summary: ") {
		return
	}
	n := read.Counts(rest)
	n["passed"] = lex.LeadingNumber(passed)
	s.Scores(n, zigCounts)
}

const zigCounts = "passed: passed; failed: failed; skipped: skipped"

// diagnostic reads a diagnostic of the compiler. A note becomes a related place of the diagnostic above.
func (z *zig) diagnostic(s *read.Sink, l tool.Line, t string) bool {
	d, ok := read.CutDiagnostic(t)
	switch {
	case !ok || d.Word == "":
		return false
	case d.Word == "note" && s.Last() != nil:
		s.Last().Related = append(s.Last().Related, result.Related{Message: d.Message, At: &d.At})
		return s.More(l)
	case d.Word == "note":
		return false
	}
	if rest, flags := read.Brackets.Cut(d.Message); strings.HasPrefix(flags, "-W") { // zig cc prints [-Werror,-Wformat]
		d.Message, d.Rule = rest, flags[strings.LastIndexByte(flags, ',')+1:]
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Rule: d.Rule, Message: d.Message, At: &d.At})
}

// frame reads "/src/a.zig:5:5: 0x10 in test.adds (test)". The first frame outside of a library is the finding's
// place.
func (z *zig) frame(s *read.Sink, l tool.Line, t string) bool {
	at, ok := frame.Zig(t)
	if !ok {
		return false
	}
	if f := s.Last(); f != nil && f.At == nil && (f.Kind == result.TestFailure || f.Kind == result.Panic) && !at.External {
		f.At = &at
	}
	return s.More(l)
}

// closes reads "1 passed; 0 skipped; 1 failed.", "All 3 tests passed." and the line that names the failed command.
func (z *zig) closes(s *read.Sink, l tool.Line, t string) bool {
	n := read.Counts(t)
	switch {
	case strings.HasPrefix(t, "All ") && strings.HasSuffix(t, " tests passed."):
		s.Count("passed", n["tests"])
	case strings.Contains(t, " passed; ") && strings.Contains(t, " failed."):
		s.Scores(n, zigCounts)
	case strings.HasPrefix(t, "error: the following ") && strings.Contains(t, " command "), strings.HasPrefix(t, "Build Summary: "), strings.HasPrefix(t, "failed command: "),
		strings.HasPrefix(t, "error: ") && strings.HasSuffix(t, " compilation errors"):
		s.Close(l)
		z.summary(s, t)
		z.end(s)
		return s.Break()
	default:
		return false
	}
	return s.Ended(l)
}

// end gives failed tests of zig build the error that their trace returns, "return error.TestExpectedEqual;".
func (z *zig) end(s *read.Sink) {
	for i := range s.Findings {
		f := &s.Findings[i]
		_, thrown, ok := strings.Cut(f.Detail, "return error.")
		if name, _, _ := strings.Cut(thrown, ";"); ok && f.Kind == result.TestFailure && f.Rule == "" {
			if f.Rule = name; f.Message == "" {
				f.Message = "error." + name
			}
		}
	}
}

// whole marks the output as complete unless tests ran: only a run of tests has a closing line.
func (z *zig) whole(s *read.Sink) {
	z.end(s)
	if !s.Tested {
		s.EndHere()
	}
}
