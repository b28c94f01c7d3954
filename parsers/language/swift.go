package language

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/place"
	"cairn/parsers/tool"
	"cairn/result"
)

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
