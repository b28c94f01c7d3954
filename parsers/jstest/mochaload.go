package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// trouble reads what mocha says when it cannot begin.
func (m *mocha) trouble(s *read.Sink, l tool.Line, text string) bool {
	if f := s.Last(); f != nil && s.Meaning == result.MeansUsage {
		if at, ok := jserror.Frame(text); ok && !at.External && (f.At == nil || f.At.Line == 0) {
			f.At = &at
		}
		jserror.More(f, text)
		return s.More(l)
	}
	if m.listed || s.Last() != nil || len(s.Findings) > 0 {
		return false
	}
	if m.crashes(s, l, text) {
		return true
	}
	for _, start := range [...]string{"✖ ERROR: ", "Error: No test files found", "Error: No spec files found"} {
		if strings.HasPrefix(text, start) {
			class, message := jserror.CutClass(strings.TrimPrefix(text, "✖ ERROR: "))
			s.Find(l, result.Finding{Rule: class, Message: message})
			s.Meaning = result.MeansUsage
			return true
		}
	}
	return false
}

// crashes reads the error that was thrown while the files of tests were loaded: behind "Exception during run: " since
// mocha 9, and alone in mocha 8. Where it is one of syntax, node's line "file:line" begins it.
func (m *mocha) crashes(s *read.Sink, l tool.Line, text string) bool {
	thrown, told := strings.CutPrefix(text, "Exception during run: ")
	at := l
	at.Text = thrown
	class, _ := jserror.CutClass(thrown)
	_, _, placed := place.CutLineNumber(thrown)
	isError := strings.HasPrefix(thrown, "Error: ") && !strings.HasPrefix(thrown, "Error: No ")
	alone := l.Stream == tool.Stderr && (class != "" || isError || placed && strings.HasPrefix(l.Text, thrown))
	switch {
	case m.crash.open:
		m.crash.take(l)
	case told, alone && isNamed(s.In, "mocha", "_mocha"):
		if m.crash.take(at); !m.crash.open {
			m.crash = crash{first: l, open: true}
			m.crash.text.Add(thrown)
		}
	default:
		return false
	}
	m.crash.first.End = max(m.crash.first.End, l.End)
	s.Cover(l)
	return true
}

// mochaExplain fills in a finding.
func mochaExplain(f *result.Finding, lines []string) {
	jserror.Explain(f, lines)
	mochaTimedOut(f)
}

// mochaTimedOut: a test that took too long has its file in the message.
func mochaTimedOut(f *result.Finding) {
	if i := strings.LastIndex(f.Message, " ("); i > 0 && f.At == nil && strings.HasSuffix(f.Message, ")") && jserror.IsScript(f.Message[i+2:len(f.Message)-1]) {
		f.At = &result.Location{Path: f.Message[i+2 : len(f.Message)-1]}
		f.Message = f.Message[:i]
	}
}

// mochaTAP gives a failure in TAP the class of the error, which stands before its message where the stack begins.
func mochaTAP(f *result.Finding) {
	mochaTimedOut(f)
	for line := range strings.Lines(f.Detail) {
		if class, text := jserror.CutClass(strings.TrimSpace(line)); class != "" && strings.HasPrefix(f.Message, text) {
			f.Rule = class
			return
		}
	}
}

// mochaFailed counts the failures that a line tells while the tests run: "  1) adds", "not ok 1 adds", the source in the page
// of the reporter doc, which has no counts, the cat of nyan, and the row of marks of dot.
func mochaFailed(text string) int {
	number, _, row := strings.Cut(strings.TrimSpace(text), ") ")
	if strings.HasPrefix(text, "not ok ") || row && strings.HasPrefix(text, "  ") && lex.IsDigits(number) {
		return 1
	}
	if text = strings.TrimSpace(text); strings.HasSuffix(text, "( x .x)") || strings.HasPrefix(text, `<dd class="error"><pre>`) {
		return 1
	}
	return read.Marks(".․,!", "!")(text)
}

// reporterOf is the reporter that a command names; "" where it does not name one.
func reporterOf(argv []string) string {
	for i, arg := range argv {
		flag, value, is := strings.Cut(arg, "=")
		if flag == "--reporter" || flag == "-R" {
			if !is && i+1 < len(argv) {
				value = argv[i+1]
			}
			return value
		}
	}
	return ""
}

// isManager: a line in which npm, pnpm or yarn says that the script failed which a
// tool was run by.
func isManager(text string) bool {
	return lex.HasAnyPrefix(text, "npm error", "npm ERR!", "npm notice", "\u2009ELIFECYCLE", " ELIFECYCLE", "[ELIFECYCLE]", "error Command failed with exit code ", "info Visit https://yarnpkg.com/")
}

// isPassing: mocha's first count, which it and what is built on it prints in any case.
func isPassing(line string) bool {
	number, rest, _ := strings.Cut(strings.TrimSpace(line), " passing (")
	took, ok := strings.CutSuffix(rest, ")")
	return ok && strings.HasPrefix(line, "  ") && lex.IsDigits(number) && strings.Trim(took, "0123456789msh") == "" && took != ""
}
