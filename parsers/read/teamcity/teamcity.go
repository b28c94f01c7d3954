// Package teamcity reads TeamCity's service messages, which test runners and linters of many languages can print. A
// message is a name and attributes with quoted values, in which "|" is the escape:
//
//	##teamcity[testFailed name='adds' message='not equal' details='…']
package teamcity

import (
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var escaped = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("||", "|", "|'", "'", "|n", "\n", "|r", "", "|[", "[", "|]", "]")
})

// Message returns the name of the service message in a line; ok is false if the line has no message.
func Message(line string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "##teamcity[")
	if !ok {
		return "", false
	}
	name, _, _ = strings.Cut(rest, " ")
	return name, true
}

// Attribute returns the unescaped value of an attribute of a service message, or "".
func Attribute(line, name string) string {
	_, rest, ok := strings.Cut(line, " "+name+"='")
	if !ok {
		return ""
	}
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '|':
			i++
		case '\'':
			return escaped().Replace(rest[:i])
		}
	}
	return ""
}

// Reader reads service messages line by line: failed and ignored tests, inspections, problems of a build.
type Reader struct {
	suites                       []string
	tests, open, failed, ignored int
}

// Parse reads the messages of an input.
func Parse(in *tool.Input) *tool.Report {
	t := Reader{}
	return read.Text{Line: t.Line, End: t.End}.Parse(in)
}

// Line reads a line, as read.Text's Line. It returns false if the line is no service message.
func (t *Reader) Line(s *read.Sink, l tool.Line) bool {
	name, ok := Message(l.Text)
	if !ok {
		return false
	}
	s.Break()
	value := func(attribute string) string { return Attribute(l.Text, attribute) }
	switch name {
	case "testSuiteStarted":
		t.suites = append(t.suites, value("name"))
	case "testSuiteFinished":
		t.suites = t.suites[:max(0, len(t.suites)-1)]
	case "testStarted":
		t.tests++
		t.open++
	case "testFinished":
		t.open = max(0, t.open-1)
	case "testIgnored":
		t.ignored++
	case "testFailed":
		t.failed++
		s.Find(l, t.failure(s.In, value))
	case "inspection":
		level := value("SEVERITY")
		s.Find(l, result.Finding{
			Severity: read.SeverityOf(strings.ToLower(level)), RawSeverity: level, Rule: value("typeId"), Message: value("message"),
			At: &result.Location{Path: value("file"), Line: lex.LeadingNumber(value("line"))},
		})
	case "buildProblem":
		s.Find(l, result.Finding{Kind: result.BuildError, Message: value("description")})
	case "message":
		if status := value("status"); status == "ERROR" || status == "FAILURE" {
			s.Find(l, result.Finding{Kind: result.GenericFinding, Message: value("text")})
		}
	}
	return true
}

// End sets the counts of tests, if there were any.
func (t *Reader) End(s *read.Sink) {
	if s.Tested = t.tests > 0; !s.Tested {
		return
	}
	s.Counts["failed"], s.Counts["skipped"] = t.failed, t.ignored
	s.Counts["passed"] = max(0, t.tests-t.failed-t.ignored)
	if t.open > 0 {
		s.Doubt = "a test was started and did not end"
	}
}

// failure returns the finding of a failed test. If the message attribute is only a place, the details hold the message.
func (t *Reader) failure(in *tool.Input, value func(string) string) result.Finding {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: value("name"), Name: value("name"), Suite: slices.Clone(t.suites)}
	if n := len(t.suites); n > 0 && !strings.HasPrefix(f.Name, t.suites[n-1]) {
		f.ID = t.suites[n-1] + "." + f.Name
	}
	message, details := value("message"), strings.TrimSpace(value("details"))
	text := strings.Split(details, "\n")
	path, line, isPlace := place.CutLineNumber(message)
	isPlace = isPlace && !strings.Contains(path, " ")
	switch {
	case read.IsTraceHead(text[0]):
		f = python(in, f, text)
	case !isPlace:
		lines := strings.Split(message, "\n")
		rule := slices.IndexFunc(lines, func(line string) bool { return len(line) > 40 && strings.Trim(line, ".") == "" })
		text = append(lines[rule+1:], text...) // above Catch2's rule of dots is where the test begins
		fallthrough
	default:
		junit.Explain(in, &f, text, "", "")
	}
	if isPlace {
		f.At = &result.Location{Path: path, Line: line}
	}
	if expected, actual := value("expected"), value("actual"); expected != "" || actual != "" {
		f.Expected, f.Actual = expected, actual
	}
	return f
}

// python completes f from a traceback of Python, whose last line names the exception.
func python(in *tool.Input, f result.Finding, text []string) result.Finding {
	var t read.Traceback
	for _, line := range text {
		t.Line(line)
	}
	said := t.Finding(place.NewFiles(in.Workspace))
	f.Rule, f.Message, f.At, f.Frames = said.Rule, said.Message, said.At, said.Frames
	f.Detail = strings.Join(text, "\n")
	return f
}
