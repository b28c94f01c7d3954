package jstest

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/jserror"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jest | react-scripts craco jest-cli", func(p *tool.Parser) {
	p.Is("jest", result.Test, 2, "jest 27 to 30: the default, verbose and summary reporters, --json")
	p.ColumnUnit = "utf16"
	p.Matches = func(argv []string) bool {
		return lex.IsOneOf(argv[0], "jest jest-cli") || lex.IsOneOf(argv[0], "react-scripts craco") && slices.Contains(argv, "test")
	}
	p.Filter = tool.Filter{Flag: "-t", Spell: read.FullName, Again: again("-t", titleJoint, "--selectProjects")}
	p.Files = []tool.Files{{
		Flags:     tool.ReportFlags("--outputFile"),
		Variables: []string{"JEST_JUNIT_OUTPUT_FILE", "JEST_JUNIT_OUTPUT_NAME"}, Folders: []string{"JEST_JUNIT_OUTPUT_DIR"},
		Shared: true, Printed: func(line string) (report string, ran bool) { return "", strings.HasPrefix(line, "Test Suites: ") },
	}}
	p.JUnit = jestReports
	p.Reads(tool.Format{Name: "json", Starts: []string{`{"numFailedTestSuites":`, `{"numFailedTests":`, `"numFailedTestSuites":`}, Parse: jestJSON})
	p.Reads(tool.Format{Name: "text", Prints: jestPrints, Starts: []string{"Test Suites: ", "● Test suite failed to run", "●  process.exit called"}, Sniff: isJestLine, Parse: jestText})
	p.Reads(tool.Format{Name: "messages", Parse: jestText})
}, tool.WritesFiles)

func isJestLine(line string) bool {
	rest, counted := strings.CutPrefix(strings.TrimSpace(line), "Test Suites: ")
	return !counted || strings.HasSuffix(strings.TrimSpace(rest), " total")
}

func jestText(in *tool.Input) *tool.Report {
	j := &jest{named: isNamed(in, "jest", "react-scripts", "craco")}
	rep := read.Text{Line: j.line, End: j.ended, Closes: true}.Parse(in)
	if rep == nil || rep.Complete {
		return rep
	}
	died, usage := nodeCrash(in), rep.Meaning == result.MeansUsage
	if usage && died != nil {
		return died
	}
	rep.Complete = usage || j.exited // it ends there, without counts
	return endedBy(died, rep)
}

// isNamed reports whether the command runs one of these programs.
func isNamed(in *tool.Input, programs ...string) bool {
	return isNamedBy(in, tool.Runs(programs...))
}

// isNamedBy reports whether the command runs the program, or a runner showed a command that does.
func isNamedBy(in *tool.Input, is func(argv []string) bool) bool {
	c := in.Command()
	if len(c.Argv) > 0 && is(c.Argv) || len(in.Echoed()) > 0 && is(in.Echoed()) {
		return true
	}
	return slices.ContainsFunc(c.Listed, func(l tool.Command) bool { return len(l.Argv) > 0 && is(l.Argv) })
}

// jest reads jest's text. A file begins with "FAIL path", with a block below for each failure: "  ● suite › test"
// and, indented by four blanks, the reason. With several files, all blocks are repeated below "Summary of all
// failing tests".
type jest struct {
	stream tool.Stream // of the block that is being read
	named  bool
	path   string
	block
	titled bool           // the block's title continues up to an empty line
	quiet  bool           // a block that is no failure: "● Console"
	told   map[string]int // failures so far, by file, id and message
	exited bool           // a test ended the process
	files  map[int]string // by index of the finding: its file, relative to where jest ran
	suites int            // files that failed, by jest's count
	tests  jestTests
}

func (j *jest) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if j.open && l.Stream != j.stream {
		return false
	}
	switch {
	case j.head(s, l):
		return true
	case j.tests.open && j.lists(s, l):
		return true
	case strings.HasPrefix(text, "Summary of all failing tests"):
		j.retell(s)
		j.tests.summary = true
		return s.Cover(l)
	case j.summary(s, l):
		return true
	case strings.HasPrefix(text, "Jest: ") && strings.Contains(text, " threshold "):
		j.uncovered(s, l)
		return true
	case lex.HasAnyPrefix(text, "  ● ", "  ●  ", "● "):
		j.begin(s, l)
		return true
	case j.titled && text != "" && s.Last() != nil && len(s.Last().ID) < 1000 && !jestSays(text):
		f := s.Last()
		f.ID, f.Message = f.ID+"\n"+text, lex.OnOneLine(f.Message+" "+text)
		return s.More(l)
	case j.open && (text == "" || strings.HasPrefix(text, "    ")):
		j.entitle(s)
		j.text.Add(strings.TrimPrefix(text, "    "))
		return s.More(l)
	case j.open && strings.HasPrefix(text, "  ") && !j.quiet:
		j.text.Add(text)
		return s.More(l)
	}
	if j.open {
		j.flush(s)
	}
	if j.suites+len(s.Findings) > 0 && lex.HasAnyPrefix(text, " › ", "Snapshot Summary", "   ↳ ", "   • ", "       • ", "Snapshots: ", "Ran all test suites") {
		return s.Cover(l)
	}
	return j.trouble(s, l)
}

// jestSays reports whether the text of a failure begins, if the program that ran jest dropped the empty line above.
func jestSays(text string) bool {
	_, said, _ := strings.Cut(strings.TrimSpace(text), "Error: ")
	return strings.HasPrefix(text, "    ") && (said != "" || lex.HasAnyPrefix(text, "    expect(", "    thrown: "))
}

// lists takes a line in the list of a file's tests. The file's own output may precede the list, with a deeper
// indent.
func (j *jest) lists(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case l.Stream != j.tests.stream, strings.HasPrefix(text, "  ● "), strings.HasPrefix(text, "  ●  "):
		return false
	case j.open && (!j.quiet || text == "" || strings.HasPrefix(text, "    ")):
		return false
	case j.open:
		j.flush(s)
	}
	return j.tests.line(s, l)
}

// uncovered reads a coverage threshold that was not met, in the form of jest 30 and in the older one:
//
//	Jest: Coverage for lines (14.28%) does not meet "global" threshold (95%)
//	Jest: "./src/" coverage threshold for lines (95%) not met: 14.28%
func (j *jest) uncovered(s *read.Sink, l tool.Line) {
	j.flush(s)
	message := strings.TrimPrefix(l.Text, "Jest: ")
	_, measure, ok := strings.Cut(message, " threshold for ")
	if !ok {
		measure = strings.TrimPrefix(message, "Coverage for ")
	}
	measure, _, _ = strings.Cut(measure, " ")
	s.Find(l, result.Finding{Rule: measure, Message: message})
	s.Break()
}

// head reads "FAIL path (6.2 s)", "PASS path", and the heading of a file's errors by the reporter for GitHub.
func (j *jest) head(s *read.Sink, l tool.Line) bool {
	if path, grouped := strings.CutPrefix(l.Text, "::group::Errors thrown in "); grouped {
		j.retell(s)
		j.path = path
		return s.Sign(l)
	}
	rest, fails := strings.CutPrefix(strings.TrimSpace(l.Text), "FAIL ")
	if !fails {
		if rest, fails = strings.CutPrefix(l.Text, "PASS "); !fails {
			return false
		}
	} else if strings.HasPrefix(l.Text, "  ") {
		return false
	}
	if i := strings.LastIndex(rest, " ("); i > 0 && strings.HasSuffix(rest, "s)") {
		rest = rest[:i]
	}
	project, path := cutProject(rest)
	if !jserror.IsScript(path) {
		return false
	}
	j.flush(s)
	j.path = path
	j.tests.begin(s, l, project, path)
	return true
}

// cutProject splits off the name of a project, which precedes the path if there are several projects. A path
// contains a slash, perhaps before a blank.
func cutProject(text string) (project, path string) {
	words := strings.Split(strings.TrimSpace(text), " ")
	i := len(words) - 1
	for at := i; at >= 0; at-- {
		if strings.ContainsAny(words[at], `/\\`) {
			i = at
			break
		}
	}
	return strings.TrimSpace(strings.Join(words[:i], " ")), strings.Join(words[i:], " ")
}

// summary reads the counts and the closing line.
func (j *jest) summary(s *read.Sink, l tool.Line) bool {
	name, rest, ok := strings.Cut(l.Text, ":")
	switch {
	case ok && (name == "Tests" || name == "Test Suites") && strings.Contains(rest, " total"):
		j.flush(s)
		s.Sign(l)
		s.Tested = true
		counts := read.Counts(rest)
		if name == "Test Suites" {
			j.suites = counts["failed"]
			s.Claim(j.suites) // each has at least one failure, even if none of its tests ran
			return true
		}
		delete(counts, "total")
		s.Claim(-min(counts["failed"], j.suites))
		s.Scores(counts, "")
	case strings.HasPrefix(l.Text, "Time:  "):
		j.flush(s)
		s.Close(l)
	case strings.HasPrefix(l.Text, "No tests found, exiting with code "):
		s.NoTests = true
		s.Find(l, result.Finding{Message: "No tests found"})
		s.Close(l)
		s.Meaning = result.MeansNoTests
	default:
		return false
	}
	return true
}

// trouble reads what jest says when it cannot begin: an error with a stack in
// which jest is, on stderr and before anything else. A hook around all tests may fail at the end, too:
//
//	Error: Jest: Got error running globalTeardown - /src/teardown.js, reason: the server does not stop
func (j *jest) trouble(s *read.Sink, l tool.Line) bool {
	f := s.Last()
	if f != nil && f.Kind == result.Diagnostic {
		jserror.More(f, l.Text)
		return s.More(l)
	}
	class, text := jserror.CutClass(l.Text)
	if hook, why, ok := strings.Cut(text, ", reason: "); ok && strings.HasPrefix(hook, "Jest: Got error running global") {
		hook, path, _ := strings.Cut(strings.TrimPrefix(hook, "Jest: "), " - ")
		return s.Find(l, result.Finding{Rule: class, Message: hook + ": " + why, At: &result.Location{Path: path}})
	}
	if !j.named || s.Signed || len(s.Findings) > 0 || l.Stream != tool.Stderr && l.Start > 0 {
		return false
	}
	if text == l.Text || text == "" {
		return false
	}
	return s.Refuse(l, result.Finding{Rule: class, Message: text})
}

// block is the text of a failure, which goes on until its runner's next line.
type block struct {
	open bool
	text jserror.Text
}

// end closes the block, and returns the failure and its lines; nil if none was open, or it is only counted.
func (b *block) end(s *read.Sink) (f *result.Finding, lines []string) {
	if b.open {
		f = s.Last()
	}
	lines = b.text.Lines
	*b = block{}
	s.Break()
	return f, lines
}
