package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// stopped is a goal that failed, with the reasons in the lines below "Failed to execute
// goal …". They are used if the plugin itself did not print a reason:
//
//	[ERROR] Failed to execute goal …:enforce (x) on project bank:
//	[ERROR] Rule 0: org.apache.maven.enforcer.rules.version.RequireJavaVersion failed with message:
//	[ERROR] Detected JDK version 17.0.15 is not in the allowed range [99,).
//	[ERROR] -> [Help 1]
type stopped struct {
	line    tool.Line
	goal    string
	module  string // " @ shop" in a build of several modules
	why     string
	reasons []string
	lines   []tool.Line // the lines of reasons
	closed  bool        // the last reason was read
	told    bool        // the goal's own output has the reason
}

// maxReasons bounds the lines of reasons and of warnings that are kept.
const maxReasons = 40

// begin takes the beginning of a goal: "surefire:3.5.0:test (default-test) @ shop ---".
func (m *maven) begin(s *read.Sink, goal string) {
	m.told[m.ran] = m.told[m.ran] || s.Failures() > m.known
	m.since, m.warned, m.known = len(m.other), nil, s.Failures()
	m.ran = strings.TrimSuffix(behind(goal, ":"), " ---")
}

// goal reads the line that says which goal stopped the build. It becomes the finding if the plugin itself has none.
func (m *maven) goal(s *read.Sink, l tool.Line, text string) {
	if !m.over { // with -q, no other line marks the end of the build
		m.over, m.before = true, len(m.other)
	}
	goal, why, _ := strings.Cut(strings.TrimPrefix(text, "Failed to execute goal "), ": ")
	if head, closed := strings.CutSuffix(goal, ":"); closed { // the reason is on the next lines
		goal = head
	}
	_, project, _ := strings.Cut(goal, " on project ")
	m.modules.failing = project
	for i := range s.Findings {
		if f := &s.Findings[i]; f.RawSeverity == "info" && strings.Contains(goal, "maven-pmd-plugin") {
			f.Kind, f.Severity = result.BuildError, result.SevError
		}
	}
	w := &stopped{line: l}
	w.goal, _, _ = strings.Cut(strings.TrimPrefix(goal, "on project "), " ")
	w.why, w.closed = cutHelp(strings.TrimSpace(why))
	m.told[m.ran] = m.told[m.ran] || s.Failures() > m.known
	w.told = m.told[strings.Replace(behind(goal, ":"), " on project ", " @ ", 1)] || m.ran == "" && m.stop == nil && len(m.later) == 0 || w.repeats()
	w.module = " @ " + project
	if s.Failures() > m.earlier || m.stop != nil {
		s.Break()
		m.later = append(m.later, w) // after failures, the process of the tests may have crashed
		return
	}
	m.stop = w
	if lex.HasAnyPrefix(w.why, "No tests matching pattern", "No tests were executed") {
		s.Meaning = result.MeansNoTests
		s.NoTests = true
	}
}

// cutHelp splits "-> [Help 1]" from the end of a text.
func cutHelp(text string) (rest string, ok bool) {
	i := strings.LastIndex(text, "-> [Help ")
	if i < 0 {
		return text, false
	}
	return strings.TrimRight(text[:i], " "), true
}

// reason takes a line below "Failed to execute goal …".
func (w *stopped) reason(l tool.Line, text string) bool {
	if w.closed {
		return false
	}
	text, w.closed = cutHelp(text)
	if strings.HasPrefix(text, "To see the full stack trace") {
		w.closed = true
		return false
	}
	if said := strings.TrimSpace(text); said != "" && !isMavenNoise(said) && len(w.reasons) < maxReasons {
		w.reasons, w.lines = append(w.reasons, strings.TrimRight(text, " ")), append(w.lines, l)
	}
	return true
}

// repeats reports whether the goal only says that tests or compiling failed, which the lines above tell.
func (w *stopped) repeats() bool {
	return w.isOfTests() && w.why == "" || lex.HasAnyPrefix(w.why, "There are test failures", "Compilation failure")
}

func (w *stopped) isOfTests() bool {
	return strings.Contains(w.goal, "surefire") || strings.Contains(w.goal, "failsafe")
}

// tell adds the findings of a failed goal. If the goal has no further reasons, the lines that the plugin
// printed, and no reader knows, are added to the message.
func (w *stopped) tell(s *read.Sink, printed []tool.Line) {
	if w.rules(s) || w.files(s) || w.crashed(s) {
		return
	}
	f := result.Finding{Kind: result.BuildError, ID: w.goal + w.module, Message: strings.TrimSuffix(w.why, ":")}
	more := w.reasons
	if len(more) == 0 && !w.isOfTests() {
		if w.listed(s, printed) {
			return
		}
		for _, l := range printed {
			if level, text := cutLevel(l.Text); level != "WARNING" { // warnings do not stop a build; listed has read those of lists
				more = append(more, text)
			}
		}
	}
	if len(more) > 0 {
		f.Detail = lex.JoinBounded(more, 4<<10)
		for _, line := range more[:min(len(more), 4)] {
			said := strings.TrimSpace(line)
			if isThrown(line) {
				_, said, _ = strings.Cut(line, ": ")
			}
			if !strings.HasPrefix(line, "Command was ") && !isTrace(line) && !strings.Contains(f.Message, said) { // a forked Java, with its class path
				f.Message += ": " + strings.TrimSuffix(strings.TrimSpace(line), ":")
			}
		}
		f.Message = strings.TrimPrefix(f.Message, ": ")
		said := map[string]string{}
		for _, line := range more {
			name, value, _ := strings.Cut(line, ": ")
			said[strings.TrimSpace(name)] = value
		}
		if said["Location"] != "" && said["Message"] != "" { // Flyway's script
			file, _, _ := strings.Cut(said["Location"], " (")
			f.Message, f.At = said["Message"], &result.Location{Path: file, Line: lex.Atoi(said["Line"])}
		}
	}
	s.Find(w.line, f)
	s.Break()
}

// end adds findings for the goals that stopped the build, and, if nothing else says why the build failed, for errors
// that no reader knows.
func (m *maven) end(s *read.Sink) {
	m.endFailure(s)
	covered := s.Covered
	defer func() { s.Covered = covered }()                                           // the lines were covered when they were read
	if m.settle(s); m.stop == nil && len(m.later) > 0 && s.Failures() == m.earlier { // the earlier failures are flaky tests, which passed in the end
		m.stop, m.later = m.later[0], m.later[1:]
	}
	m.stopOf(s)
	tested := s.Counts["failed"]+s.Counts["error"] > 0
	for i := range s.Findings {
		switch f := &s.Findings[i]; {
		case f.Kind != result.BuildError || f.Severity != result.SevError:
		case i >= m.first && (m.over && !m.failed || m.counted > 0 && strings.HasPrefix(f.Message, "unmappable character")):
			f.Kind, f.Severity = result.Diagnostic, result.SevWarning // the level is ERROR, and the build goes on
		case tested: // an error of the compiler in another module counts, too
			s.Count("error", 1)
		}
	}
	if s.Failures() > m.earlier || !m.failed {
		return
	}
	m.models(s)
}

// stopOf adds findings for the goals that stopped a build and its modules, if no other finding has the reason.
func (m *maven) stopOf(s *read.Sink) {
	defer func() {
		unseen := -m.red // goals whose tests were left out above, by a pipe: those of the modules that ended first
		for _, w := range append([]*stopped{m.stop}, m.later...) {
			if w != nil && w.repeats() && w.isOfTests() {
				unseen++
			}
		}
		for _, w := range m.later {
			if tests := w.repeats() && w.isOfTests(); !w.crashed(s) && (!w.told || tests && unseen > 0) {
				m.tell(s, w, nil)
			} else if !tests {
				continue
			}
			unseen--
		}
	}()
	if m.stop == nil || s.Failures() > m.earlier || m.counted > 0 && m.stop.isOfTests() {
		return
	}
	var printed []tool.Line
	for _, l := range slices.Concat(m.warned, m.other[min(m.since, m.before):m.before]) {
		if _, text := cutLevel(l.Text); !strings.Contains(m.stop.why, strings.TrimSpace(text)) {
			printed = append(printed, l)
		}
	}
	m.tell(s, m.stop, printed)
}

// tell adds the findings of a failed goal, and to one of a program the exception that it threw.
func (m *maven) tell(s *read.Sink, w *stopped, printed []tool.Line) {
	known := len(s.Findings)
	if len(m.modules.dirs) < 2 && !m.modules.many && !strings.Contains(m.in.Shell+strings.Join(m.in.Argv, " "), " -pl ") {
		w.module = ""
	}
	w.tell(s, printed)
	above := strings.Contains(w.why, "See above for the full exception")
	if len(s.Findings) == known+1 && len(m.thrown) > 0 && (above || strings.Contains(w.goal, ":exec-maven-plugin:")) {
		f := &s.Findings[known]
		if m.explainThrown(f); above { // thrown by the plugin, whose sources are elsewhere
			f.At, f.Frames = nil, nil
		}
	}
}

// isThrown reports whether a line begins with the class of an exception and its package:
// "java.lang.IllegalStateException: bad port".
func isThrown(line string) bool {
	class, _, _ := strings.Cut(line, ":")
	return (strings.HasSuffix(class, "Exception") || strings.HasSuffix(class, "Error")) && strings.ContainsAny(class, ".$") && !strings.ContainsAny(class, " \t/")
}

// explainThrown adds to the finding of exec:java the exception that the program threw:
//
//	java.lang.IllegalStateException: bad port
//	    at org.demo.Main.main (Main.java:2)
func (m *maven) explainThrown(f *result.Finding) {
	for i, line := range m.thrown {
		m.thrown[i] = strings.Replace(line, " (", "(", 1)
	}
	junit.Explain(m.in, f, m.thrown, "", "")
}

// models adds findings for errors in the POMs of projects. Maven prints each error twice, with and without the path.
func (m *maven) models(s *read.Sink) {
	lines := m.other[m.before:min(len(m.other), m.before+40)]
	pom, seen := "", []string(nil)
	for _, l := range lines {
		if _, after, ok := strings.Cut(l.Text, "The project "); ok && strings.Contains(after, ") has ") {
			_, after, _ = strings.Cut(after, " (")
			pom, _, _ = strings.Cut(after, ") has ")
		}
	}
	for _, l := range lines {
		_, row := cutLevel(l.Text)
		text, _ := cutHelp(strings.TrimSpace(row))
		text = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(text, "[ERROR] ")), " @")
		if last := s.Last(); last != nil && len(seen) > 0 && strings.HasPrefix(row, "\t") { // more of the message of an exception
			if !strings.Contains(last.Message, text) {
				last.Message = lex.Clip(last.Message + " " + text)
			}
			continue
		}
		if text == "" || strings.HasPrefix(text, "Some problems were encountered while ") || strings.HasPrefix(text, "The build could not read ") || strings.HasPrefix(text, "The project ") && strings.Contains(text, ") has ") {
			continue
		}
		f := mavenError(strings.TrimPrefix(text, "Caused by: "), pom)
		if !slices.ContainsFunc(seen, func(told string) bool { return strings.Contains(told, f.Message) }) {
			s.Find(l, f)
			seen = append(seen, f.Message)
		}
	}
}

// isMavenTrace reports whether a line is of the exception of a failed goal, which -e and -X show.
func isMavenTrace(text string) bool {
	return lex.HasAnyPrefix(text, "    at org.apache.maven.", "    at java", "    at jdk.", "    at org.codehaus.plexus.", "org.apache.maven.", "Caused by: org.apache.maven.", "See ")
}

// isMavenNoise reports whether a line below a failure is Maven's general advice, or the head of a list.
func isMavenNoise(text string) bool {
	return lex.HasAnyPrefix(text, "To see the full stack trace", "Re-run Maven using", "For more information about the errors", "[Help ", "-> [Help", "See ", "Please refer to ",
		"After correcting the problems", "mvn <args>", "  mvn <args>", "Failures:", "Errors:", "There are test failures", "Results:", "Results :")
}
