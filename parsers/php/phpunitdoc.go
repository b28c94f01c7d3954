package php

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/read/teamcity"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// testdox reads the rows of --testdox. A row spells the test in words, from which the method's name cannot be
// restored for sure, so the words are the id.
//
//	Parcel (Tests\Parcel)
//	 ✘ Price
//	   │
//	   │ Failed asserting that 4 is identical to 5.
//	   │
//	   │ /tmp/tests/ParcelTest.php:5
func (p *phpunit) testdox(s *read.Sink, l tool.Line) bool {
	row := strings.TrimLeft(l.Text, " ")
	switch {
	case strings.HasPrefix(row, "✘ "):
		p.endDoc(s)
		p.ran(s, p.docID(strings.TrimPrefix(row, "✘ ")), "")
		p.doc = &read.Block{Head: l, Title: strings.TrimPrefix(row, "✘ "), End: l.End}
	case lex.HasAnyPrefix(row, "✔ ", "↩ ", "∅ ", "☢ ", "⚠ "):
		p.endDoc(s)
		mark, title, _ := strings.Cut(row, " ")
		came := tool.Passed
		if mark == "↩" || mark == "∅" {
			came = tool.Skipped
		}
		p.ran(s, p.docID(title), came)
	case lex.HasAnyPrefix(row, "│", "├", "┐", "┴", "╵", "╷", "┊"):
		if p.doc != nil && len(p.doc.Body) < 400 {
			_, text, _ := strings.Cut(row, " ")
			p.doc.Body, p.doc.End = append(p.doc.Body, strings.TrimRight(text, " ")), l.End
		}
	case l.Text != "" && l.Text[0] != ' ' && isDocClass(l.Text):
		p.endDoc(s)
		p.class = l.Text
		return false
	default:
		return false
	}
	return true
}

// isDocClass reports whether a line is the heading of a class, "Parcel (Tests\Parcel)" or, in older versions, a name
// alone. Other lines are output of tests.
func isDocClass(text string) bool {
	name, full, ok := strings.Cut(text, " (")
	if !ok {
		return isPHPClass(strings.ReplaceAll(name, " ", ""))
	}
	return strings.HasSuffix(full, ")") && !strings.Contains(full, " ")
}

// docID returns the id of the test in a row of testdox: "Tests\Parcel::Price".
func (p *phpunit) docID(title string) string {
	class := p.class
	if _, full, ok := strings.Cut(class, " ("); ok {
		class = strings.TrimSuffix(full, ")")
	}
	return class + "::" + docTime(title)
}

// docTime removes " [1.23 ms]", which older versions print behind a title.
func docTime(title string) string {
	if i := strings.LastIndex(title, " ["); i > 0 && strings.HasSuffix(title, " ms]") {
		return title[:i]
	}
	return title
}

// ran reports the outcome of a row of testdox, unless the row repeats a test. A failed row (came is "") becomes a
// finding, which says whether the test failed or had an error.
func (p *phpunit) ran(s *read.Sink, id string, came read.Outcome) {
	if !p.summary && came != "" {
		s.Ran(tool.Test{ID: id, Outcome: came})
	}
}

// debug reads a test's line of --debug, since PHPUnit 10: "Test Passed (A\\B::test)".
func (p *phpunit) debug(s *read.Sink, text string) bool {
	for start, came := range map[string]read.Outcome{
		"Test Passed (": tool.Passed, "Test Failed (": tool.Failed, "Test Errored (": tool.Errored, "Test Skipped (": tool.Skipped, "Test Marked Incomplete (": tool.Skipped,
	} {
		if id, ok := strings.CutPrefix(text, start); ok && strings.Contains(id, "::") {
			id, _, _ = strings.Cut(id, "\n")
			s.Ran(tool.Test{ID: phpDebugID(strings.TrimSuffix(id, ")")), Outcome: came})
			return true
		}
	}
	return false
}

// phpDebugID returns a test's id as the lists print it: `A::test with data set "named"` for "A::test#named".
func phpDebugID(id string) string {
	id, set, has := strings.Cut(id, "#")
	switch {
	case !has:
		return id
	case lex.IsDigits(set):
		return id + " with data set #" + set
	}
	return id + ` with data set "` + set + `"`
}

// endDoc adds the failed row that was read, unless it repeats a finding.
func (p *phpunit) endDoc(s *read.Sink) {
	if p.doc == nil {
		return
	}
	f := phpSaid(s.In, p.doc.Body)
	f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, p.docID(p.doc.Title)
	if f.Rule != "" {
		f.Severity = result.SevError
	}
	s.FindBlock(p.doc, f)
	p.doc = nil
}

// phpunitCrashed reads why PHPUnit failed itself, for example because a test file could not be loaded.
func phpunitCrashed(s *read.Sink, l tool.Line) bool {
	word, text, _ := strings.Cut(l.Text, ": ")
	last := s.Last()
	switch {
	case l.Text == phpunitCrash:
		return s.Sign(l)
	case word == "Message" && text != "":
		return s.Find(l, result.Finding{Kind: result.BuildError, Severity: result.SevError, Message: strings.TrimSpace(text)})
	case last != nil && last.Kind == result.BuildError && (word == "Location" || word == "Caused by"):
		if at, rest, ok := place.CutPlace(text); ok && rest == "" && last.At == nil {
			last.At = &at
		}
	case last == nil || last.Kind != result.BuildError || !strings.HasPrefix(l.Text, "#"):
		return false
	case strings.HasSuffix(l.Text, " {main}"):
		s.More(l)
		return s.Close(l)
	}
	return s.More(l)
}

// teamcity reads a service message. The start of a test holds its id, the failure its message.
func (p *phpunit) teamcity(s *read.Sink, l tool.Line) {
	switch {
	case strings.HasPrefix(l.Text, "##teamcity[testStarted "):
		if _, id, _ := strings.Cut(teamcity.Attribute(l.Text, "locationHint"), "::"); len(p.ids) < s.Most() {
			p.ids[teamcity.Attribute(l.Text, "name")] = strings.TrimPrefix(id, `\`)
		}
		p.came = tool.Passed
	case strings.HasPrefix(l.Text, "##teamcity[testIgnored "):
		p.came = tool.Skipped
	case strings.HasPrefix(l.Text, "##teamcity[testFinished "):
		name := teamcity.Attribute(l.Text, "name")
		if id := p.ids[name]; id != "" && p.came != tool.Failed {
			took, _ := lex.Millis(teamcity.Attribute(l.Text, "duration") + "ms")
			s.Ran(tool.Test{ID: id, Outcome: p.came, DurationMS: took})
		}
	case strings.HasPrefix(l.Text, "##teamcity[testFailed "):
		p.came = tool.Failed
		body := strings.Split(teamcity.Attribute(l.Text, "message")+"\n"+teamcity.Attribute(l.Text, "details"), "\n")
		for i := range body {
			body[i] = strings.TrimSpace(body[i])
		}
		if class, rest, ok := strings.Cut(body[0], " : "); ok && isPHPClass(class) { // the form that only teamcity has
			body[0] = class + ": " + rest
		}
		f := phpSaid(s.In, body)
		f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, teamcity.Attribute(l.Text, "name")
		f.Name = f.ID
		switch {
		case isRisky(f.Message):
			f.Severity, p.came = result.SevWarning, tool.Passed
		case f.Rule != "":
			f.Severity = result.SevError
		}
		if v := teamcity.Attribute(l.Text, "expected"); v != "" {
			f.Expected, f.Actual = v, teamcity.Attribute(l.Text, "actual")
		}
		s.Find(l, f)
		s.Break()
	}
}

// isRisky reports whether message is about a risky test. Such a test passed, but teamcity's message calls it failed.
func isRisky(message string) bool {
	return lex.HasAnyPrefix(message, "This test did not perform any assertions", "This test printed output: ", "Test code or tested code did not (only) close its own output buffers",
		"This test executed code that is not listed as code to be covered or used", "This test modified global state but was not expected to do so",
		"This test does not have a @covers annotation but is expected to have one", `This test is annotated with "@doesNotPerformAssertions" but performed `)
}
