package jstest

import (
	"path"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
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
	lex.Put(&j.files, len(s.Findings)-1, strings.TrimPrefix(j.path, "./"))
	j.titled = !isSuite && s.Last() != nil
	if strings.HasPrefix(l.Text, "● ") && strings.HasSuffix(title, ":") {
		f := s.Last()
		f.Kind, f.At = result.Diagnostic, nil
		s.Meaning = result.MeansUsage
	}
	s.Sign(l)
}

// jestSuite reports whether a block's title is not a test's; message is then the error.
func jestSuite(title string, indented bool) (message string, ok bool) {
	switch {
	case title == "Test suite failed to run", strings.HasPrefix(title, "process.exit called"):
		return title, true
	case !indented && strings.HasSuffix(title, ":"): // "Unrecognized CLI Parameter:", "Validation Error:"
		return strings.TrimSuffix(title, ":"), true
	}
	return "", false
}

// entitle sets the test of a block, once the title has been read.
func (j *jest) entitle(s *read.Sink) {
	if f := s.Last(); j.titled && f != nil { // nil if findings are only counted
		j.tests.failed(s, f.ID)
	}
	j.titled = false
}

func (j *jest) ended(s *read.Sink) {
	j.tests.end(s)
	j.flush(s)
	j.fromRoot(s)
}

// fromRoot makes the places in stacks relative to where jest ran. jest prints them relative to its rootDir, but the
// files in headings relative to where it ran: the frame in the test's own file shows the difference, whether
// rootDir is below or above.
func (j *jest) fromRoot(s *read.Sink) {
	root, above := "", ""
	for i := range s.Findings {
		f := &s.Findings[i]
		seen := f.Frames
		if f.At != nil && f.At.Line > 0 { // the only frame of a stack is no more than the place
			seen = append(seen[:len(seen):len(seen)], *f.At)
		}
		for _, fr := range seen {
			if fr.Path == j.files[i] {
				return
			}
			shorter(&root, j.files[i], fr.Path)
			shorter(&above, fr.Path, j.files[i])
		}
	}
	if above != "" {
		root = strings.Repeat("../", strings.Count(above, "/")+1)
	}
	for i := 0; root != "" && i < len(s.Findings); i++ {
		f := &s.Findings[i]
		for at := range f.Places() {
			if inside, ok := strings.CutPrefix(at.Path, above+"/"); ok && above != "" {
				at.Path = inside
			} else if at.Path != j.files[i] && !result.IsAbsolute(at.Path) {
				at.Path = path.Join(root, at.Path)
			}
			if at.Path == j.files[i] && at.Line > 0 {
				f.Locations = nil // the head of the file
			}
		}
	}
}

// shorter sets folder to the part of the long path before the short one, unless folder is shorter already.
func shorter(folder *string, long, short string) {
	if before, ok := strings.CutSuffix(long, "/"+short); ok && short != "" && (*folder == "" || len(before) < len(*folder)) {
		*folder = before
	}
}

// flush ends the block that is being read.
func (j *jest) flush(s *read.Sink) {
	j.entitle(s)
	j.open, j.quiet = j.open && !j.quiet, false
	f, lines := j.block.end(s)
	if f == nil {
		return
	}
	f.Detail = ""
	if f.Severity == result.SevError && jestTypes(s, f, lines) {
		return
	}
	jestExplain(f, lines)
	last := len(s.Findings) - 1
	if key := j.key(s, last); j.told[key] > 0 {
		j.told[key]--
		s.Findings = s.Findings[:last]
	}
}

// retell begins a part that repeats earlier failures.
func (j *jest) retell(s *read.Sink) {
	j.flush(s)
	j.told = map[string]int{}
	for i := range s.Findings {
		j.told[j.key(s, i)]++
	}
}

func (j *jest) key(s *read.Sink, i int) string {
	return j.files[i] + "\x00" + s.Findings[i].ID + "\x00" + s.Findings[i].Message
}

// jestTypes makes a finding of each type error for which ts-jest did not compile a file:
//
//	src/cart.ts:4:13 - error TS2695: Left side of comma operator is unused and has no side effects.
func jestTypes(s *read.Sink, f *result.Finding, lines []string) bool {
	first := *f
	found := 0
	for _, line := range lines {
		d, ok := read.CutDiagnostic(strings.TrimSpace(line))
		rule, message, told := strings.Cut(d.Message, ": ")
		if !ok || !told || !strings.HasPrefix(rule, "TS") || !lex.IsDigits(rule[2:]) {
			continue
		}
		one := first
		one.At, one.Rule, one.Message, one.Locations = &d.At, rule, message, nil
		if found++; found == 1 {
			*f = one
		} else {
			s.Add(one)
		}
	}
	return found > 0
}

// jestExplain completes a finding, and adds the test's own line if the failure was elsewhere.
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
