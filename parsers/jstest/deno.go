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

var _ = Room.Add("deno", func(p *tool.Parser) {
	p.Is("deno-test", result.Test, 1, "deno test 1.30 to 2: pretty and dot")
	p.Family, p.ColumnUnit = "deno", "char"
	p.Filter = tool.Filter{Flag: "--filter", Spell: denoCase}
	p.Matches = tool.RunsSub("deno", "test")
	p.Files = []tool.Files{{Flags: tool.ReportFlags("--junit-path")}}
	p.Reads(tool.Format{Name: "text", Parse: denoTest})
	p.Reads(tool.Format{Name: "text", Starts: []string{"running … test from ", "running … tests from "}, Parse: denoTest})
}, tool.WritesFiles)

// denoCase is the test that a step belongs to.
func denoCase(f *result.Finding) string {
	name, _, _ := strings.Cut(f.ID, " ... ")
	return name
}

func denoTest(in *tool.Input) *tool.Report {
	d := &deno{}
	rep := read.Text{Line: d.line, End: d.flush, Closes: true}.Parse(in)
	if rep != nil && !rep.Tested && rep.Signed {
		rep.Complete = true // nothing was run
	}
	return rep
}

// deno reads the lines below " ERRORS ": "title => ./a_test.ts:3:6" and the error.
type deno struct {
	errors, open bool
	text         jserror.Text
}

func (d *deno) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	title, where, headed := strings.Cut(text, " => ")
	switch {
	case text == "ERRORS":
		d.errors = true
		s.Sign(l)
	case text == "FAILURES":
		d.flush(s)
		d.errors = false
	case d.errors && headed && place.LastColons(where) != nil:
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: title, Message: "failed", At: place.LastColons(where)})
		d.open = true
	case strings.HasPrefix(text, "ok | ") || strings.HasPrefix(text, "FAILED | "):
		d.flush(s)
		d.counts(s, l, text)
	case strings.HasPrefix(text, "TS") && strings.Contains(text, " [ERROR]: "):
		rule, message, _ := strings.Cut(text, " [ERROR]: ")
		s.Find(l, result.Finding{Kind: result.Diagnostic, Rule: rule, Message: message})
	case text == "error: No test modules found":
		s.Find(l, result.Finding{Message: strings.TrimPrefix(text, "error: ")})
		s.NoTests, s.Meaning = true, result.MeansNoTests
		s.Close(l)
	case strings.HasPrefix(text, "error: Type checking failed"):
		s.Close(l)
	case d.open:
		d.text.Add(strings.TrimPrefix(l.Text, "error: "))
		s.More(l)
	default:
		return d.trouble(s, l, text)
	}
	return true
}

// trouble reads an error outside of tests, and the place of a diagnostic.
func (d *deno) trouble(s *read.Sink, l tool.Line, text string) bool {
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok && !strings.HasPrefix(message, "Test failed") && !strings.Contains(message, "(in promise)") {
		class, message := jserror.CutClass(message)
		s.Find(l, result.Finding{Rule: class, Message: message})
		if l.Stream == tool.Stderr && len(s.Findings) == 1 {
			s.Signed = true
			if strings.Contains(message, "unexpected argument") || strings.Contains(message, "o test modules") {
				s.Meaning = result.MeansUsage
			}
		}
		return true
	}
	f := s.Last()
	if f == nil || f.Kind != result.Diagnostic {
		return false
	}
	if at, ok := jserror.Frame(text); ok && f.At == nil {
		f.At = &at
	}
	return s.More(l)
}

func (d *deno) flush(s *read.Sink) {
	f := s.Last()
	open, lines := d.open, d.text.Lines
	d.open, d.text = false, jserror.Text{}
	if s.Break(); !open || f == nil {
		return
	}
	test := f.At
	jserror.Explain(f, lines)
	f.Detail = ""
	if test != nil && f.At.Path != test.Path {
		f.Locations = []result.Location{*test}
	}
}

// counts reads "FAILED | 3 passed (1 step) | 3 failed (1 step) | 1 ignored (446ms)".
func (d *deno) counts(s *read.Sink, l tool.Line, text string) {
	for part := range strings.SplitSeq(text, " | ") {
		number, word, _ := strings.Cut(part, " ")
		word, _, _ = strings.Cut(word, " ")
		if n := lex.Atoi(number); lex.IsDigits(number) && n > 0 {
			s.Count(strings.Replace(word, "ignored", "skipped", 1), n)
		}
	}
	s.Ended(l)
}
