package dotnet

import (
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("dotnet msbuild | MSBuild xbuild csc", func(p *tool.Parser) {
	p.Is("dotnet", result.Build, 1, "dotnet build, test, run and format, MSBuild, VSTest: from their documentation")
	p.ColumnUnit = "utf16"
	p.Matches = runsCSharp("dotnet msbuild MSBuild xbuild csc")
	p.Reads(tool.Format{Name: "text", Starts: []string{"MSBUILD : error ", "Build FAILED.", "Failed!  - Failed: ", "Passed!  - Failed: ", "Test summary: total: ", "Unhandled exception. System."}, Named: true,
		Parse: parseDotnet})
})

// dotnet reads MSBuild's diagnostics, which MSBuild repeats at the end, and VSTest's failed tests:
//
//	/src/Program.cs(5,13): error CS0029: Cannot convert … [/src/App.csproj]
//	MSBUILD : error MSB1003: Specify a project or solution file.
//
//	  Failed Ledger.CartTests.Adds [12 ms]
//	  Error Message:
//	   Assert.Equal() Failure: Values differ
//	Expected: 3
//	Actual:   4
//	  Stack Trace:
//	     at Ledger.CartTests.Adds() in /src/CartTests.cs:line 12
type dotnet struct {
	seen map[string]bool // keys of the diagnostics
	part string          // part of a failed test: "message" or "trace"; "" outside

	total bool // below "Total tests: 3": a verbose console prints a line for each count
}

func parseDotnet(in *tool.Input) *tool.Report {
	d := &dotnet{seen: map[string]bool{}}
	return read.Text{Line: d.line, End: read.UnseenTests}.Parse(in)
}

func (d *dotnet) line(s *read.Sink, l tool.Line) bool {
	t := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(t, "[xUnit.net "):
	case d.diagnostic(s, l, t), d.verdict(s, l, t), d.counts(s, l, t):
	case strings.HasPrefix(t, "Unhandled exception. "):
		rule, message, _ := strings.Cut(t[len("Unhandled exception. "):], ": ")
		s.Find(l, result.Finding{Kind: result.Panic, Rule: rule, Message: message})
		d.part = "trace"
	case d.part != "" && s.Last() != nil && t != "":
		d.below(s.Last(), t)
		s.More(l)
	case t == "" && d.part == "trace":
		d.part = ""
	default:
		return false
	}
	return true
}

// diagnostic reads "PLACE: error CODE: text [PROJECT]". PLACE may be the tool or a project if the
// error is not about a source file.
func (d *dotnet) diagnostic(s *read.Sink, l tool.Line, t string) bool {
	for _, word := range [...]string{"error", "warning"} {
		origin, rest, ok := strings.Cut(t, ": "+word+" ")
		code, message, coded := strings.Cut(rest, ": ")
		if !ok || !coded || strings.ContainsAny(code, " ()") || code == "" {
			continue
		}
		if i := strings.LastIndex(message, " ["); i > 0 && strings.HasSuffix(message, "proj]") {
			message = message[:i]
		}
		f := result.Finding{Kind: read.KindOf(read.SeverityOf(word)), Severity: read.SeverityOf(word), RawSeverity: word, Rule: code, Message: message}
		if origin = strings.TrimSpace(origin); strings.HasSuffix(origin, ")") {
			f.At = read.PlaceOf(origin + ": x")
		} else if strings.HasSuffix(origin, "proj") || strings.HasSuffix(origin, ".sln") {
			f.At = &result.Location{Path: origin}
		}
		if key := origin + code + message; !d.seen[key] {
			d.seen[key] = true
			s.Find(l, f)
		}
		d.part = ""
		return s.Break()
	}
	return false
}

// verdict reads a test's outcome: "  Failed NAME [12 ms]" of VSTest, or "failed NAME (12ms)" of
// Microsoft.Testing.Platform. Only a verbose console prints tests that did not fail.
func (d *dotnet) verdict(s *read.Sink, l tool.Line, t string) bool {
	word, name, _ := strings.Cut(t, " ")
	came, from, to := read.Outcome(strings.ToLower(word)), " [", "]"
	platform := string(came) == word
	if platform {
		from, to = " (", "s)"
	}
	i := strings.LastIndex(name, from)
	if i <= 0 || !strings.HasSuffix(name, to) || !lex.IsOneOf(word, "Failed failed Passed passed Skipped skipped") {
		return false
	}
	ms, timed := lex.Millis(strings.TrimPrefix(name[i+len(from):len(name)-1], "< "))
	if name = name[:i]; came != tool.Failed && (!timed || !platform && lex.LeadingBlanks(l.Text) != 2) {
		return false
	}
	s.Ran(tool.Test{ID: name, Outcome: came, DurationMS: ms})
	s.Tested = true
	if came == tool.Failed {
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name})
		if platform {
			d.part = "message"
		}
	}
	return true
}

// below takes a line of a failed test's message or trace.
func (d *dotnet) below(f *result.Finding, t string) {
	at, framed := frame.DotNet(t)
	switch {
	case framed && f.At == nil:
		at.Function = ""
		f.At = &at
	case strings.HasPrefix(t, "at "), d.part == "trace":
	case f.Message == "":
		f.Message = t
	case strings.HasPrefix(t, "Expected: "):
		f.Expected = strings.TrimSpace(t[len("Expected: "):])
	case strings.HasPrefix(t, "Actual: "), strings.HasPrefix(t, "But was: "):
		_, f.Actual, _ = strings.Cut(t, ": ")
		f.Actual = strings.TrimSpace(f.Actual)
	}
}

// counts reads the closing lines of a build and of a run of tests.
func (d *dotnet) counts(s *read.Sink, l tool.Line, t string) bool {
	switch {
	case t == "Error Message:":
		d.part = "message"
	case t == "Stack Trace:":
		d.part = "trace"
	case lex.HasAnyPrefix(t, "Failed!  - ", "Passed!  - ", "Skipped! - ", "Test summary: "):
		_, counts, _ := strings.Cut(strings.Replace(t, "Test summary: ", "- ", 1), "- ")
		s.Scores(read.CountsBehind(counts), "failed: failed; passed: passed, succeeded; skipped: skipped")
		s.Tested, d.part = true, ""
		s.Close(l)
	case strings.HasPrefix(t, "Total tests: "):
		d.total, d.part = true, ""
	case d.total && lex.HasAnyPrefix(t, "Passed: ", "Failed: ", "Skipped: "):
		word, n, _ := strings.Cut(t, ": ")
		s.Count(strings.ToLower(word), lex.LeadingNumber(n))
		s.Tested = true
	case d.total && lex.HasAnyPrefix(t, "Total time: ", "Test execution time: "):
		d.total = false
		s.Close(l)
	case t == "Build FAILED.", t == "Build succeeded.", strings.HasSuffix(t, " Error(s)") && lex.IsDigits(t[:1]), strings.HasSuffix(t, " Warning(s)") && lex.IsDigits(t[:1]):
		d.part = ""
		s.Close(l)
	default:
		return false
	}
	return true
}

var _ = Room.Add("mcs csc | gmcs dmcs", func(p *tool.Parser) {
	p.Is("mcs", result.Build, 1, "Mono's C# compiler 5 and 6, and Roslyn's csc")
	p.ColumnUnit = "char"
	p.Matches = runsCSharp("mcs csc gmcs dmcs")
	p.Reads(tool.Format{Name: "text", Parse: read.Linter{Kind: result.BuildError, Rule: read.Colon, Other: mcsSays,
		Accept: func(d *read.Diagnostic) bool { return d.Word == "error" || d.Word == "warning" }}.Parse})
})

// runsCSharp returns a function that matches a command of one of the programs, but not Chicken Scheme's csc.
func runsCSharp(programs string) func(argv []string) bool {
	scheme := func(arg string) bool {
		return lex.IsOneOf(strings.ToLower(path.Ext(arg)), ".scm .ss .sld .sls")
	}
	return func(argv []string) bool {
		return lex.IsOneOf(argv[0], programs) && (argv[0] != "csc" || !slices.ContainsFunc(argv[1:], scheme))
	}
}

// mcsSays reads diagnostics without a place, and the closing line.
func mcsSays(s *read.Sink, l tool.Line) bool {
	if n, ok := strings.CutPrefix(l.Text, "Compilation failed: "); ok {
		return s.Found(l, lex.LeadingNumber(n))
	}
	if strings.HasPrefix(l.Text, "Compilation succeeded") {
		return s.Close(l)
	}
	word, rest := read.CutSeverity(l.Text)
	message, rule := read.Colon.Cut(rest)
	if word == "" || !strings.HasPrefix(rule, "CS") {
		return false
	}
	return s.Find(l, result.Finding{Kind: result.BuildError, Severity: read.SeverityOf(word), RawSeverity: word, Rule: rule, Message: message})
}
