package language

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ghdl", func(p *tool.Parser) {
	p.Is("ghdl", result.Build, 1, "GHDL 1 to 5: analysis and elaboration, and what a simulation asserts and reports, without notes")
	p.Reads(tool.Format{Name: "text", Parse: read.Rows{Kind: result.BuildError, Below: read.Indented, Rows: []read.Row{
		{Form: "{path}:{line}:{column}:@{}:({} note): {}", As: read.Skip}, {Form: "{path}:{line}:{column}:@{}:({} {severity}): {message}"},
		{Form: "{path}:{line}:{column}:{severity}: {message}"}, {Form: "{path}:{line}:{column}: {message}"},
		{Form: "{}: compilation error", As: read.Close}, {Form: "{}:error: simulation failed", As: read.Close}, {Form: "{}:error: {} failed", As: read.Skip},
		{Form: "{}:error: {message} at {path}:{line}"}, {Form: "in process {}", As: read.Skip},
	}}.Parse})
})

var _ = Room.Add("iverilog vvp", func(p *tool.Parser) {
	p.Is("iverilog", result.Build, 1, "Icarus Verilog 10 to 13: the compiler, and what a simulation reports")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Kind: result.BuildError, Below: read.Indented, Rows: []read.Row{
		{Form: "{path}:{line}:  : {}", As: read.More}, {Form: "{path}:{line}: {severity}: {message}"}, {Form: "{path}:{line}: sorry: {message}"}, {Form: "{path}:{line}: syntax error", As: read.Fill},
		{Form: "{severity}: {path}:{line}: {message}"}, {Form: "{} error(s) during elaboration.", As: read.Close}, {Form: "I give up.", As: read.Close},
	}}.Parse)})
})

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("vunit", result.Test, 1, "VUnit 4 and 5: the tests of a run, with what GHDL or another simulator asserts")
	p.Reads(tool.Format{Name: "text", Starts: []string{"==== Summary =", "fail (P=", "pass (P="}, Parse: read.Fresh(func(v *vunit) read.Text { return read.Text{Line: v.line, Closes: true} })})
})

// vunit reads the output of a test and its verdict below it:
//
//	Starting lib.tb.counts
//	        50000000 fs - check                -   ERROR - after three clocks - Got 6. Expected 3.
//	/src/tb.vhd:29:9:@0ms:(assertion failure): q is not seven
//	fail (P=1 S=0 F=1 T=5) lib.tb.counts (3.8 seconds)
//	fail 4 of 5
type vunit struct{ f result.Finding }

func (v *vunit) line(s *read.Sink, l tool.Line) bool {
	word, rest, _ := strings.Cut(l.Text, " ")
	came, verdict := map[string]read.Outcome{"pass": tool.Passed, "fail": tool.Failed, "skip": tool.Skipped}[word]
	n, _, counted := strings.Cut(rest, " of ")
	_, said, logged := strings.Cut(l.Text, " - ")
	switch name, began := strings.CutPrefix(l.Text, "Starting "); {
	case began:
		v.f = result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name}
	case verdict && strings.HasPrefix(rest, "(P="):
		if s.Ran(tool.Test{ID: v.f.ID, Outcome: came}); came == tool.Failed {
			v.f.Message = cmp.Or(v.f.Message, "failed")
			s.Find(l, v.f)
		}
		v.f = result.Finding{}
	case verdict && counted && lex.IsDigits(n):
		if s.Count(string(came), lex.Atoi(n)); came == tool.Failed {
			s.Claim(lex.Atoi(n))
		}
		return s.Close(l)
	case verdict, lex.HasAnyPrefix(l.Text, "====", "Total time was ", "Elapsed time was ", "Some failed!", "All passed!"):
	case v.f.ID == "" || v.f.Message != "":
		return v.f.ID != ""
	case logged && (strings.Contains(said, " ERROR - ") || strings.Contains(said, " FAILURE - ")):
		_, v.f.Message, _ = lex.CutLast(" "+strings.Replace(said, "FAILURE - ", "ERROR - ", 1), " ERROR - ")
	default:
		if at, message, ok := place.Cut(l.Text); ok && !at.External && !strings.Contains(at.Path, "/vunit/vhdl/") {
			_, message, _ = strings.Cut(message, "): ")
			v.f.At, v.f.Message = &at, message
		} else if message, at, ok := strings.Cut(l.Text, " at /"); ok && strings.Contains(message, ":error: ") {
			_, v.f.Message, _ = strings.Cut(message, ":error: ")
			path, line, _ := strings.Cut(at, " line ")
			v.f.At = &result.Location{Path: "/" + path, Line: lex.LeadingNumber(line)}
		}
		return true
	}
	return s.Break() && s.Sign(l)
}

var _ = Room.Add("vsg", func(p *tool.Parser) {
	p.Is("vsg", result.Lint, 1, "VHDL Style Guide 3: its table")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Rows{Rows: []read.Row{
		{Form: "File:  {path}", As: read.InPath},
		{Form: "  {rule}  | {severity}  |  {line} | {message}"},
		{Form: "  {rule} | {severity}  |  {line} | {message}"},
		{Form: "Total Violations:  {}", As: read.Close},
	}}.Parse)})
})

var _ = Room.Add("verilator", func(p *tool.Parser) {
	p.Is("verilator", result.Lint, 1, "verilator 4 and 5: --lint-only and builds")
	p.ColumnUnit = "char"
	lower := func(f *result.Finding) { f.RawSeverity = strings.ToLower(f.RawSeverity) }
	p.Reads(tool.Format{Name: "text", Starts: []string{"%Error: ", "%Warning-…: "}, Parse: read.Rows{Kind: result.BuildError, Below: read.Indented, Rows: []read.Row{
		{Form: "%Error: Exiting due to {}", As: read.Close}, {Form: "%Error: Command Failed {}", As: read.Skip}, {Form: "- Verilator:{}", As: read.Skip}, {Form: "- V e r i l a t i o n{}", As: read.Skip},
		{Form: "%{severity}-{rule}: {place} {message}", Fit: lower}, {Form: "%{severity}: {place} {message}", Fit: lower}, {Form: "[{}] %{severity}: {place} {message}", Fit: lower},
		{Form: "%{severity}-{rule}: {message}", Fit: lower}, {Form: "%{severity}: {message}", Fit: lower},
	}}.Parse})
})

var _ = Room.Add("", func(p *tool.Parser) {
	p.Is("cocotb", result.Test, 2, "cocotb 1.6 to 2.1, below any simulator: what its log says of tests")
	p.Matches = func([]string) bool { return false } // make and a simulator run it
	p.Reads(tool.Format{Name: "text", Starts: []string{"0.00ns INFO     cocotb", "** TEST ", "** TESTS="}, Parse: read.Text{Line: cocotbLine, Closes: true}.Parse})
})

// cocotbLine reads a failed test, the traceback that is indented below it, and the counts:
//
//	130.00ns WARNING  cocotb.regression   test_fifo.empties failed
//	** TESTS=4 PASS=1 FAIL=3 SKIP=0                340.00           0.05       6923.93  **
func cocotbLine(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	words := strings.Fields(text)
	switch f := s.Last(); {
	case len(words) == 5 && words[2] == "cocotb.regression" && (words[4] == "failed" || words[4] == "passed"):
		if s.Break(); words[4] == "failed" {
			return s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: words[3], Message: "failed"})
		}
		s.Ran(tool.Test{ID: words[3], Outcome: tool.Passed})
	case len(words) > 4 && strings.HasPrefix(words[1], "TESTS="):
		n := read.CountsBehind(strings.ToLower(strings.ReplaceAll(strings.Join(words[1:5], ", "), "=", ": ")))
		s.Counts, s.Tested = map[string]int{"passed": n["pass"], "failed": n["fail"], "skipped": n["skip"]}, true
		return s.Found(l, n["fail"])
	case len(words) > 2 && strings.HasPrefix(words[2], "cocotb."), strings.HasPrefix(text, "**"), strings.HasPrefix(text, "-.--ns INFO "):
		return s.Break() || s.Sign(l)
	case f != nil && strings.HasPrefix(l.Text, "        "):
		if at, ok := frame.Cut(text); ok && !strings.Contains(at.Path, "site-packages/") {
			f.At = &at
		} else if class, _, _ := strings.Cut(text, ":"); f.Message == "failed" && (strings.HasSuffix(class, "Error") || strings.HasSuffix(class, "Exception")) {
			f.Message = text
		}
		return s.More(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("glslang glslangValidator", func(p *tool.Parser) {
	p.Is("glslang", result.Build, 1, "glslang 11 to 15, Khronos' compiler of shaders")
	p.Reads(tool.Format{Name: "text", Parse: read.IfFound(read.Lines((*glslang).line))})
})

// glslang holds the file whose messages follow: its path stands alone on a line.
type glslang struct{ file string }

// line reads "ERROR: 0:4: 'x' : undeclared identifier", in which 0 stands for the file named above and 4 is the
// line, and "ERROR: t.vert:4: …", the form with an option for Vulkan.
func (g *glslang) line(s *read.Sink, l tool.Line) bool {
	word, rest := read.CutSeverity(l.Text)
	if word == "" || !strings.HasPrefix(l.Text, strings.ToUpper(word)+": ") {
		if message, wrong := strings.CutPrefix(l.Text, "glslangValidator: Error: "); wrong {
			return s.Misuse(l, message)
		}
		g.file = strings.TrimSpace(l.Text)
		return strings.Contains(g.file, ".") && !strings.Contains(g.file, " ")
	}
	f := result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Message: strings.TrimSpace(rest)}
	count, counted, ok := strings.Cut(f.Message, " compilation error")
	if ok && lex.IsDigits(count) && strings.HasPrefix(counted, "s.") {
		return s.Found(l, lex.Atoi(count))
	}
	where, message, _ := strings.Cut(f.Message, ": ")
	if path, line, placed := place.CutLineNumber(where); placed {
		if lex.IsDigits(path) && g.file != "" {
			path = g.file
		}
		f.At, f.Message = &result.Location{Path: path, Line: line}, strings.TrimSpace(message)
	}
	return s.Find(l, f)
}

var _ = Room.Add("swift swiftc xcodebuild swiftlint | swift-format", func(p *tool.Parser) {
	p.Is("swift", result.Build, 1, "swiftc, swift build and test (XCTest, Swift Testing), xcodebuild, SwiftLint: from their documentation")
	p.ColumnUnit = "char"
	p.Reads(tool.Format{Name: "text", Starts: []string{"Test Case '", "Test Suite 'All tests' ", "✘ Test ", "􀢄  Test ", "** BUILD FAILED **", "** TEST FAILED **"}, Named: true, Parse: parseSwift})
})

// swift reads the compiler's diagnostics, below which the source is shown with the message once more, and the
// failures of XCTest and Swift Testing:
//
//	/src/a.swift:3:9: error: cannot convert value of type 'String'
//	 3 | let x: Int = "a"
//	   |              `- error: cannot convert value of type 'String'
//	/src/T.swift:8: error: CartTests.testAdds : XCTAssertEqual failed: ("3") is not equal to ("4")
//	✘ Test adds() recorded an issue at T.swift:8:5: Expectation failed: (a → 1) == (b → 2)
type swift struct{ seen map[string]bool } // places and messages of the diagnostics that were read

func parseSwift(in *tool.Input) *tool.Report {
	w := &swift{seen: map[string]bool{}}
	return read.Text{Line: w.line, End: read.UnseenTests}.Parse(in)
}

func (w *swift) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimRight(l.Text, " ")
	d, ok := read.CutDiagnostic(t)
	switch {
	case w.testing(s, l, t), w.closes(s, l, t):
	case ok && d.Word == "note" && s.Last() != nil:
		s.Last().Related = append(s.Last().Related, result.Related{Message: d.Message, At: &d.At})
		s.More(l)
	case ok && (d.Word == "error" || d.Word == "warning"):
		w.diagnostic(s, l, d)
	case ok && strings.HasPrefix(d.Message, "Fatal error: "):
		s.Find(l, result.Finding{Kind: result.Panic, Rule: "Fatal error", Message: strings.TrimPrefix(d.Message, "Fatal error: "), At: &d.At})
	case strings.HasPrefix(t, "error: "):
		if message := t[len("error: "):]; message != "fatalError" || s.Failures() == 0 {
			s.Find(l, result.Finding{Kind: result.BuildError, Message: message})
		}
	case s.Last() != nil && strings.Contains(t[:min(len(t), 10)], "|"), s.Last() != nil && strings.HasPrefix(t, "    "):
		s.More(l)
	default:
		s.Break()
		return false
	}
	return true
}

// diagnostic adds a diagnostic. XCTest puts the test before " : ", SwiftLint its rule in brackets at the end. A file
// that two modules compile is reported twice, and added once.
func (w *swift) diagnostic(s *read.Sink, l tool.Line, d read.Diagnostic) {
	key := d.At.String() + d.Message
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	f := result.Finding{Kind: read.KindOf(read.SeverityOf(d.Word)), Severity: read.SeverityOf(d.Word), RawSeverity: d.Word, Message: d.Message, At: &d.At}
	test, message, ok := strings.Cut(d.Message, " : ")
	if test = strings.NewReplacer("-[", "", "]", "").Replace(test); ok && d.At.Column == 0 && strings.Count(test, " ") < 2 {
		test = strings.Replace(test, " ", ".", 1)
		f = result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: test, Name: test, Message: message, At: &d.At}
		if actual, expected, has := strings.Cut(message, `") is not equal to ("`); has {
			_, f.Actual, _ = strings.Cut(actual, `("`)
			f.Expected, _, _ = strings.Cut(expected, `")`)
		}
		s.Tested = true
	} else {
		f.Message, f.Rule = read.Parens.Cut(d.Message)
		if strings.Contains(f.Rule, "'") || !strings.Contains(f.Message, " Violation: ") {
			f.Message, f.Rule = d.Message, ""
		}
	}
	s.Find(l, f)
}

// testing reads an issue of Swift Testing, "✘ Test adds() recorded an issue at T.swift:8:5: …".
func (w *swift) testing(s *read.Sink, l tool.Line, t string) bool {
	_, rest, ok := strings.Cut(t, " Test ")
	if !ok || !strings.HasPrefix(t, "✘ ") && !strings.HasPrefix(t, "􀢄 ") {
		return false
	}
	name, spot, recorded := strings.Cut(rest, " recorded an issue at ")
	if before, after, has := strings.Cut(rest, " recorded an issue with "); has && !recorded { // "with 1 argument a → 1 at T.swift:8:5: …"
		if _, place, at := strings.Cut(after, " at "); at {
			name, spot, recorded = before, place, true
		}
	}
	if !recorded {
		return strings.Contains(rest, " failed after ") && w.closes(s, l, t) || true
	}
	at, message, placed := place.Cut(spot)
	name, _, _ = strings.Cut(name, " (aka '")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.Trim(name, `"`), Name: strings.Trim(name, `"`), Message: strings.TrimPrefix(message, "Expectation failed: ")}
	if placed {
		f.At = &at
	}
	s.Find(l, f)
	s.Tested = true
	return true
}

// closes reads "Executed 3 tests, with 2 failures (0 unexpected) in 0.002 seconds", which is printed for each suite
// and last for the whole run, and "Test run with 3 tests failed after … with 2 issues."
func (w *swift) closes(s *read.Sink, l tool.Line, t string) bool {
	text := strings.TrimSpace(t)
	switch {
	case strings.HasPrefix(text, "Executed ") && strings.Contains(text, " test"):
		n := read.Counts(strings.Replace(text, "with ", "", 1))
		failed, all := n["failures"]+n["failure"], n["tests"]+n["test"]
		s.Counts["passed"], s.Counts["failed"] = max(0, all-failed), failed
		return s.Ended(l)
	case strings.Contains(text, "Test run with ") && strings.Contains(text, " after "):
		return s.Ended(l)
	case strings.HasPrefix(text, "** ") && strings.HasSuffix(text, " **"):
		return s.Close(l)
	}
	return false
}
