package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jasmine", func(p *tool.Parser) {
	p.Is("jasmine", result.Test, 1, "jasmine 3 to 6")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Flag: "--filter", Spell: read.FullName}
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(j *jasmine) read.Text { return read.Text{Line: j.line, Turn: j.flush, End: j.flush, Closes: true} })})
	p.Reads(tool.Format{Name: "messages", Parse: jserror.Usage("Unknown option: ", "Unknown options: ", "Error: ")})
})

// jasmine reads numbered failures, "1) title", with "Message:" and "Stack:" below; "Suite error: title" for an
// exception in a suite's hook, in the same form; and the counts: "10 specs, 8 failures, 1 pending spec".
type jasmine struct {
	failures bool // in "Failures:"
	pending  bool // in "Pending:"
	block
	titled  bool // the title is being read, which may go over lines
	message bool // the message is read, which may go over lines
	suites  int  // failures outside of specs, in hooks that run once
}

func (j *jasmine) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	number, title, numbered := strings.Cut(l.Text, ") ")
	suite, isSuite := strings.CutPrefix(l.Text, "Suite error: ")
	switch {
	case text == "Failures:" || text == "Suite errors:":
		j.failures, j.pending = true, false
		s.Sign(l)
	case strings.HasPrefix(text, "Incomplete: No specs found"):
		s.NoTests = true
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text})
		s.Close(l)
	case text == "Pending:":
		j.flush(s)
		j.failures, j.pending = false, true
	case (j.failures || j.pending) && numbered && lex.IsDigits(number) && len(number) < 7:
		if j.pending {
			s.Ran(tool.Test{ID: strings.TrimSpace(title), Outcome: tool.Skipped})
			return s.Sign(l)
		}
		j.begin(s, l, title, result.SevFailure)
	case isSuite:
		j.suites++
		s.Sign(l)
		j.begin(s, l, suite, result.SevError)
	case j.counts(s, l, text):
	case strings.HasPrefix(text, "Finished in ") && s.Tested:
		s.Close(l)
	case !j.open:
		return false
	case text == "Message:" && len(j.text.Lines) > 0 && s.Last() != nil: // a further one of the same
		j.begin(s, l, s.Last().ID, s.Last().Severity)
		j.titled, j.message = false, true
	case text == "Message:" || text == "Stack:":
		j.message, j.titled = text == "Message:" && len(j.text.Lines) == 0, false
		s.More(l)
	case j.titled && s.Last() != nil:
		s.Last().ID = strings.TrimSpace(s.Last().ID + " " + text)
		s.More(l)
	case j.message && len(j.text.Lines) > 0 && len(j.text.Lines[0]) < 300 && text != "":
		joint := " "
		if strings.HasPrefix(strings.TrimSpace(j.text.Lines[0]), "Expected ") { // a value goes over lines
			joint = `\n`
		}
		j.text.Lines[0] += joint + strings.Clone(text)
		s.More(l)
	case text != "at <Jasmine>":
		j.text.Add(l.Text)
		s.More(l)
	default:
		s.More(l)
	}
	return true
}

// begin opens what is reported of a failure.
func (j *jasmine) begin(s *read.Sink, l tool.Line, title string, severity result.Severity) {
	j.flush(s)
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: severity, ID: strings.TrimSpace(title), Message: "failed"})
	j.open, j.titled = true, true
}

func (j *jasmine) flush(s *read.Sink) {
	f, lines := j.block.end(s)
	if f == nil {
		return
	}
	jserror.Explain(f, lines)
	f.Message = strings.TrimSuffix(f.Message, ".")
	f.Detail = ""
}

func (j *jasmine) counts(s *read.Sink, l tool.Line, text string) bool {
	number, rest, _ := strings.Cut(text, " ")
	if !lex.IsDigits(number) || !strings.HasPrefix(rest, "spec") || !strings.Contains(rest, " failure") {
		return false
	}
	j.flush(s)
	j.failures, j.pending = false, false
	counts := read.Counts(text)
	failed, total, pending := counts["failures"]+counts["failure"], counts["specs"]+counts["spec"], counts["pending"]
	s.Count("failed", failed)
	specs := max(failed-j.suites, 0) // a suite is no spec
	if total < specs+pending {
		total = specs + pending
	}
	s.Count("passed", total-specs-pending)
	s.Score("skipped", pending)
	s.Claim(failed)
	s.Tested = true
	return s.Sign(l)
}
