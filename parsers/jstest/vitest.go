package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/read/tap"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("vitest", func(p *tool.Parser) {
	p.Is("vitest", result.Test, 2, "vitest 0.34 to 4.1: every reporter that tells failures below \"Failed Tests\", json, github-actions")
	p.ColumnUnit = "utf16"
	p.Filter = tool.Filter{Flag: "-t", Spell: read.FullNameLoosely, Again: again("-t", vitestJoint, "--project")}
	p.Files = []tool.Files{{
		Flags:  tool.ReportFlags("--outputFile", "--outputFile.junit", "--outputFile.json"),
		Shared: true, Printed: func(line string) (report string, ran bool) { return "", strings.HasPrefix(line, " Test Files  ") },
	}}
	p.JUnit = vitestReports
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"numTotalTestSuites":`}, Parse: vitestJSON})
	p.Reads(tool.Format{Name: "tap", Parse: notNodes(read.Fitted(tap.TestsJoined(vitestJoint), inFile))})
	p.Reads(tool.Format{Name: "text", Prints: vitestPrints, Starts: []string{"Test Files  ", "⎯⎯… Failed Tests ", "⎯⎯… Failed Suites ", "Vitest caught ", "No test files found, exiting with code "}, Parse: vitestText})
	p.Reads(tool.Format{Name: "messages", Parse: vitestText})
}, tool.WritesFiles)

// vitestJoint separates the file, the titles of suites and the title of the test in an id.
const vitestJoint = " > "

func vitestText(in *tool.Input) *tool.Report {
	v := &vitest{named: isNamed(in, "vitest")}
	rep := read.Text{Line: v.line, End: v.end, Closes: true}.Parse(in)
	if rep != nil && (rep.Meaning != "" || len(rep.Findings) > 0 && onlyAnnotates(in.Command().Argv)) {
		rep.Complete = true
	}
	return rep
}

// onlyAnnotates reports whether the only reporter is the one for GitHub's log, which has no closing line.
func onlyAnnotates(argv []string) bool {
	reporters := 0
	for _, arg := range argv {
		if strings.HasPrefix(arg, "--reporter") {
			reporters++
		}
	}
	return reporters == 1 && slices.Contains(argv, "--reporter=github-actions")
}

// vitest reads the text. Below a horizontal rule, "⎯⎯⎯ Failed Tests 8 ⎯⎯⎯", each failure has a head for every test
// that failed in this way, " FAIL  path > suite > test", and ends with another rule.
type vitest struct {
	named   bool
	stream  tool.Stream // the stream of the failures; the summary may be on the other
	heads   []int       // indexes of the findings that text is about
	text    jserror.Text
	section string // the title of the last rule
	tests   vitestTests
	failed  int  // number of failed tests, by the summary
	claimed int  // number of failed tests, by the rules
	none    bool // there are no tests, by the summary
	errors  int  // number of errors outside of tests, by the summary
	other   int  // number of suites and unhandled errors, by the rules
}

func (v *vitest) line(s *read.Sink, l tool.Line) bool {
	text := strings.TrimSpace(l.Text)
	switch {
	case strings.HasPrefix(text, "⎯⎯"):
		v.rule(s, l, strings.TrimSpace(strings.Trim(text, "⎯")))
		return true
	case strings.HasPrefix(text, "FAIL  ") && (v.section != "" || s.In.Headless && strings.Contains(text, " > ")):
		if v.section == "" { // the rule above it was cut off
			v.section, v.stream = "Failed", l.Stream
		}
		v.head(s, l, text[len("FAIL  "):])
		return true
	case v.summary(s, l, text):
		return true
	case v.named && strings.HasPrefix(l.Text, "ERROR: ") && coverageLine(s, l):
		return s.Break()
	case len(v.heads) > 0 && l.Stream == v.stream:
		v.text.Add(l.Text)
		return s.More(l)
	case strings.HasPrefix(text, "Vitest caught "):
		v.other += lex.LeadingNumber(text[len("Vitest caught "):])
		return s.Sign(l)
	case l.Stream == tool.Stdout && (v.section == "" || v.stream != tool.Stdout) && v.tests.line(s, l):
		return s.Cover(l)
	case strings.HasPrefix(text, "error during close "): // thrown by the teardown that global setup returned; alone, it fails no run
		v.stream = l.Stream
		s.Find(l, result.Finding{Kind: result.Diagnostic, Severity: result.SevWarning, Message: "error during close"})
		v.heads = []int{len(s.Findings) - 1}
		v.text.Add(text[len("error during close "):])
		return true
	case strings.HasPrefix(text, "::error file=") && strings.Contains(text, ",title="):
		return v.annotation(s, l, text)
	}
	return v.trouble(s, l, text)
}

// rule takes "⎯⎯⎯ Failed Tests 8 ⎯⎯⎯", which ends the text above it.
func (v *vitest) rule(s *read.Sink, l tool.Line, title string) {
	v.flush(s)
	v.stream = l.Stream
	s.Sign(l)
	words := strings.Fields(title)
	switch {
	case v.section == "" && isVitestEnd(title): // the lines above were cut off
		v.section = "Failed"
	case strings.HasPrefix(title, "Failed "):
		v.section = title
		if n := lex.LeadingNumber(words[len(words)-1]); words[1] == "Tests" {
			v.claimed += n
		} else {
			v.other += n
		}
	case title == "Startup Error", strings.HasPrefix(title, "Unhandled ") && title != "Unhandled Errors", lex.IsOneOf(strings.ReplaceAll(title, " ", "-"), "Uncaught-Exception Unhandled-Error Test-Run-Error Typecheck-Error"):
		v.section = title
		kind := result.TestFailure
		if title == "Startup Error" {
			kind, s.Meaning = result.Diagnostic, result.MeansUsage
		}
		s.Find(l, result.Finding{Kind: kind, Severity: result.SevError, Message: title})
		v.heads = []int{len(s.Findings) - 1}
	}
}

// isVitestEnd reports whether a rule ends a failure: "[7/8]" ends the seventh of eight.
func isVitestEnd(title string) bool {
	inner, open := strings.CutPrefix(title, "[")
	inner, shut := strings.CutSuffix(inner, "]")
	at, of, ok := strings.Cut(inner, "/")
	return open && shut && ok && lex.IsDigits(at) && lex.IsDigits(of)
}

// head takes " FAIL  path > suite > test" and " FAIL  path [ path ]".
func (v *vitest) head(s *read.Sink, l tool.Line, id string) {
	if len(v.text.Lines) > 0 {
		v.flush(s)
	}
	project, id := cutVitestProject(id)
	path, _, _ := strings.Cut(id, " > ")
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Message: "failed"}
	if before, _, whole := strings.Cut(id, " [ "); whole && strings.HasPrefix(v.section, "Failed Suites") {
		path, f.Severity = before, result.SevError
		f.ID = path
		s.Unread("a file of tests did not run to its end: " + v.tests.under + path)
	}
	if strings.HasPrefix(v.section, "Failed Suites") {
		s.NoTest(v.tests.under + f.ID)
	} else {
		file, name, _ := strings.Cut(id, vitestJoint)
		id = vitestFileID(s, project, v.tests.under+file) + vitestJoint + name
		v.tests.heads = append(v.tests.heads, [2]string{id, v.tests.under + f.ID})
	}
	f.At = &result.Location{Path: path}
	s.Find(l, f)
	s.Sign(l)
	v.heads = append(v.heads, len(s.Findings)-1)
}

// inFile gives a failure without a place the file with which its id begins.
func inFile(f *result.Finding) {
	if path, _, _ := strings.Cut(f.ID, vitestJoint); f.At == nil && jserror.IsScript(path) {
		f.At = &result.Location{Path: path}
	}
}

// flush completes the findings that the text is about.
func (v *vitest) flush(s *read.Sink) {
	for _, i := range v.heads {
		if i < 0 || i >= len(s.Findings) {
			continue
		}
		f := &s.Findings[i]
		f.Detail = ""
		title := f.Message
		jestExplain(f, v.text.Lines)
		f.Message = strings.TrimPrefix(f.Message, "Unknown Error: ") // the thrown value is not an Error
		f.At = fromServer(s.In.Workspace, f.At)
		v.tests.move(f)
		if f.ID == "" && f.Message != title {
			f.Message = title + ": " + f.Message
		}
	}
	v.heads, v.text = nil, jserror.Text{}
	s.Break()
}

// fromServer returns a place that opens from the root of the project: for a file that it cannot parse, vite prints
// the address on its server, "/src/a.js".
func fromServer(ws result.Workspace, at *result.Location) *result.Location {
	if at == nil || !strings.HasPrefix(at.Path, "/") {
		return at
	}
	if _, external := ws.Path(at.Path); !external || strings.HasPrefix(at.Path, "/@") || strings.Contains(at.Path, "/node_modules/") {
		return at
	}
	moved := *at
	moved.Path = strings.TrimPrefix(at.Path, "/")
	return &moved
}

// summary reads the lines of the summary, "Tests  1 failed | 2 passed (3)".
func (v *vitest) summary(s *read.Sink, l tool.Line, text string) bool {
	name, rest, ok := strings.Cut(text, "  ")
	switch {
	case ok && name == "Tests" && strings.HasPrefix(strings.TrimLeft(l.Text, " "), "Tests  "):
		v.flushOn(s, l)
		s.Sign(l)
		s.Tested = true
		for word, n := range read.Counts(strings.NewReplacer("|", ",", " expected fail", " xfailed").Replace(rest)) {
			s.Count(word, n)
		}
		v.failed = s.Counts["failed"]
		v.none = strings.TrimSpace(rest) == "no tests"
	case ok && name == "Test Files" && strings.Contains(rest, "("), ok && name == "Errors" && strings.Contains(rest, " error"):
		v.flushOn(s, l)
		if s.Sign(l); name == "Errors" {
			v.errors = lex.LeadingNumber(strings.TrimSpace(rest))
		}
	case ok && name == "Snapshots", ok && name == "Start at" && s.Tested: // covered, so that the summary is one span
		s.Cover(l)
	case ok && name == "Duration" && s.Tested:
		s.Close(l)
	case strings.HasPrefix(text, "No test files found, exiting with code "):
		s.Find(l, result.Finding{Message: "No test files found"})
		s.NoTests, s.Meaning = true, result.MeansNoTests
		s.Close(l)
	default:
		return false
	}
	return true
}

// flushOn calls flush if the line is on the stream of the failures.
func (v *vitest) flushOn(s *read.Sink, l tool.Line) {
	if l.Stream == v.stream {
		v.flush(s)
	}
}

// annotation reads a command for GitHub's log, which may be the only report of a failure.
func (v *vitest) annotation(s *read.Sink, l tool.Line, text string) bool {
	w, ok := read.CutWorkflow(text)
	if !ok {
		return false
	}
	f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, At: &w.At, ID: w.Title, Message: "failed"}
	if _, id, project := strings.Cut(w.Title, "] "); project && strings.HasPrefix(w.Title, "[") {
		f.ID = id // as below "Failed Tests"
	}
	jserror.Explain(&f, strings.Split(w.Message, "\n"))
	return s.Find(l, f)
}

// trouble reads vitest's messages when it cannot begin.
func (v *vitest) trouble(s *read.Sink, l tool.Line, text string) bool {
	if f := s.Last(); f != nil && f.Kind == result.Diagnostic {
		jserror.More(f, text)
		return s.More(l)
	}
	if !v.named || s.Signed || len(s.Findings) > 0 || l.Stream != tool.Stderr {
		return false
	}
	message, ok := lex.CutAnyPrefix(text, "MISSING DEPENDENCY", "CACError: ")
	if message = strings.TrimSpace(message); !ok || message == "" {
		return false
	}
	return s.Refuse(l, result.Finding{Message: message})
}

func (v *vitest) end(s *read.Sink) {
	v.flush(s)
	unexplained(s, v.tests.settle(s))
	if n := max(v.failed, v.claimed) + v.other; n > 0 {
		s.Claimed = n
	} else if len(s.Findings) == 0 && v.errors > 0 {
		s.Claimed = v.errors // errors outside of tests, printed above the beginning of this output
	}
	s.NoTests = s.NoTests || v.none && len(s.Findings) == 0
}

// vitestJSON reads the json reporter, which has the form of jest's.
func vitestJSON(in *tool.Input) *tool.Report {
	return read.JSON{Items: read.Items(func(s *read.Sink, v *testFile) {
		v.findings(s, vitestJoint, true)
	}, "/testResults/*")}.Parse(in)
}
