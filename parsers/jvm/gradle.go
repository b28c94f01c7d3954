package jvm

import (
	"cmp"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("gradle gradlew | gradlew.bat", func(p *tool.Parser) {
	p.Is("gradle", result.Test, 1, "gradle 4 to 9: tests, javac and kotlinc, what went wrong; console plain and rich")
	p.ColumnUnit, p.Builds = "char", true
	p.Filter = tool.Filter{Flag: "--tests", Spell: gradleFilter}
	p.Files = []tool.Files{{
		Places: []string{
			"build/test-results/TEST-*.xml", "build/test-results/*/TEST-*.xml",
			"*/build/test-results/*/TEST-*.xml", "*/*/build/test-results/*/TEST-*.xml",
		},
		Homes:   []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"},
		Printed: func(line string) (report string, ran bool) { return "", strings.HasPrefix(line, "> Task :") },
	}}
	p.JUnit, p.Supersede = gradleReports, withoutTold
	p.Reads(tool.Format{Name: "text", Starts: []string{"FAILURE: Build failed with an exception.", "FAILURE: Build completed with ", "* What went wrong:", "BUILD SUCCESSFUL in ", "BUILD FAILED in "}, Named: true,
		Parse: parseGradle})
}, tool.WritesFiles)

// gradle reads failed tests, the diagnostics of javac and kotlinc, and the reasons at the end of the output:
//
//	com.acme.AccountTest > adds() FAILED
//	    org.opentest4j.AssertionFailedError at AccountTest.java:13
//	* What went wrong:
//	Execution failed for task ':test'.
//	> There were failing tests. See the report at: …
type gradle struct {
	in    *tool.Input
	javac javac
	text  []string         // the lines of the failed test
	class string           // the class of the failed test
	where *result.Location // the place in the build file
	wrong []tool.Line      // the lines below "* What went wrong:"
	open  section
	began string // the line of the first task with tests; if it follows again with "UP-TO-DATE", no tests ran
}

type section uint8

const (
	outside section = iota
	inTest
	inWhere
	inWrong
	inTry
)

func parseGradle(in *tool.Input) *tool.Report {
	g := &gradle{in: in}
	return read.Text{Line: g.line, Turn: g.closeOpen, End: g.closeOpen, Closes: true}.Parse(in)
}

func (g *gradle) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	if g.open == inTest && (text == "" || strings.HasPrefix(text, "    ")) {
		said := gradleFrame(strings.Clone(strings.TrimSpace(text)))
		if n := len(g.text); n > 0 && g.text[n-1] == "Caused by:" {
			g.text[n-1] += " " + said
		} else {
			g.text = append(g.text, said)
		}
		return s.More(l)
	}
	switch {
	case strings.HasPrefix(text, "* "):
		g.heading(s, l, text)
	case g.open == inWhere && text != "":
		g.where = read.PlaceOf(strings.Replace(behind(text, " '"), "' line: ", ":", 1)) // "Build file '/src/build.gradle' line: 1"
	case g.open == inWrong && text != "":
		g.wrong = append(g.wrong, l)
	case strings.HasPrefix(text, "BUILD SUCCESSFUL"), strings.HasPrefix(text, "BUILD FAILED"):
		g.closeOpen(s)
		s.Close(l)
	case strings.HasPrefix(text, "FAILURE: "):
		g.closeOpen(s)
		s.Sign(l)
	case g.open == inTry:
	case strings.HasSuffix(text, " FAILED") && strings.Contains(text, " > ") && !lex.HasAnyPrefix(text, "> ", "    "): // the output of tests is indented
		g.failed(s, l, strings.TrimSuffix(text, " FAILED"))
	case g.ran(s, text):
	case g.count(s, l, text):
	case g.kotlin(s, l, text):
	default:
		if g.open == inTest {
			g.closeOpen(s)
		}
		task := strings.HasPrefix(text, "> Task ") || strings.HasPrefix(text, ":")
		if i := strings.Index(text, "/"); task && text[0] == ':' && i > 0 && !strings.Contains(text[:i], " ") { // gradle 4 ends the line of a task when the task ends: ":compileJava/src/A.java:7: error: …"
			l.Text = text[i:]
			return g.javac.line(s, l) || task
		} else if task {
			g.task(s, text)
		}
		return task || g.javac.line(s, l)
	}
	return true
}

// task reads "> Task :test", before version 5 ":test". Such a task runs tests, unless the line ends with "UP-TO-DATE"
// or a like word. With --info, a line with the word may follow the line without.
func (g *gradle) task(s *read.Sink, text string) {
	if g.began != "" && strings.HasPrefix(text, g.began+" ") && lex.IsOneOf(text[len(g.began)+1:], "UP-TO-DATE NO-SOURCE FROM-CACHE SKIPPED") {
		s.Tested = false
	}
	if !s.Tested && (strings.HasSuffix(text, "Test") || strings.HasSuffix(text, ":test")) {
		s.Tested, g.began = true, strings.Clone(text)
	}
}

// heading reads "* Where:", "* What went wrong:", "* Try:" and others.
func (g *gradle) heading(s *read.Sink, l tool.Line, text string) {
	where := g.where
	g.closeOpen(s)
	switch g.open = inTry; {
	case strings.HasPrefix(text, "* Where:"):
		g.open = inWhere
	case strings.HasPrefix(text, "* What went wrong:"):
		g.where, g.open = where, inWrong
	}
}

// gradleFrame turns "java.io.E at T.java:13" of gradle's short trace into the two lines of a full trace.
func gradleFrame(text string) string {
	thrown, spot, ok := strings.Cut(text, " at ")
	if ok && !strings.Contains(thrown, " ") && !strings.HasSuffix(spot, ")") {
		spot = "(" + spot + ")"
		if lib := "at " + thrown[:strings.LastIndexByte(thrown, '.')+1] + spot; isLibraryFrame(lib) {
			return thrown + "\n" + lib
		}
		return thrown + "\nat " + spot // which package the file is in is not told
	}
	return text
}

func isLibraryFrame(text string) bool { at, ok := frame.JVM(text); return ok && at.External }

func (g *gradle) failed(s *read.Sink, l tool.Line, name string) {
	g.closeOpen(s)
	class, id := gradleTest(name)
	g.class = class
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: id, Name: name})
	g.open, g.text = inTest, nil
}

// gradleTest reads "com.acme.AccountTest > adds()".
func gradleTest(name string) (class, id string) {
	class, method, _ := strings.Cut(name, " > ")
	for strings.HasPrefix(class, "Gradle Test ") || strings.HasPrefix(class, "Gradle suite") {
		class, method, _ = strings.Cut(method, " > ")
	}
	id = class + "." + strings.TrimSuffix(nestedName(method), "()")
	if strings.HasPrefix(method, class) { // a nested class, in full
		id = strings.TrimSuffix(method, "()")
	}
	return class, id
}

// nestedName replaces " > " by a dot, except in the brackets of a test's parameters.
func nestedName(name string) string {
	var b strings.Builder
	for depth, i := 0, 0; i < len(name); i++ {
		switch name[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ' ':
			if depth <= 0 && strings.HasPrefix(name[i:], " > ") {
				b.WriteByte('.')
				i += 2
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// ran reads a test that did not fail, "com.acme.AccountTest > adds() PASSED". Gradle prints these only if
// the build asks for them.
func (g *gradle) ran(s *read.Sink, text string) bool {
	name, word, _ := lex.CutLast(text, " ")
	came := lex.Means(word, "passed: PASSED; skipped: SKIPPED")
	if came == "" || !strings.Contains(name, " > ") || strings.HasPrefix(name, "> ") {
		return false
	}
	g.closeOpen(s)
	_, id := gradleTest(name)
	s.Ran(tool.Test{ID: id, Outcome: read.Outcome(came)})
	return true
}

// count reads "13 tests completed, 9 failed, 1 skipped".
func (g *gradle) count(s *read.Sink, l tool.Line, text string) bool {
	if first, _, _ := strings.Cut(text, " "); !lex.IsDigits(first) || !strings.Contains(text, " completed, ") || !strings.Contains(text, " test") {
		return false // a progress bar has such counts behind the name of a task
	}
	g.closeOpen(s)
	n := read.Counts(text)
	s.Fails(n["failed"])
	s.Count("skipped", n["skipped"])
	s.Count("passed", max(0, n["tests"]+n["test"]-n["failed"]-n["skipped"]))
	s.Tested = true
	return s.Sign(l)
}

// kotlin reads "e: file:///src/A.kt:3:5 Unresolved reference: x" and, before
// Kotlin 1.8, "e: /src/A.kt: (3, 5): Unresolved reference: x".
func (g *gradle) kotlin(s *read.Sink, l tool.Line, text string) bool {
	word, rest, _ := strings.Cut(text, ": ")
	severity := result.Severity(lex.Means(word, "error: e; warning: w"))
	at, message, ok := place.Cut(strings.Replace(strings.TrimPrefix(rest, "file://"), ": (", "(", 1))
	if severity == "" || !ok {
		return false
	}
	s.Find(l, result.Finding{Kind: read.KindOf(severity), Severity: severity, RawSeverity: word, At: &at, Message: message})
	return s.Break()
}

// closeOpen ends the open section: it completes the finding of a failed test, or adds the reason of a failed task.
func (g *gradle) closeOpen(s *read.Sink) {
	switch g.open {
	case inTest:
		if f := s.Last(); f != nil {
			g.explain(f)
		}
		s.Break()
	case inWrong:
		g.reason(s)
	}
	g.open, g.where, g.wrong = outside, nil, nil
}

func (g *gradle) explain(f *result.Finding) {
	text := strings.Split(strings.Join(g.text, "\n"), "\n")
	junit.Explain(g.in, f, text, "", "")
	if f.At == nil { // the short trace has only the file's name
		for _, line := range text {
			if at, ok := frame.JVM(line); ok && strings.HasPrefix(line, "at ") {
				f.At = &result.Location{Path: at.Path, Line: at.Line}
				break
			}
		}
	}
	if f.At != nil && !strings.Contains(f.At.Path, "/") {
		f.At.Function = g.class + "."
		frame.InPackage(f.At)
		f.At.Function = ""
	}
	if f.Message == "" || strings.HasPrefix(f.Message, "failed;") {
		f.Message = cmp.Or(f.Rule, "failed")
	}
}
