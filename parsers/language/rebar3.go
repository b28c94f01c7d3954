package language

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("rebar3 | rebar", func(p *tool.Parser) {
	p.Is("rebar3", result.Build, 1, "rebar3 3.14 to 3.26: compile, eunit, ct, xref, dialyzer")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"===> Verifying dependencies...", "===> Performing EUnit tests...", "===> Running Common Test suites..."}, Named: true, Parse: read.Fresh(func(r *rebar) read.Text { return read.Text{Line: r.line, End: read.TestsClose, Closes: true} })})
})

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("eunit", result.Test, 1, "EUnit of Erlang/OTP with verbose, whatever calls it")
	p.Reads(tool.Format{Name: "text", Starts: []string{"======================== EUnit ========="}, Parse: read.Fresh(func(r *rebar) read.Text { return read.Text{Line: r.line, End: read.TestsClose, Closes: true} })})
})

// rebar reads rebar3's own messages, the compiler's diagnostics, and failed tests: those of EUnit, in rebar3's list
// and in EUnit's own, and those of Common Test.
type rebar struct {
	failing bool   // the lines are below "Failures:"
	pending bool   // the lines are below "Pending:"
	errors  bool   // the last finding is a test in EUnit's own listing
	file    string // that dialyzer's lines are about
}

func (r *rebar) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	if said, ok := strings.CutPrefix(t, "===> "); ok {
		r.says(s, l, said)
		return true
	}
	if r.closes(s, l, t) || r.listed(s, l, t) || r.verbose(s, l, t) || r.commonTest(s, l, t) {
		return true
	}
	if d := (read.Diagnostic{}); r.diagnostic(t, &d) {
		f := result.Finding{Kind: read.KindOf(read.SeverityOf(d.Word)), Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Message: d.Message, At: &d.At}
		if message, ok := strings.CutSuffix(f.Message, " (Xref)"); ok {
			f.Message, f.Rule = message, "Xref"
		}
		return s.Find(l, f)
	}
	if r.dialyzed(s, l, t) {
		return true
	}
	if f := s.Last(); f != nil && t != "" {
		if f.Kind == result.TestFailure {
			r.reason(f, strings.TrimSpace(t))
		}
		f.Message = cmp.Or(f.Message, t)
		return s.More(l)
	}
	return false
}

func (r *rebar) diagnostic(t string, d *read.Diagnostic) (ok bool) {
	d.At, d.Message, ok = place.Cut(t)
	return ok && isErlang(d) && d.Message != ""
}

// dialyzed reads what dialyzer found, below the name of the file. rebar3 fails for it.
//
//	src/kv.erl
//	Line 17 Column 5: Call to missing or unexported function io_lib:fromat/2
func (r *rebar) dialyzed(s *read.Sink, l tool.Line, t string) bool {
	if !strings.Contains(t, " ") && (strings.HasSuffix(t, ".erl") || strings.HasSuffix(t, ".hrl")) {
		r.file = strings.Clone(t)
		return s.Sign(l)
	}
	where, message, ok := strings.Cut(t, ": ")
	words := strings.Fields(where)
	if !ok || r.file == "" || len(words) < 2 || words[0] != "Line" || !lex.IsDigits(words[1]) {
		return false
	}
	at := result.Location{Path: r.file, Line: lex.Atoi(words[1])}
	if len(words) == 4 && words[2] == "Column" {
		at.Column = lex.Atoi(words[3])
	}
	return s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: result.SevError, Message: message, At: &at})
}

// rebarNoise begins lines that name a step, or close the run and repeat what was reported before.
var rebarNoise = []string{"Verifying dependencies", "Analyzing applications", "Compiling ", "Performing EUnit tests", "Running ", "Fetching ", "Error running tests", "Failures occurred running tests", "Resolving ", "Updating ", "Dialyzer starting", "Adding ", "Doing ", "Checking ", "Building ", "Copying ", "Writing ", "Warnings written "}

// says reads rebar3's own message, the text behind "===> ".
func (r *rebar) says(s *read.Sink, l tool.Line, said string) {
	s.Sign(l)
	s.Break()
	r.failing, r.pending = false, false
	for _, p := range rebarNoise {
		if strings.HasPrefix(said, p) && (!strings.HasSuffix(said, " failed") || p != "Compiling ") {
			s.Tested = s.Tested || strings.HasPrefix(said, "Performing EUnit tests")
			return
		}
	}
	switch at, message, placed := place.Cut(said); {
	case strings.HasSuffix(said, " is missing description entry"), strings.HasPrefix(said, "Compiling ") && strings.HasSuffix(said, " failed"): // the compiler's own lines follow
	case placed:
		word, message := read.CutSeverity(message)
		message, rule := read.Parens.Cut(message)
		s.Find(l, result.Finding{Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message, At: &at})
	case strings.HasPrefix(said, "Warnings occurred running ") && len(s.Findings) > 0: // they are told
	case lex.HasAnyPrefix(said, "Failed ", "Warnings occurred running ") || strings.Contains(said, " failed") || strings.Contains(said, "not found") || strings.Contains(said, "rror") || strings.Contains(said, "No project") || strings.Contains(said, "Unable to"):
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: said})
		if strings.HasPrefix(said, "Command ") {
			s.Meaning = result.MeansUsage
		}
	}
}

// closes reads "6 tests, 4 failures", "Failed: 4.  Skipped: 0.  Passed: 2." and
// "Failed 3 tests. Passed 2 tests."
func (r *rebar) closes(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	n := read.Counts(text)
	switch {
	case strings.HasPrefix(text, "Failed: ") && strings.Contains(text, "Passed: "):
		n = read.CountsBehind(strings.ReplaceAll(text, ".  ", ", "))
		r.count(s, n["passed"], n["failed"], n["skipped"])
	case strings.Contains(text, ": TEST COMPLETE, "):
		r.count(s, n["ok"], n["failed"], n["skipped"])
	case strings.Contains(text, " tests, ") && strings.Contains(text, " failures") && lex.IsDigits(text[:1]):
		r.count(s, n["tests"]-n["failures"]-n["skipped"]-n["cancelled"], n["failures"], n["skipped"])
		if n["cancelled"] > 0 {
			s.Count("cancelled", n["cancelled"])
		}
	case strings.HasPrefix(text, "Failed ") && strings.Contains(text, " tests. "), strings.HasPrefix(text, "All ") && strings.HasSuffix(text, " tests passed."):
		text = strings.ReplaceAll(text, "Failed ", "failed: ")
		failed := lex.LeadingNumber(strings.TrimPrefix(text, "failed: "))
		_, passed, _ := strings.Cut(text, "assed ")
		_, skipped, _ := strings.Cut(text, "kipped ")
		if strings.HasPrefix(text, "All ") {
			failed, passed = 0, text[4:]
		}
		r.count(s, lex.LeadingNumber(passed), failed, lex.LeadingNumber(skipped))
	default:
		return false
	}
	s.Ended(l)
	r.failing = false
	return true
}

func (r *rebar) count(s *read.Sink, passed, failed, skipped int) {
	if s.Closed() {
		return
	}
	s.Scores(map[string]int{"passed": passed, "failed": failed, "skipped": skipped}, "")
}

var _ = Room.Add("erlc escript | erl", func(p *tool.Parser) {
	p.Is("erlc", result.Build, 1, "erlc and escript of Erlang/OTP 22 to 28")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Plain: true, Accept: isErlang, Below: func(_ *read.Sink, l tool.Line) bool {
		return strings.HasPrefix(l.Text, "%  ") || strings.HasPrefix(l.Text, "  ") || strings.HasPrefix(strings.TrimSpace(l.Text), "│")
	}, Other: escriptSays}.Parse})
})

// isErlang reports whether a diagnostic is about a source of Erlang (.erl, .hrl, .yrl, .app.src). "Warning: " is the
// only severity that erlc prints: a message may begin with "syntax error before".
func isErlang(d *read.Diagnostic) bool {
	if message, ok := strings.CutPrefix(d.Message, "Warning: "); ok {
		d.Word, d.Message = "warning", message
	}
	return strings.HasSuffix(d.At.Path, "rl") && strings.Contains(d.At.Path, ".") || strings.HasSuffix(d.At.Path, ".yrl") || strings.HasSuffix(d.At.Path, ".app.src")
}

func escriptSays(s *read.Sink, l tool.Line) bool {
	message, ok := strings.CutPrefix(l.Text, "escript: ")
	if ok { // escript exits with 127 after any failure
		s.Meaning = result.MeansFindings
	}
	return ok && s.Find(l, result.Finding{Kind: result.Panic, Message: message})
}
