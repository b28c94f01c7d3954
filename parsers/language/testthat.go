package language

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("Rscript", func(p *tool.Parser) {
	p.Is("testthat", result.Test, 1, "testthat 2 and 3: progress, compact, check, summary, stop, location, teamcity")
	p.Matches = isTestthat
	p.Reads(tool.Format{Name: "text", Starts: []string{"[ FAIL … | PASS ", "✔ | F W S  OK | Context", "✔ | F W …S  OK | Context", "══ Failed tests ═"}, Named: true,
		Parse: read.Fresh(func(t *testthat) read.Text { return read.Text{Line: t.line, End: t.end, Closes: true} })})
})

// isTestthat reports whether a command runs Rscript with an expression or a script that calls testthat.
func isTestthat(argv []string) bool {
	return slices.ContainsFunc(argv[1:], func(a string) bool {
		return argv[0] == "Rscript" && (strings.Contains(a, "testthat") || strings.Contains(a, "devtools::test") || strings.HasSuffix(a, "testthat.R"))
	})
}

// testthat reads failures in each of the reporters' forms:
//
//	── Failure ('test-a.R:1:3'): adds ──────────
//	Failure ('test-a.R:1'): adds
//	── 1. Failure ('test-a.R:1'): adds ─────────
//	Error ('test-a.R:3'): errors
//
// It also reads the counts, "[ FAIL 3 | WARN 1 | SKIP 2 | PASS 2 ]", which the progress reporter writes again and
// again on one line.
type testthat struct {
	open    bool
	failed  tool.Line // the line that says that tests failed
	start   string    // the test that runs, by the location reporter
	located bool
}

func (h *testthat) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	bare := strings.TrimSpace(strings.Trim(t, "─═ "))
	switch {
	case h.failure(s, l, t), h.location(s, l, t), h.teamcity(s, l, t):
	case strings.HasPrefix(t, "[ FAIL ") && strings.Contains(t, " | PASS "):
		h.counts(s, l, t)
	case t == "Error: Test failures":
		h.failed, s.Tested, h.open = l, true, false
		s.Close(l)
	case t == "Execution halted" && s.Tested:
		s.Ended(l)
	case strings.HasPrefix(t, "══ ") || bare == "":
		h.open = h.open && bare == "" && !strings.ContainsAny(t, "─═")
		if strings.HasPrefix(t, "══ DONE ═") {
			s.Ended(l)
		}
		return bare != "" || strings.ContainsAny(t, "─═")
	case h.open && strings.HasPrefix(t, "ok "):
		h.open = false
		s.Break()
	case h.open && s.Last() != nil:
		h.below(s.Last(), strings.TrimSpace(t))
		s.More(l)
	case lex.HasAnyPrefix(t, "✖ |", "✔ |", "Test passed", "══ Results"):
		s.Sign(l)
	case strings.HasPrefix(t, "Error"), s.Last() != nil && s.Last().Kind == result.Panic:
		return rLine(s, l)
	default:
		return h.tap(s, l, t)
	}
	return true
}

// tap reads "not ok 1 adds" and the text below it.
func (h *testthat) tap(s *read.Sink, l tool.Line, t string) bool {
	rest, failed := strings.CutPrefix(t, "not ok ")
	number, name, ok := strings.Cut(rest, " ")
	if !failed || !ok || !lex.IsDigits(number) {
		return false
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name})
	h.open, s.Tested = true, true
	return true
}

// end adds a finding if tests failed and none was named: the reporters list, minimal and silent name no tests.
func (h *testthat) end(s *read.Sink) {
	if !s.Tested {
		s.EndHere()
	}
	if h.failed.Text != "" && s.Failures() == 0 {
		s.Find(h.failed, result.Finding{Kind: result.GenericFinding, Message: strings.TrimPrefix(h.failed.Text, "Error: ")})
		s.Doubt = "the reporter does not tell which tests failed"
	}
}

// failure reads the head of a failure, an error, a warning or a skip.
func (h *testthat) failure(s *read.Sink, l tool.Line, t string) bool {
	text := strings.Trim(t, "─ ")
	if number, rest, ok := strings.Cut(text, ". "); ok && lex.IsDigits(number) {
		text = rest
	}
	word, rest, ok := strings.Cut(text, " (")
	spot, title, found := strings.Cut(rest, "): ")
	if !ok || !found || spot == "" || !lex.IsOneOf(word, "Failure Error Warning Skip Skipped") {
		return false
	}
	h.open = word == "Failure" || word == "Error"
	if s.Break(); !h.open {
		return true
	}
	path, line, _ := strings.Cut(strings.Trim(spot, "'"), ":")
	title = strings.TrimSpace(title)
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: title, Name: title, At: &result.Location{Path: rTest(s.In, path), Line: lex.LeadingNumber(line)}}
	if _, column, ok := strings.Cut(line, ":"); path == "???" {
		f.At = nil
	} else if ok {
		f.At.Column = lex.LeadingNumber(column)
	}
	s.Find(l, f)
	s.Tested = true
	return true
}

// rTest returns the path of a test file that a reporter named by its base name, below the directory in the command:
// test_dir("tests").
func rTest(in *tool.Input, base string) string {
	for _, a := range in.Command().Argv {
		for _, call := range [...]string{"test_dir(", "test_file(", "test_local(", "test_package("} {
			_, rest, ok := strings.Cut(a, call)
			if rest = strings.TrimLeft(rest, `"'`); !ok || len(rest) == 0 || rest[0] == ')' {
				continue
			}
			dir := rest[:max(0, strings.IndexAny(rest, `"'`))]
			switch {
			case call == "test_file(" && strings.HasSuffix(dir, base):
				return dir
			case call == "test_dir(" && dir != "" && dir != ".":
				return strings.TrimSuffix(dir, "/") + "/" + base
			}
		}
		if strings.Contains(a, "devtools::test") || strings.Contains(a, "test_local(") || strings.Contains(a, "test_package(") {
			return "tests/testthat/" + base
		}
	}
	return base
}

// below reads a line below a failure: the message, a value, or a frame, "at test-a.R:15:20".
func (h *testthat) below(f *result.Finding, text string) {
	switch {
	case f.Message == "":
		f.Message = rMessage(text)
	case strings.HasPrefix(text, "! ") && strings.HasPrefix(f.Message, "Error in "):
		f.Message = text[2:]
	case strings.HasPrefix(text, "Expected match: "):
		f.Expected = text[len("Expected match: "):]
	case strings.HasPrefix(text, "Actual message: "):
		f.Actual = text[len("Actual message: "):]
	}
}

// rMessage takes "Error in `f(x)`: " off a message.
func rMessage(text string) string {
	if _, message, ok := strings.Cut(text, "`: "); ok && strings.HasPrefix(text, "Error in `") {
		return message
	}
	return strings.TrimPrefix(text, "Error: ")
}

// counts reads "[ FAIL 3 | WARN 1 | SKIP 2 | PASS 2 ]". If a report prints this line twice, the last counts.
func (h *testthat) counts(s *read.Sink, l tool.Line, t string) {
	words := strings.Fields(t)
	for i := 1; i < len(words); i++ {
		if !lex.IsDigits(words[i]) {
			continue
		}
		n := lex.Atoi(words[i])
		if key := map[string]string{"FAIL": "failed", "SKIP": "skipped", "PASS": "passed", "WARN": "warning"}[words[i-1]]; key != "" && (n > 0 || key == "passed") {
			s.Counts[key] = n
		}
		if words[i-1] == "FAIL" {
			s.Claimed = n
		}
	}
	s.Tested, h.open = true, false
	s.Close(l)
}

// location reads "Start test: adds" and "  'test-a.R:1' [failure]".
func (h *testthat) location(s *read.Sink, l tool.Line, t string) bool {
	if name, ok := strings.CutPrefix(t, "Start test: "); ok {
		h.start, h.located, s.Tested = name, true, true
		return s.Sign(l)
	}
	spot, outcome, ok := strings.Cut(strings.TrimSpace(t), "' [")
	if !h.located || !ok || !strings.HasPrefix(spot, "'") {
		return h.located && strings.HasPrefix(t, "End test: ")
	}
	if outcome != "failure]" && outcome != "error]" {
		return true
	}
	path, line, _ := strings.Cut(spot[1:], ":")
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: h.start, Name: h.start, Message: strings.TrimSuffix(outcome, "]"),
		At: &result.Location{Path: rTest(s.In, path), Line: lex.LeadingNumber(line)}})
	return s.Break()
}

// teamcity reads "##teamcity[testFailed name='adds' message='…' details='…']".
func (h *testthat) teamcity(s *read.Sink, l tool.Line, t string) bool {
	rest, ok := strings.CutPrefix(t, "##teamcity[")
	if !ok {
		return false
	}
	s.Sign(l)
	value := func(name string) string {
		_, v, _ := strings.Cut(rest, " "+name+"='")
		for end := 0; end < len(v); end++ {
			if v[end] == '|' {
				end++
			} else if v[end] == '\'' {
				v = v[:end]
			}
		}
		return strings.NewReplacer("|n", "\n", "||", "|", "|'", "'", "|[", "[", "|]", "]").Replace(v)
	}
	switch {
	case strings.HasPrefix(rest, "testSuiteStarted "):
		h.start = value("name")
		return true
	case !strings.HasPrefix(rest, "testFailed "):
		return true
	}
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: h.start, Name: h.start, Message: rMessage(value("message")), Detail: value("details")})
	s.Tested = true
	return s.Break()
}
