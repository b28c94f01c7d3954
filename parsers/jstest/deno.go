package jstest

import (
	"cmp"
	"slices"
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
	block
	errors bool
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
	f, lines := d.block.end(s)
	if f == nil {
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

var _ = Room.Add("deno", func(p *tool.Parser) {
	p.Is("deno", result.Generic, 1, "deno 1.30 to 2: run, check, fmt, and whatever else it does beside test and lint")
	p.Interprets = tool.Always
	p.ColumnUnit = "char"
	p.Matches = isDeno
	p.Reads(tool.Format{Name: "text", Parse: read.Fresh(func(d *denoRun) read.Text { return read.Text{Line: d.line, End: d.flush} })})
})

func isDeno(argv []string) bool {
	return argv[0] == "deno" && !tool.RunsSub("deno", "test", "lint")(argv)
}

// denoRun reads an error that ended a script, with its source and stack, what
// TypeScript says, and the files that deno fmt would change:
//
//	error: Uncaught (in promise) Error: x
//	    at file:///src/u.ts:1:7
//	TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.
//	    at file:///src/types_test.ts:1:7
//	from /src/fmt.ts:
type denoRun struct {
	block
}

func (d *denoRun) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	message, failed := strings.CutPrefix(l.Text, "error: ")
	rule, typed, isType := strings.Cut(l.Text, " [ERROR]: ")
	path, isFile := strings.CutPrefix(l.Text, "from ")
	switch {
	case isType && strings.HasPrefix(rule, "TS") && lex.IsDigits(rule[2:]):
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.Diagnostic, Rule: rule, Message: typed})
		d.open = true
	case isFile && strings.HasSuffix(path, ":"):
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.Diagnostic, Rule: "format", Message: "not formatted", At: &result.Location{Path: strings.TrimSuffix(path, ":")}})
	case strings.HasPrefix(l.Text, "Error checking: "):
		d.flush(s)
		s.Find(l, result.Finding{Kind: result.Diagnostic, Message: "could not be checked", At: &result.Location{Path: l.Text[len("Error checking: "):]}})
		d.open = true
	case strings.HasPrefix(message, "Type checking failed"), failed && strings.Contains(message, " not formatted file"):
		d.flush(s)
		s.Claim(lex.LeadingNumber(strings.TrimPrefix(message, "Found ")))
		s.Claimed = cmp.Or(s.Claimed, -1)
		s.Sign(l)
	case failed:
		d.flush(s)
		d.failed(s, l, message)
	case d.open:
		d.text.Add(l.Text)
		s.More(l)
	case strings.HasPrefix(text, "Found ") && strings.HasSuffix(text, " errors."):
		s.Sign(l)
	default:
		return strings.HasPrefix(text, "Check ") || strings.HasPrefix(text, "Checked ") || s.Last() != nil
	}
	return true
}

func (d *denoRun) failed(s *read.Sink, l tool.Line, message string) {
	uncaught, ok := strings.CutPrefix(message, "Uncaught ")
	f := result.Finding{Kind: result.GenericFinding}
	if uncaught = strings.TrimPrefix(uncaught, "(in promise) "); ok {
		f.Kind, s.Meaning = result.Panic, result.MeansCrashed
	}
	f.Rule, f.Message = jserror.CutClass(uncaught)
	if lex.HasAnyPrefix(message, "unexpected argument", "unrecognized subcommand", "invalid value", "the following required arguments", "Config file", "Module not found") {
		s.Meaning = result.MeansUsage
	}
	s.Find(l, f)
	d.open = true
}

// flush gives the last finding the first place of its own code.
func (d *denoRun) flush(s *read.Sink) {
	f, lines := d.block.end(s)
	if f == nil {
		return
	}
	for _, t := range lines {
		if class, message := jserror.CutClass(strings.TrimSpace(t)); class != "" && f.Message == "could not be checked" {
			f.Rule, f.Message, f.At = class, message, nil
		}
		at, ok := jserror.Frame(strings.TrimSpace(t))
		if !ok || at.External {
			continue
		}
		if f.At == nil {
			f.At = &at
		} else if !slices.Contains(f.Frames, at) {
			f.Frames = append(f.Frames, at)
		}
	}
	f.Detail = ""
}

var _ = Room.Add("deno", func(p *tool.Parser) {
	p.Is("deno-lint", result.Lint, 1, "deno lint 1.30 to 2: pretty, compact, --json")
	p.Family, p.ColumnUnit = "deno", "char"
	p.Matches = tool.RunsSub("deno", "lint")
	p.Reads(tool.Format{Name: "json", Parse: read.Objects{
		At: []string{"/diagnostics/*", "/errors/*"}, Path: "filename file_path", Line: "range.start.line", Column: "range.start.col", Column0: true, Rule: "code", Message: "message",
		Fit: func(f *result.Finding) { f.At.Path = strings.TrimPrefix(f.At.Path, "file://") },
	}.Parse})
	p.Reads(tool.Format{Name: "text", Parse: read.Text{Line: denoLintLine}.Parse})
})

// denoLintLine reads "error[rule]: text" and below it " --> /path:1:5"; compact
// prints both in one line.
func denoLintLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	if rest, ok := strings.CutPrefix(l.Text, "error["); ok {
		rule, message, _ := strings.Cut(rest, "]: ")
		return s.Find(l, result.Finding{Rule: rule, RuleURL: "https://docs.deno.com/lint/rules/" + rule, Message: message})
	}
	if at, message, ok := place.Cut(strings.TrimPrefix(text, "file://")); ok && strings.Contains(message, " - ") || ok && strings.HasSuffix(message, ")") {
		message, rule := read.Parens.Cut(strings.TrimPrefix(message, "- "))
		s.Find(l, result.Finding{Rule: rule, Message: message, At: &at})
		return s.Break()
	}
	if strings.HasPrefix(text, "Found ") && strings.Contains(text, " problem") {
		return s.Found(l, lex.LeadingNumber(text[len("Found "):]))
	}
	if message, ok := strings.CutPrefix(l.Text, "error: "); ok {
		return s.Refuse(l, result.Finding{Message: message})
	}
	if path, ok := strings.CutPrefix(l.Text, "Error linting: "); ok {
		return s.Find(l, result.Finding{Message: "could not be linted", At: &result.Location{Path: path}})
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
	return s.More(l)
}
