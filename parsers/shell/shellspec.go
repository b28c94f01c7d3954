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
