package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/tool"
	"cairn/result"
)

// begin opens a block.
func (j *jest) begin(s *read.Sink, l tool.Line) {
	j.flush(s)
	j.stream = l.Stream
	title := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l.Text), "●"))
	j.exited = j.exited || strings.HasPrefix(title, "process.exit called")
	j.open, j.quiet = true, title == "Console" || strings.HasPrefix(title, "Cannot log after tests are done")
	if j.quiet || strings.HasPrefix(title, "Deprecation Warning") || strings.HasPrefix(title, "Validation Warning") {
		j.quiet = true
		return
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: title, Message: title}
	if j.path != "" && !j.exited {
		f.At = &result.Location{Path: j.path}
	}
	suite, isSuite := jestSuite(title, l.Text[0] == ' ')
	if isSuite {
		f.Severity, f.ID, f.Message = result.SevError, "", suite
		if f.At != nil {
			f.ID = j.path
			s.Unread("a file of tests did not run to its end: " + f.ID)
			s.NoTest(f.ID)
		}
	}
	s.Find(l, f)
	j.titled = !isSuite && s.Last() != nil
	if strings.HasPrefix(l.Text, "● ") && strings.HasSuffix(title, ":") {
		f := s.Last()
		f.Kind, f.At = result.Diagnostic, nil
		s.Meaning = result.MeansUsage
	}
	s.Sign(l)
}

// jestSuite: the title is not one of a test.
func jestSuite(title string, indented bool) (message string, ok bool) {
	switch {
	case title == "Test suite failed to run", strings.HasPrefix(title, "process.exit called"):
		return title, true
	case !indented && strings.HasSuffix(title, ":"): // "Unrecognized CLI Parameter:", "Validation Error:"
		return strings.TrimSuffix(title, ":"), true
	}
	return "", false
}

// entitle tells the test of a block, once its title has been read.
func (j *jest) entitle(s *read.Sink) {
	if f := s.Last(); j.titled && f != nil { // where findings are only counted, none is kept
		j.tests.failed(s, f.ID)
	}
	j.titled = false
}

func (j *jest) end(s *read.Sink) {
	j.tests.end(s)
	j.flush(s)
}

// flush ends the block that is being read.
func (j *jest) flush(s *read.Sink) {
	j.entitle(s)
	f := s.Last()
	open := j.open && !j.quiet
	lines := j.text.Lines
	j.open, j.quiet, j.text = false, false, jserror.Text{}
	if s.Break(); !open || f == nil {
		return
	}
	f.Detail = ""
	jestExplain(f, lines)
	if j.told[f.ID+"\x00"+f.Message] > 0 {
		j.told[f.ID+"\x00"+f.Message]--
		s.Findings = s.Findings[:len(s.Findings)-1]
	}
}

// jestExplain fills in a finding, and where its test is when it failed elsewhere.
func jestExplain(f *result.Finding, lines []string) {
	test := f.At
	title := f.Message
	jserror.Explain(f, lines)
	if f.Severity == result.SevError && f.Message != title && f.Kind == result.Diagnostic {
		f.Message = title + ": " + f.Message
	}
	if test != nil && f.ID != test.Path && f.At != nil && f.At.Path != test.Path && test.Line == 0 {
		f.Locations = append(f.Locations, *test)
		for _, fr := range f.Frames {
			if strings.HasSuffix(fr.Path, strings.TrimPrefix(test.Path, "./")) {
				f.Locations = nil
			}
		}
	}
}
