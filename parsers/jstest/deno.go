package jstest

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/lex"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("deno", func() *tool.Parser {
	return &tool.Parser{
		Tool: "deno-test", Family: "deno", Kind: result.Test, Version: 1, ColumnUnit: "char",
		Filter:  tool.Filter{Flag: "--filter", Spell: denoCase},
		About:   "deno test 1.30 to 2: pretty and dot",
		Matches: tool.RunsSub("deno", "test"),
		Files:   []tool.Files{{Flags: tool.ReportFlags("--junit-path")}},
		Formats: []tool.Format{{Name: "text", Parse: denoTest}, {Name: "text", Starts: []string{"running … test from ", "running … tests from "}, Parse: denoTest}},
	}
}, tool.WritesFiles)

var _ = Room.Add("deno", func() *tool.Parser {
	return &tool.Parser{
		Tool: "deno-lint", Family: "deno", Kind: result.Lint, Version: 1, ColumnUnit: "char",
		About:   "deno lint 1.30 to 2: pretty, compact, --json",
		Matches: tool.RunsSub("deno", "lint"),
		Formats: []tool.Format{
			{Name: "json", Parse: read.JSON{Items: read.Items(denoItem, "/diagnostics/*", "/errors/*")}.Parse},
			{Name: "text", Parse: read.Text{Line: denoLintLine}.Parse},
		},
	}
})

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

// deno reads what stands below " ERRORS ": "title => ./a_test.ts:3:6" and the error.
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
	s.More(l)
	return true
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
	s.Tested = true
	s.Close(l)
}

// denoLintLine reads "error[rule]: text" and below it " --> /path:1:5"; compact
// prints both in one line.
func denoLintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(l.Text, "error["); ok {
		rule, message, _ := strings.Cut(rest, "]: ")
		s.Find(l, result.Finding{Rule: rule, RuleURL: "https://docs.deno.com/lint/rules/" + rule, Message: message})
		return true
	}
	if at, message, ok := place.Cut(strings.TrimPrefix(text, "file://")); ok && strings.Contains(message, " - ") || ok && strings.HasSuffix(message, ")") {
		message, rule := read.Parens.Cut(strings.TrimPrefix(message, "- "))
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
		s.Break()
		return true
	}
	if strings.HasPrefix(text, "Found ") && strings.Contains(text, " problem") {
		s.Claim(lex.LeadingNumber(text[len("Found "):]))
		s.Close(l)
		return true
	}
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		s.Find(l, result.Finding{Message: message})
		s.Meaning = result.MeansUsage
		return true
	}
	if path, ok := strings.CutPrefix(l.Text, "Error linting: "); ok {
		s.Find(l, result.Finding{Message: "could not be linted", At: &result.Location{Path: path}})
		return true
	}
	f := s.Last()
	if f == nil {
		return strings.HasPrefix(text, "Checked ")
	}
	if class, message := jserror.CutClass(text); class != "" && f.Message == "could not be linted" {
		f.Rule, f.Message = class, message
	} else if at, ok := jserror.Frame(text); ok && f.At != nil && f.At.Line == 0 {
		f.At = &at
	}
	if where, ok := strings.CutPrefix(text, "--> "); ok && f.At == nil {
		f.At = place.LastColons(where)
	}
	s.More(l)
	return true
}

func denoItem(s *read.Sink, v *struct {
	Code, Message, Filename string
	FilePath                string `json:"file_path"`
	Range                   struct{ Start struct{ Line, Col int } }
}) {
	path := strings.TrimPrefix(v.Filename+v.FilePath, "file://")
	f := result.Finding{Rule: v.Code, Message: v.Message, At: &result.Location{Path: path, Line: v.Range.Start.Line, Column: v.Range.Start.Col + 1}}
	if f.At.Line == 0 {
		f.At.Column = 0
	}
	s.FindHere(f)
}
