package shell

import (
	"cmp"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("shunit2", func(p *tool.Parser) {
	p.Is("shunit2", result.Test, 1, "shUnit2 2.1: assertions below the name of their test")
	p.Reads(tool.Format{Name: "text", Starts: []string{"ASSERT:", "FAILED (failures=", "Ran … tests.", "Ran 1 test."}, Sniff: isShunit, Parse: read.Fresh(func(r *shunit) read.Text { return read.Text{Line: r.line, Closes: true} })})
})

// isShunit rejects other runners' "Ran 3 tests", which a duration follows.
func isShunit(line string) bool {
	return !strings.HasPrefix(line, "Ran ") || strings.HasSuffix(line, " test.") || strings.HasSuffix(line, " tests.")
}

// shunit reads failed assertions, which stand below the test's name, and the counts:
//
//	testSums
//	ASSERT:sums expected:<3> but was:<4>
//
//	Ran 3 tests.
//
//	FAILED (failures=1)
//
// A test whose last command is a failed assertion returns non-zero, which shunit2 counts as another failure.
type shunit struct {
	test string
	ran  bool
}

func (u *shunit) line(s *read.Sink, l tool.Line) bool {
	message, failed := strings.CutPrefix(l.Text, "ASSERT:")
	count, closing := strings.CutPrefix(l.Text, "FAILED (failures=")
	number, ran := strings.CutPrefix(l.Text, "Ran ")
	switch {
	case failed:
		f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: u.test, Name: u.test, Message: message}
		if want, got, ok := strings.Cut(message, "> but was:<"); ok {
			_, f.Expected, _ = strings.Cut(want, "expected:<")
			f.Actual = strings.TrimSuffix(got, ">")
		}
		s.Find(l, f)
	case strings.HasPrefix(l.Text, "shunit2:ERROR "):
		if name, _, ok := strings.Cut(l.Text[len("shunit2:ERROR "):], "() returned non-zero"); !ok || !slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == name }) { // the test has no failed assertion
			s.Find(l, result.Finding{Kind: result.TestFailure, ID: strings.TrimSuffix(name, "()"), Message: l.Text[len("shunit2:ERROR "):]})
		}
	case ran && isShunit(l.Text):
		s.Count("total", lex.LeadingNumber(number))
		s.Tested, u.ran = true, true
	case closing && u.ran:
		s.Count("failed", lex.LeadingNumber(count))
		s.Close(l)
	case l.Text == "OK" && u.ran:
		s.Close(l)
	case strings.HasPrefix(l.Text, "test") && !strings.Contains(l.Text, " "):
		u.test = l.Text
		s.Break()
	default:
		return false
	}
	return true
}

var _ = Room.Add("shellspec", func(p *tool.Parser) {
	p.Is("shellspec", result.Test, 1, "ShellSpec 0.28: progress, documentation; tap and junit are anyone's")
	p.Exits = map[int]result.Meaning{101: result.MeansFindings, 102: result.MeansInternal}
	p.Reads(tool.Format{Name: "text", Starts: []string{"shellspec … # "}, Named: true, Parse: read.Numbered{
		Indent: "  ", Closes: true, Ends: func(text string) bool { return text != "" && text[0] != ' ' }, Take: shellspecExample, Other: shellspecOther,
	}.Parse})
})

// shellspecExample reads an example of the list, with its assertions: "1.1) The output should eq 1.3.0", what was
// expected, and "# spec/semver_spec.sh:12". An example that is only pending or skipped is no failure.
func shellspecExample(s *read.Sink, b *read.Block) {
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: b.Title}
	for _, line := range b.Body {
		text := strings.TrimSpace(line)
		_, said, numbered := strings.Cut(text, ") ")
		where, isPlace := strings.CutPrefix(text, "# ")
		at, _, placed := place.CutPlace(where)
		if from, _, ranged := lex.CutLast(where, "-"); ranged && !placed { // "spec/a_spec.sh:4-7"
			at, _, placed = place.CutPlace(from)
		}
		switch {
		case f.Message == "" && numbered && lex.IsDigits(text[:1]):
			f.Message = said
		case f.Message == "":
		case placed && isPlace:
			f.At = cmp.Or(f.At, &at)
		case f.At != nil:
		case strings.HasPrefix(text, "expected: "):
			f.Expected = text[len("expected: "):]
		case strings.HasPrefix(text, "got: "):
			f.Actual = text[len("got: "):]
		case text != "" && (f.Detail == "" || strings.HasPrefix(text, "Syntax error: ")):
			f.Detail = text
		}
	}
	if !lex.HasAnyPrefix(f.Message, "PENDING: ", "SKIPPED: ") {
		f.Message = strings.TrimSuffix(f.Message+": "+f.Detail, ": ")
		s.FindBlock(b, f)
	}
}

// shellspecOther reads the counts, and the list at the end: "shellspec spec/semver_spec.sh:10 # 2) semver.sh adds FAILED".
func shellspecOther(s *read.Sink, l tool.Line) bool {
	c := read.Counts(l.Text)
	if tests := c["examples"] + c["example"]; tests > 0 && strings.Contains(l.Text, " failure") {
		return s.Sum(l, tests, c["failures"]+c["failure"], c["errors"]+c["error"], c["skips"]+c["skip"]+c["pendings"]+c["pending"])
	}
	where, name, ok := strings.Cut(l.Text, " # ")
	at, _, placed := place.CutPlace(strings.TrimPrefix(where, "shellspec "))
	_, name, numbered := strings.Cut(name, ") ")
	name, failed := strings.CutSuffix(name, " FAILED")
	if !ok || !placed || !numbered || !failed {
		return lex.HasAnyPrefix(l.Text, "Running: ", "Finished in ", "Examples:", "Failure examples ", "Fatal error occurred, terminated ")
	}
	if !slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == name }) {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Message: tool.Untold, At: &at})
		return s.Break()
	}
	return s.Sign(l)
}
