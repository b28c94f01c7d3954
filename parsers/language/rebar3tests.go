package language

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// This file reads the tests that rebar3 runs: EUnit in rebar3's list and in EUnit's own, and Common Test.

func rebarTest(id, name string) result.Finding {
	return result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name}
}

// eunitID returns a test's id and line: "teller_tests:add_test" and 0 for "teller_tests:add_test/0", and
// "teller_tests:gen_test_ (title)" and 7 for a generator's "teller_tests:-gen_test_/0-fun-1-/0:7: title".
func eunitID(name string) (id string, line int) {
	name = strings.TrimSuffix(name, "/0")
	if module, rest, ok := strings.Cut(name, ":-"); ok {
		generator, at, _ := strings.Cut(rest, "/0-fun-")
		_, after, _ := strings.Cut(at, ":")
		if _, title, ok := strings.Cut(after, ": "); ok {
			generator += " (" + title + ")"
		}
		return module + ":" + generator, lex.LeadingNumber(after)
	}
	return name, 0
}

// listed reads rebar3's list: "  1) teller_tests:add_test/0" and below it the assertion, or the raised term with its
// stack. Tests that did not finish are listed below "Pending:" without a number.
func (r *rebar) listed(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	number, title, ok := strings.Cut(text, ") ")
	if ok = ok && lex.IsDigits(number); r.pending && !ok {
		title, ok = text, strings.Contains(text, ":")
	}
	if r.pending = r.pending || t == "Pending:"; ok && strings.HasPrefix(t, "  ") && !strings.HasPrefix(t, "    ") {
		id, line := eunitID(title)
		f := rebarTest(id, title)
		if r.pending {
			f.Severity = result.SevError
		}
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
	r.reason(f, text)
	return s.More(l)
}

// reason reads a line below the head of a failed test.
func (r *rebar) reason(f *result.Finding, text string) {
	why, begins := strings.CutPrefix(text, "Failure/Error: ")
	if said, ok := strings.CutPrefix(text, "%% Unknown error: "); ok {
		why, begins = strings.TrimPrefix(said, "{"), f.Message == ""
	}
	switch {
	case begins:
		f.Message = strings.TrimSuffix(strings.TrimPrefix(why, "{error,"), ",")
	case strings.HasPrefix(text, "expected: "):
		f.Expected = text[len("expected: "):]
	case strings.HasPrefix(text, "got: "):
		f.Actual = strings.TrimSuffix(text[len("got: "):], ",")
	case strings.HasPrefix(text, "line: ") && f.At == nil: // of Common Test
		suite, _, _ := strings.Cut(f.ID, ":")
		f.At = &result.Location{Path: "test/" + suite + ".erl", Line: lex.LeadingNumber(text[len("line: "):])}
	case strings.HasPrefix(text, "%% ") || strings.HasPrefix(text, "Output:"):
	default:
		f.Message = cmp.Or(f.Message, strings.TrimSuffix(text, ","))
		eunitStack(f, text)
	}
}

// eunitStack reads `[{file,"/src/test/teller_tests.erl"},` and `{line,5}]},` in a stack. The stack's first file in
// the project is the finding's place, or a frame if the test's title gave the place already.
func eunitStack(f *result.Finding, text string) {
	if _, rest, ok := strings.Cut(text, `{file,"`); ok && len(f.Frames) == 0 {
		path, _, _ := strings.Cut(rest, `"`)
		switch own := strings.Contains(path, "/") && !strings.Contains(path, "/lib/erlang/"); {
		case own && f.At == nil:
			f.At = &result.Location{Path: path}
		case own && !strings.HasSuffix(path, "/"+f.At.Path):
			f.Frames = []result.Location{{Path: path}}
		}
	}
	if _, rest, ok := strings.Cut(text, "{line,"); ok && f.At != nil {
		at := f.At
		if len(f.Frames) > 0 {
			at = &f.Frames[0]
		}
		at.Line = cmp.Or(at.Line, lex.LeadingNumber(rest))
	}
}

// verbose reads EUnit's own listing: "teller_tests: add_test...*failed*", frames,
// and "**error:{assertEqual,[…".
func (r *rebar) verbose(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	late, timed := strings.CutSuffix(text, "...*timed out*")
	if name, ok := strings.CutSuffix(late, "...*failed*"); ok || timed {
		if at, rest, placed := place.Cut(name); placed && rest != "" {
			name = at.Path + ": " + rest // "teller_tests:7: -gen_test_/0-fun-1-..."
		}
		module, test, _ := strings.Cut(name, ": ")
		shown := test
		test = strings.TrimPrefix(test, "-")
		test, _, _ = strings.Cut(test, "/0-fun-")
		module, _, _ = strings.Cut(module, ":")
		if _, title, ok := strings.Cut(shown, "- ("); ok { // a generator's test has a title
			test += " (" + title
		}
		f := rebarTest(module+":"+test, shown)
		if r.errors = true; timed {
			f.Message = "timed out"
		}
		return s.Find(l, f)
	}
	f := s.Last()
	if !r.errors || f == nil {
		return strings.HasSuffix(text, "...ok") || strings.HasPrefix(text, "module '") || strings.HasPrefix(text, "application '")
	}
	if strings.HasSuffix(text, "...ok") || text == "" {
		r.errors = text == "" && f.Message == ""
		return s.Break()
	}
	what, thrown := strings.CutPrefix(text, "**")
	switch {
	case thrown:
		_, f.Message, _ = strings.Cut(what, ":")
		if name, _, ok := strings.Cut(f.Message, ",[{module,"); ok {
			f.Message = "?" + strings.TrimPrefix(name, "{")
		}
	case strings.HasPrefix(text, "in function ") || strings.HasPrefix(text, "in call from "):
		if at, ok := frame.Erlang(text); ok && f.At == nil && !at.External {
			at.Function = ""
			f.At = &at
		}
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
	return s.More(l)
}

// eunitTerm returns the value in `{expected,3},`, up to the first bracket that closes more than the value opens.
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

// commonTest reads "%%% bank_SUITE ==> adds: FAILED" and the reason below it.
func (r *rebar) commonTest(s *read.Sink, l tool.Line, t string) bool {
	if name, line, ok := strings.Cut(t, " failed on line "); ok && strings.Contains(name, "_SUITE:") && lex.IsDigits(line) {
		suite, _, _ := strings.Cut(name, ":")
		f := rebarTest(name, name)
		f.At = &result.Location{Path: "test/" + suite + ".erl", Line: lex.Atoi(line)}
		s.Find(l, f)
		s.Tested = true
		return true
	}
	if reason, ok := strings.CutPrefix(t, "Reason: "); ok && s.Last() != nil && s.Last().Message == "" {
		s.Last().Message = reason
		return true
	}
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
	case has && lex.IsOneOf(outcome, "SKIPPED OK"):
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
