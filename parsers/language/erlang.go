package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add(&tool.Parser{
	Tool: "erlc", Kind: result.Build, Version: 1, ColumnUnit: "char",
	About:   "erlc and escript of Erlang/OTP 22 to 28",
	Matches: tool.Runs("erlc", "escript", "erl"), Programs: []string{"erlc", "escript"},
	Formats: []tool.Format{{Name: "text", Parse: read.Linter{Kind: result.BuildError, Plain: true, Accept: isErlang, Below: erlcSource, Other: escriptSays}.Parse}},
})

// isErlang: behind a place stands what is wrong with Erlang's source. A message may
// begin with "syntax error before", which is no severity.
func isErlang(d *read.Diagnostic) bool {
	if message, ok := strings.CutPrefix(d.Message, "Warning: "); ok {
		d.Word, d.Message = "warning", message
	}
	return strings.HasSuffix(d.At.Path, "rl") && strings.Contains(d.At.Path, ".") || strings.HasSuffix(d.At.Path, ".yrl") || strings.HasSuffix(d.At.Path, ".app.src")
}

// erlcSource: "%    2| f( -> 1." below a diagnostic, and rebar3's frames.
func erlcSource(_ *read.Sink, l tool.Line) bool {
	return strings.HasPrefix(l.Text, "%  ") || strings.HasPrefix(l.Text, "  ") || strings.HasPrefix(strings.TrimSpace(l.Text), "│")
}

func escriptSays(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "escript: ")
	if ok {
		s.Find(l, result.Finding{Kind: result.Panic, Message: message})
	}
	return ok
}

var _ = Room.Add(&tool.Parser{
	Tool: "rebar3", Kind: result.Build, Version: 1, ColumnUnit: "char",
	About:   "rebar3 3.14 to 3.26: compile, eunit, ct, xref, dialyzer",
	Matches: tool.Runs("rebar3", "rebar"), Programs: []string{"rebar3"},
	Formats: []tool.Format{{Name: "text", Starts: []string{"===> Verifying dependencies...", "===> Performing EUnit tests...", "===> Running Common Test suites..."}, Parse: parseRebar}, {Name: "text", Parse: parseRebar}},
})

// rebar reads what rebar3 says itself, the compiler's diagnostics, and tests: of
// EUnit in rebar3's list and in EUnit's own, and of Common Test.
type rebar struct {
	failing bool // below "Failures:"
	running string
	errors  bool // the last finding is the EUnit listing's of a test
}

func parseRebar(in *tool.Input) *tool.Report {
	r := &rebar{}
	return read.Text{Line: r.line, Closes: true, End: func(s *read.Sink) {
		if !s.Tested {
			s.EndHere() // only a run of tests has a closing line
		}
	}}.Parse(in)
}

func (r *rebar) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	if said, ok := strings.CutPrefix(t, "===> "); ok {
		r.says(s, l, said)
		return true
	}
	if r.closes(s, l, t) || r.listed(s, l, t) || r.verbose(s, l, t) || r.commonTest(s, l, t) {
		return true
	}
	if d := (read.Diagnostic{}); r.diagnostic(t, &d) {
		f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Message: d.Message, At: &d.At}
		if f.Severity == result.SevWarning {
			f.Kind = result.Diagnostic
		}
		s.Find(l, f)
		return true
	}
	if f := s.Last(); f != nil && t != "" {
		if f.Message == "" {
			f.Message = t
		}
		if f.Kind == result.TestFailure {
			eunitStack(f, t)
		}
		s.More(l)
		return true
	}
	return false
}

func (r *rebar) diagnostic(t string, d *read.Diagnostic) (ok bool) {
	d.At, d.Message, ok = place.Cut(t)
	return ok && isErlang(d) && d.Message != ""
}

// rebarNoise are steps, and closing lines that repeat what was told.
var rebarNoise = []string{"Verifying dependencies", "Analyzing applications", "Compiling ", "Performing EUnit tests", "Running ", "Fetching ", "Error running tests", "Failures occurred running tests", "Resolving ", "Updating ", "Dialyzer starting", "Adding ", "Doing ", "Checking ", "Building ", "Copying ", "Writing "}

// says reads what rebar3 itself tells behind its arrow.
func (r *rebar) says(s *read.Sink, l tool.Line, said string) {
	s.Sign(l)
	s.Break()
	r.failing = false
	for _, p := range rebarNoise {
		if strings.HasPrefix(said, p) && (!strings.HasSuffix(said, " failed") || p != "Compiling ") {
			s.Tested = s.Tested || strings.HasPrefix(said, "Performing EUnit tests")
			return
		}
	}
	switch at, message, placed := place.Cut(said); {
	case strings.HasSuffix(said, " is missing description entry"):
	case strings.HasPrefix(said, "Compiling ") && strings.HasSuffix(said, " failed"):
		r.failing = false // the compiler's own lines follow
	case placed:
		word, message := read.CutSeverity(message)
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: &at})
	case strings.HasPrefix(said, "Failed ") || strings.Contains(said, " failed") || strings.Contains(said, "not found") || strings.Contains(said, "rror") || strings.Contains(said, "No project") || strings.Contains(said, "Unable to"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: said})
		if strings.HasPrefix(said, "Command ") {
			s.Meaning = result.MeansUsage
		}
	}
}

// closes reads "6 tests, 4 failures", "Failed: 4.  Skipped: 0.  Passed: 2." and
// "Failed 3 tests. Passed 2 tests."
func (r *rebar) closes(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	n := read.Counts(text)
	switch {
	case strings.HasPrefix(text, "Failed: ") && strings.Contains(text, "Passed: "):
		n = read.CountsBehind(strings.ReplaceAll(text, ".  ", ", "))
		r.count(s, n["passed"], n["failed"], n["skipped"])
	case strings.Contains(text, " tests, ") && strings.HasSuffix(text, " failures") && lex.IsDigits(text[:1]):
		r.count(s, n["tests"]-n["failures"]-n["skipped"], n["failures"], n["skipped"])
	case strings.HasPrefix(text, "Failed ") && strings.Contains(text, " tests. "), strings.HasPrefix(text, "All ") && strings.HasSuffix(text, " tests passed."):
		text = strings.ReplaceAll(text, "Failed ", "failed: ")
		failed := lex.LeadingNumber(strings.TrimPrefix(text, "failed: "))
		_, passed, _ := strings.Cut(text, "assed ")
		_, skipped, _ := strings.Cut(text, "kipped ")
		if strings.HasPrefix(text, "All ") {
			failed, passed = 0, text[4:]
		}
		r.count(s, lex.LeadingNumber(passed), failed, lex.LeadingNumber(skipped))
	default:
		return false
	}
	s.Tested = true
	s.Close(l)
	r.failing = false
	return true
}

func (r *rebar) count(s *read.Sink, passed, failed, skipped int) {
	if s.Closed() {
		return
	}
	s.Claim(failed)
	for key, n := range map[string]int{"passed": passed, "failed": failed, "skipped": skipped} {
		if n > 0 {
			s.Count(key, n)
		}
	}
}

func rebarTest(id, name string) result.Finding {
	return result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name}
}

// eunitID is "teller_tests:add_test" of "teller_tests:add_test/0" and of a
// generator's "teller_tests:-gen_test_/0-fun-1-/0:7".
func eunitID(name string) (id string, line int) {
	name = strings.TrimSuffix(name, "/0")
	if module, rest, ok := strings.Cut(name, ":-"); ok {
		generator, at, _ := strings.Cut(rest, "/0-fun-")
		_, after, _ := strings.Cut(at, ":")
		return module + ":" + generator, lex.LeadingNumber(after)
	}
	return name, 0
}

// listed reads rebar3's list: "  1) teller_tests:add_test/0" and below it the
// assertion, or the term that was raised with its stack.
func (r *rebar) listed(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	if number, title, ok := strings.Cut(text, ") "); ok && lex.IsDigits(number) && strings.HasPrefix(t, "  ") && !strings.HasPrefix(t, "    ") {
		id, line := eunitID(title)
		f := rebarTest(id, title)
		if module, _, ok := strings.Cut(id, ":"); ok && line > 0 {
			f.At = &result.Location{Path: "test/" + module + ".erl", Line: line}
		}
		s.Find(l, f)
		r.failing = true
		return true
	}
	f := s.Last()
	if !r.failing || f == nil || t == "" {
		return r.failing
	}
	why, begins := strings.CutPrefix(text, "Failure/Error: ")
	switch {
	case begins:
		f.Message = strings.TrimSuffix(strings.TrimPrefix(why, "{error,"), ",")
	case strings.HasPrefix(text, "expected: "):
		f.Expected = text[len("expected: "):]
	case strings.HasPrefix(text, "got: "):
		f.Actual = text[len("got: "):]
	case strings.HasPrefix(text, "%% ") || strings.HasPrefix(text, "Output:"):
	default:
		if f.Message == "" {
			f.Message = strings.TrimSuffix(text, ",")
		}
		eunitStack(f, text)
	}
	s.More(l)
	return true
}

// eunitStack reads `[{file,"/src/test/teller_tests.erl"},` and `{line,5}]},` of a
// stack: the first file of the project is the place.
func eunitStack(f *result.Finding, text string) {
	if _, rest, ok := strings.Cut(text, `{file,"`); ok && f.At == nil {
		if path, _, _ := strings.Cut(rest, `"`); strings.Contains(path, "/") && !strings.Contains(path, "/lib/erlang/") {
			f.At = &result.Location{Path: path}
		}
	}
	if _, rest, ok := strings.Cut(text, "{line,"); ok && f.At != nil && f.At.Line == 0 {
		f.At.Line = lex.LeadingNumber(rest)
	}
}

// verbose reads EUnit's own listing: "teller_tests: add_test...*failed*", frames,
// and "**error:{assertEqual,[…".
func (r *rebar) verbose(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	if name, ok := strings.CutSuffix(text, "...*failed*"); ok {
		if at, rest, placed := place.Cut(name); placed && rest != "" {
			name = at.Path + ": " + rest // "teller_tests:7: -gen_test_/0-fun-1-..."
		}
		module, test, _ := strings.Cut(name, ": ")
		shown := test
		test = strings.TrimPrefix(test, "-")
		test, _, _ = strings.Cut(test, "/0-fun-")
		module, _, _ = strings.Cut(module, ":")
		s.Find(l, rebarTest(module+":"+test, shown))
		r.errors = true
		return true
	}
	f := s.Last()
	if !r.errors || f == nil {
		return strings.HasSuffix(text, "...ok") || strings.HasPrefix(text, "module '") || strings.HasPrefix(text, "application '")
	}
	if strings.HasSuffix(text, "...ok") || text == "" {
		r.errors = text == "" && f.Message == ""
		s.Break()
		return true
	}
	what, thrown := strings.CutPrefix(text, "**")
	switch {
	case thrown:
		_, f.Message, _ = strings.Cut(what, ":")
		if name, _, ok := strings.Cut(f.Message, ",[{module,"); ok {
			f.Message = "?" + strings.TrimPrefix(name, "{")
		}
	case strings.HasPrefix(text, "in function ") || strings.HasPrefix(text, "in call from "):
		eunitFrame(f, text)
	case strings.HasPrefix(text, "{expression,"):
		f.Message += "(" + eunitTerm(text) + ")"
	case strings.HasPrefix(text, "{expected,"), strings.HasPrefix(text, "{pattern,"):
		expected := eunitTerm(text)
		if text[1] == 'e' {
			f.Expected = expected
		}
		f.Message = strings.Replace(f.Message, "(", "("+expected+", ", 1)
	case strings.HasPrefix(text, "{value,"):
		f.Actual = eunitTerm(text)
	}
	s.More(l)
	return true
}

// eunitTerm is the value of `{expected,3},`, without the brackets that close more
// than it opens.
func eunitTerm(text string) string {
	_, value, _ := strings.Cut(text, ",")
	value = strings.TrimSuffix(value, ",")
	depth := 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth < 0 {
				value = value[:i]
			}
		}
	}
	if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' {
		value = strings.ReplaceAll(value[1:n-1], `\"`, `"`)
	}
	return value
}

// eunitFrame reads "in function teller:withdraw/2 (/src/teller.erl, line 10)".
func eunitFrame(f *result.Finding, text string) {
	_, spot, ok := strings.Cut(text, " (")
	path, line, has := strings.Cut(strings.TrimRight(spot, "),"), ", line ")
	if ok && has && f.At == nil && strings.Contains(path, "/") && !strings.Contains(path, "/lib/erlang/") {
		f.At = &result.Location{Path: path, Line: lex.LeadingNumber(line)}
	}
}

// commonTest reads "%%% bank_SUITE ==> adds: FAILED" and the reason below it.
func (r *rebar) commonTest(s *read.Sink, l tool.Line, t string) bool {
	rest, ok := strings.CutPrefix(t, "%%% ")
	if !ok {
		return false
	}
	suite, said, _ := strings.Cut(rest, " ==> ")
	suite, _, _ = strings.Cut(suite, ":")
	test, outcome, has := strings.Cut(said, ": ")
	if has && outcome == "FAILED" {
		s.Find(l, rebarTest(suite+":"+test, test))
		s.Tested = true
		return true
	}
	f := s.Last()
	switch {
	case has && outcome == "SKIPPED":
		s.Break()
	case f != nil && said != "":
		f.Message = strings.TrimRight(strings.TrimSpace(said), ",")
		if reason, _, ok := strings.Cut(f.Message, ",[{"); ok { // a stack follows
			f.Message = strings.TrimPrefix(reason, "{")
		} else if strings.HasPrefix(f.Message, "{{") {
			f.Message = f.Message[1:]
		}
		s.More(l)
	}
	return true
}
