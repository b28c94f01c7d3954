package jstest

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// mochaTest is a test in mocha's JSON.
type mochaTest struct {
	FullTitle, File string
	Duration        float64
	CurrentRetry    int
	Err             struct {
		Stack, Message   string
		Expected, Actual json.RawMessage
	}
}

// ran records the test with its outcome.
func (v *mochaTest) ran(s *read.Sink, outcome read.Outcome) {
	if outcome == tool.Passed && v.CurrentRetry > 0 {
		outcome = tool.Flaky
	}
	s.Ran(tool.Test{ID: v.FullTitle, Outcome: outcome, DurationMS: int64(math.Ceil(v.Duration))})
}

func (v *mochaTest) find(s *read.Sink, stack string) {
	v.ran(s, tool.Failed)
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: v.FullTitle, Message: "failed"}
	mochaExplain(&f, read.TextLines(stack))
	if f.Expected == "" && f.Actual == "" {
		f.Expected, f.Actual = read.Value(v.Err.Expected), read.Value(v.Err.Actual)
	}
	if f.At == nil && v.File != "" {
		f.At = &result.Location{Path: v.File}
	}
	s.FindHere(f)
}

func mochaJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: map[string]func(*read.Sink, []byte) error{
		"/failures/*": read.Item(func(s *read.Sink, v *mochaTest) {
			stack := v.Err.Stack
			stack = cmp.Or(stack, v.Err.Message)
			v.find(s, stack)
		}),
		"/passes/*":  read.Item(func(s *read.Sink, v *mochaTest) { v.ran(s, tool.Passed) }),
		"/pending/*": read.Item(func(s *read.Sink, v *mochaTest) { v.ran(s, tool.Skipped) }),
		"/stats": read.Item(func(s *read.Sink, v *struct{ Tests, Passes, Pending, Failures int }) {
			s.Tested, s.NoTests = true, v.Tests == 0
			s.Scores(map[string]int{"passed": v.Passes, "skipped": v.Pending, "failed": v.Failures}, "")
		}),
	}}.Parse(in)
}

// mochaReport returns the files in the options of a reporter: "-O mochaFile=F,toConsole=true".
func mochaReport(arg, next string) (all []string) {
	flag, options, _ := strings.Cut(arg, "=")
	if flag != "--reporter-options" && flag != "--reporter-option" && flag != "-O" {
		return nil
	}
	for option := range strings.SplitSeq(options+","+next, ",") {
		if key, file, _ := strings.Cut(option, "="); (key == "mochaFile" || key == "output") && file != "" {
			all = append(all, file)
		}
	}
	return all
}

// mochaStream reads the json-stream reporter: one array per line, with the name and the data of an event. The last
// event is "end", with the counts.
func mochaStream(in *tool.Input) *tool.Report {
	return read.Text{Line: mochaEvent, Closes: true}.Parse(in)
}

func mochaEvent(s *read.Sink, l tool.Line) bool {
	if !strings.HasPrefix(l.Text, `["`) {
		return false
	}
	var event []json.RawMessage
	var name string
	if json.Unmarshal([]byte(l.Text), &event) != nil || len(event) != 2 || json.Unmarshal(event[0], &name) != nil {
		return false
	}
	switch name {
	case "fail":
		var v struct {
			FullTitle, File, Err, Stack string
			Duration                    float64
		}
		if json.Unmarshal(event[1], &v) != nil {
			return false
		}
		s.Ran(tool.Test{ID: v.FullTitle, Outcome: tool.Failed, DurationMS: int64(math.Ceil(v.Duration))})
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: v.FullTitle, Message: "failed"}
		v.Stack = cmp.Or(v.Stack, v.Err)
		mochaExplain(&f, read.TextLines(v.Stack))
		if f.At == nil && v.File != "" {
			f.At = &result.Location{Path: v.File}
		}
		s.Find(l, f)
	case "end":
		var v struct{ Passes, Pending, Failures int }
		return json.Unmarshal(event[1], &v) == nil && s.Sum(l, v.Passes+v.Failures+v.Pending, v.Failures, 0, v.Pending)
	case "start":
	case "pass":
		var v mochaTest
		if json.Unmarshal(event[1], &v) != nil {
			return false
		}
		v.ran(s, tool.Passed)
	default:
		return false
	}
	return s.Cover(l)
}

// trouble reads mocha's messages when it cannot begin.
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
			return s.Refuse(l, result.Finding{Rule: class, Message: message})
		}
	}
	return false
}

// crashes reads an exception that was thrown while test files were loaded: behind "Exception during run: " since
// mocha 9, and alone in mocha 8. A syntax error begins with node's line "file:line".
func (m *mocha) crashes(s *read.Sink, l tool.Line, text string) bool {
	thrown, told := strings.CutPrefix(text, "Exception during run: ")
	at := l
	at.Text = thrown
	class, _ := jserror.CutClass(thrown)
	path, _, placed := place.CutLineNumber(thrown)
	isError := strings.HasPrefix(thrown, "Error: ") && !strings.HasPrefix(thrown, "Error: No ")
	alone := l.Stream == tool.Stderr && (class != "" || isError || placed && !strings.Contains(path, ": ") && strings.HasPrefix(l.Text, thrown))
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
	return s.Cover(l)
}

// mochaExplain completes a finding from the lines of its error.
func mochaExplain(f *result.Finding, lines []string) {
	jserror.Explain(f, lines)
	mochaTimedOut(f)
}

// mochaTimedOut takes the file of a test that took too long from the end of the message.
func mochaTimedOut(f *result.Finding) {
	if i := strings.LastIndex(f.Message, " ("); i > 0 && f.At == nil && strings.HasSuffix(f.Message, ")") && jserror.IsScript(f.Message[i+2:len(f.Message)-1]) {
		f.At = &result.Location{Path: f.Message[i+2 : len(f.Message)-1]}
		f.Message = f.Message[:i]
	}
}

// mochaTAP gives a failure in TAP the class of the error, which precedes its message at the beginning of the stack.
func mochaTAP(f *result.Finding) {
	mochaTimedOut(f)
	for line := range strings.Lines(f.Detail) {
		if class, text := jserror.CutClass(strings.TrimSpace(line)); class != "" && strings.HasPrefix(f.Message, text) {
			f.Rule = class
			return
		}
	}
}

// mochaFailed returns the number of failures that a line shows during the run: "  1) adds", "not ok 1 adds", an error
// in the page of the reporter doc, the cat of nyan, and the row of marks of dot.
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

// reporterOf returns the reporter that a command names; "" for none.
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

// isManager reports whether a line is npm's, pnpm's or yarn's message that a script failed.
func isManager(text string) bool {
	return lex.HasAnyPrefix(text, "npm error", "npm ERR!", "npm notice", "\u2009ELIFECYCLE", " ELIFECYCLE", "[ELIFECYCLE]", "error Command failed with exit code ", "info Visit https://yarnpkg.com/")
}

// isPassing reports whether a line is mocha's first count, which it and the tools built on it always print:
// "  3 passing (439ms)".
func isPassing(line string) bool {
	number, rest, _ := strings.Cut(strings.TrimSpace(line), " passing (")
	took, ok := strings.CutSuffix(rest, ")")
	return ok && strings.HasPrefix(line, "  ") && lex.IsDigits(number) && strings.Trim(took, "0123456789msh") == "" && took != ""
}
