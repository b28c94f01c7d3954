package infra

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("terraform tofu", func(p *tool.Parser) {
	p.Is("terraform", result.Infra, 2, "terraform and tofu 1.x: boxes, -no-color, validate -json and the JSON lines of plan, apply and test; terraform test")
	p.Reads(tool.Format{Name: "json", Parse: func(in *tool.Input) *tool.Report { return new(terraformJSON).reader().Parse(in) }})
	p.Reads(tool.Format{Name: "text", Starts: []string{"│ Error: ", "│ Warning: "}, Named: true, Parse: read.Fresh(func(b *terraformBox) read.Text { return read.Text{Line: b.line, End: b.end} })})
})

// terraformJSON keeps the id of the test run that ended last: the diagnostics that follow belong to this run.
type terraformJSON struct {
	terraformTests
	run string
}

func (t *terraformJSON) reader() read.JSON {
	items := read.Items(t.diagnostic, "/diagnostics/*", "/diagnostic")
	items["/test_run"] = read.Item(func(s *read.Sink, v *struct{ Path, Run, Status string }) {
		if t.run = ""; t.ran(s, terraformRunID(v.Path, v.Run), v.Status) {
			t.run = terraformRunID(v.Path, v.Run)
		}
	})
	items["/test_file"] = read.Item(func(*read.Sink, *struct{}) { t.run = "" })
	items["/test_summary"] = read.Item(func(s *read.Sink, v *struct{ Passed, Failed, Errored, Skipped int }) {
		t.total(s, v.Passed, v.Failed+v.Errored, v.Skipped)
	})
	return read.JSON{Clean: true, Items: items}
}

// diagnostic reads a diagnostic of the JSON formats.
func (t *terraformJSON) diagnostic(s *read.Sink, v *struct {
	Severity, Summary, Detail string
	Range                     *struct {
		Filename string
		Start    struct{ Line, Column int }
	}
}) {
	f := result.Finding{Severity: read.SeverityOf(v.Severity), RawSeverity: v.Severity, Message: v.Summary, Detail: v.Detail}
	if why := firstSentence(v.Detail); why != "" {
		f.Message += ": " + why
	}
	if v.Range != nil {
		f.At = &result.Location{Path: v.Range.Filename, Line: v.Range.Start.Line, Column: v.Range.Start.Column}
	}
	if t.run != "" && f.Severity == result.SevError {
		failRun(&f, t.run)
	}
	s.FindHere(f)
}

// firstSentence returns the first sentence of a text that was wrapped at the terminal's width. A place in it ("at
// main.tf:8,1-11") is removed: it changes when lines are added above, and the message identifies the error in
// later runs.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	_, printed, _ := strings.Cut(text, ". Output:") // a provisioner's command: its last line is kept
	printed = strings.TrimSpace(printed)
	text, _, _ = strings.Cut(strings.Join(strings.Fields(text), " "), ". ")
	text = strings.TrimSuffix(toldPlace().ReplaceAllString(text, ""), ".")
	if printed != "" {
		text += ": " + strings.TrimSpace(printed[strings.LastIndexByte(printed, '\n')+1:])
	}
	return text
}

var toldPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` at [^ ]+:\d+(,\d+)?(-\d+(,\d+)?)?`) })

// terraformBox reads "Error: summary", the place below it, and the text below
// that, in a box or without one:
//
//	Error: Invalid value for variable
//
//	  on main.tf line 1:
//	   1: variable "req" {
//
//	too short
type terraformBox struct {
	open  bool
	below bool     // the summary has ended
	why   []string // the lines of the text's first paragraph
	told  bool     // the first paragraph has ended
	tests terraformTests
}

func (b *terraformBox) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimRight(l.Text, " ")
	if b.tests.line(s, l) {
		b.explain(s)
		b.open = false
		return s.Break()
	}
	switch {
	case text == "╷":
		return true
	case text == "╵":
		b.explain(s)
		b.open = false
		return s.Break()
	case strings.HasPrefix(text, "Plan: ") && strings.Contains(s.In.Shell+strings.Join(s.In.Argv, " "), "-detailed-exitcode"): // exits with 2
		return s.Find(l, result.Finding{Kind: result.GenericFinding, Message: text}) && s.Break()
	}
	inner, boxed := strings.CutPrefix(text, "│")
	if inner = strings.TrimPrefix(inner, " "); !boxed {
		inner = text
	}
	for word, severity := range map[string]result.Severity{"Error: ": result.SevError, "Warning: ": result.SevWarning} {
		if summary, ok := strings.CutPrefix(inner, word); ok {
			b.explain(s)
			s.Find(l, result.Finding{Severity: severity, RawSeverity: strings.ToLower(word[:len(word)-2]), Message: summary})
			*b = terraformBox{open: true, tests: b.tests}
			return true
		}
	}
	if !b.open {
		return s.MisuseIf(l, "Terraform has no command named ")
	}
	f := s.Last()
	if rest, ok := strings.CutPrefix(strings.TrimLeft(inner, " "), "on "); ok && f != nil && f.At == nil {
		if path, after, ok := strings.Cut(rest, " line "); ok {
			n := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
			if n < 0 {
				n = len(after)
			}
			f.At = &result.Location{Path: path, Line: lex.Atoi(after[:n])}
			if _, run, in := strings.Cut(after[n:], `, in run "`); in && f.Severity == result.SevError {
				failRun(f, terraformRunID(path, strings.TrimSuffix(run, `":`)))
			}
		}
	}
	if inner == "" {
		b.below, b.told = true, len(b.why) > 0
	} else if inner[0] != ' ' && !b.below && f != nil {
		f.Message += " " + inner // the summary is wider than the terminal
	} else if inner[0] != ' ' && !b.told {
		b.why = append(b.why[:min(len(b.why), maxWhy)], inner)
	}
	return s.More(l)
}

func (b *terraformBox) end(s *read.Sink) {
	b.explain(s)
	b.tests.name(s)
}

// maxWhy bounds the lines kept of the text's first paragraph.
const maxWhy = 12

// explain appends the first sentence of the text to the summary, which as a rule names only the kind of error.
func (b *terraformBox) explain(s *read.Sink) {
	f := s.Last()
	if why := firstSentence(strings.Join(b.why, "\n")); f != nil && b.open && why != "" {
		f.Message += ": " + why
	}
	b.why = nil
}

// terraformTests reads terraform test's lines about the runs in test files:
//
//	tests/main.tftest.hcl... in progress
//	  run "short"... pass
//	  run "names"... fail
//	Failure! 1 passed, 1 failed.
//
// The error that made a run fail goes to stderr, and names the run unless the error's place is in a module.
type terraformTests struct {
	file   string
	failed []failedRun
}

type failedRun struct {
	id string
	at tool.Line
}

func (t *terraformTests) line(s *read.Sink, l tool.Line) bool {
	rest, run := strings.CutPrefix(l.Text, `  run "`)
	name, word, _ := strings.Cut(rest, `"... `)
	if file, busy := strings.CutSuffix(l.Text, ".tftest.hcl... in progress"); busy {
		t.file = file + ".tftest.hcl"
		return s.Sign(l)
	}
	if counts, ok := strings.CutPrefix(l.Text, "Failure! "); ok || strings.HasPrefix(l.Text, "Success! ") && strings.Contains(l.Text, " passed, ") {
		n := read.Counts(strings.TrimPrefix(counts, "Success! "))
		t.total(s, n["passed"], n["failed"], n["skipped"])
		return s.Close(l)
	}
	if !run || !t.ran(s, terraformRunID(t.file, name), word) {
		return strings.Contains(l.Text, ".tftest.hcl... ") && s.Sign(l)
	}
	if word == "fail" {
		t.failed = append(t.failed, failedRun{terraformRunID(t.file, name), l})
	}
	return s.Sign(l)
}

// ran reports the outcome of a run; it returns false if word is no outcome.
func (t *terraformTests) ran(s *read.Sink, id, word string) bool {
	came, ok := map[string]read.Outcome{"pass": tool.Passed, "fail": tool.Failed, "error": tool.Failed, "skip": tool.Skipped}[word]
	if ok {
		s.Ran(tool.Test{ID: id, Outcome: came})
	}
	return ok
}

func (t *terraformTests) total(s *read.Sink, passed, failed, skipped int) {
	s.Total(failed, map[string]int{"passed": passed, "failed": failed, "skipped": skipped})
	s.Tested = true
}

// name gives a finding to each failed run that no finding names. If there is one such run, the errors that name no
// run become its findings; otherwise each run gets a new finding.
func (t *terraformTests) name(s *read.Sink) {
	t.failed = slices.DeleteFunc(t.failed, func(r failedRun) bool {
		return slices.ContainsFunc(s.Findings, func(f result.Finding) bool { return f.ID == r.id })
	})
	named := false
	for i := range s.Findings {
		if f := &s.Findings[i]; len(t.failed) == 1 && f.ID == "" && f.Severity == result.SevError {
			failRun(f, t.failed[0].id)
			named = true
		}
	}
	for _, r := range t.failed {
		if !named {
			s.Find(r.at, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: r.id, Message: "failed"})
		}
	}
}

// failRun makes an error the failure of a test run.
func failRun(f *result.Finding, id string) {
	f.Kind, f.Severity, f.ID = result.TestFailure, result.SevFailure, id
}

func terraformRunID(file, run string) string { return file + " › " + run }
