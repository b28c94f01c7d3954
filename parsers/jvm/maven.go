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

var _ = Room.Add("mvn mvnw mvnd | mvn.cmd mvnw.cmd", func(p *tool.Parser) {
	p.Is("maven", result.Test, 1, "maven 3 and 4: compilers, surefire and failsafe 2.12 to 3.5, checkstyle, pmd and spotbugs plugins, what stops a build")
	p.ColumnUnit, p.Builds = "char", true
	p.Filter = tool.Filter{Flag: "-Dtest=", Spell: surefireTest}
	p.Fails = []string{"[ERROR] Re-run Maven", "[ERROR] To see the full stack trace of the errors", "[ERROR] Failed to execute goal ", "[ERROR] [Help 1]", "[ERROR] Tests run: "}
	p.Files = []tool.Files{{
		Places: []string{
			"target/surefire-reports/TEST-*.xml", "target/failsafe-reports/TEST-*.xml",
			"*/target/surefire-reports/TEST-*.xml", "*/target/failsafe-reports/TEST-*.xml",
			"*/*/target/surefire-reports/TEST-*.xml", "*/*/target/failsafe-reports/TEST-*.xml",
		},
		Homes: []string{"pom.xml"},
		Printed: func(line string) (report string, ran bool) {
			return "", strings.HasPrefix(line, "[INFO] Scanning for projects") || strings.Contains(line, "[INFO]  T E S T S")
		},
	}}
	p.JUnit = mavenReports
	p.Reads(tool.Format{Name: "text", Starts: []string{"[INFO] BUILD ", "[ERROR] Failed to execute goal ", "[INFO] Scanning for projects", "[ERROR] COMPILATION ERROR"}, Named: true, Parse: parseMaven})
}, tool.WritesFiles)

// maven reads Maven's output, in which each line begins with a level in brackets, except for the
// output of tests and traces.
type maven struct {
	in       *tool.Input
	class    string   // the class whose failed tests follow; before surefire 3 their names lack it
	text     []string // the lines below a failed test
	open     bool     // the lines below a failed test are being read
	traced   bool     // and the trace among them has ended
	shown    bool     // and that of a throwable that AssertJ shows in its message
	tests    int
	seen     map[string]bool // keys of the plugins' findings, which are printed twice
	other    []tool.Line     // errors that no reader knows
	over     bool            // the build has ended: the reasons follow
	advised  bool            // and so has Maven's advice
	failed   bool            // Maven says that the build failed
	finished bool            // "Finished at:", above the last line, was read
	before   int             // how many of other were printed while the build ran
	totals   bool            // a total of tests was read
	since    int             // index in other of the first line of the current goal
	warned   []tool.Line     // warnings of the current goal
	stop     *stopped        // the goal that stopped the build
	later    []*stopped      // goals that failed after stop, or after other failures
	modules  modules
	earlier  int         // number of failures before this build
	copies   bool        // the places of duplicated code follow
	thrown   []string    // lines of an exception outside of the tests
	prints   tool.Stream // its stream
	section  mavenSection
	running  int  // modules whose tests run and whose total has not come; several with -T
	asked    bool // a goal prints a list, a tree or a value
	results  mavenResults
	first    int             // index of the first finding of this build
	ran      string          // the current goal, and its module
	old      bool            // surefire is older than 2.20
	known    int             // number of failures before the current goal
	told     map[string]bool // goals with findings of their own
	counted  int             // number of failed tests, by the totals
	red      int             // number of totals with failed tests
	spec     *sbt            // ScalaTest's tests, which its plugin runs
}

// mavenSection is a position in the output of a module's tests. The total is below "Results:"; a line like a total
// above that was printed by a test.
type mavenSection int

const (
	beforeResults mavenSection = iota + 1
	atResults
	afterTotal
)

func parseMaven(in *tool.Input) *tool.Report {
	m := &maven{in: in, seen: map[string]bool{}, told: map[string]bool{}, modules: newModules(), results: newMavenResults()}
	return m.orText(read.Text{Line: m.line, End: m.end, Closes: true}.Parse(in))
}

func (m *maven) line(s *read.Sink, l tool.Line) bool {
	level, rest := cutLevel(l.Text)
	if level == "" && !m.isOld(l.Text) {
		return m.below(s, l)
	}
	m.endFailure(s)
	m.anew(s, rest)
	m.modules.see(rest)
	if level == "INFO" && strings.HasPrefix(rest, "--- ") {
		m.begin(s, rest[len("--- "):])
		m.asked = m.asked || isMavenQuestion(rest)
	}
	switch text := strings.TrimRight(rest, " "); {
	case strings.HasPrefix(text, "BUILD SUCCESS"), strings.HasPrefix(text, "BUILD FAILURE"):
		m.over, m.failed, m.before = true, strings.HasSuffix(text, "FAILURE"), len(m.other)
		s.Sign(l)
	case m.finished && strings.HasPrefix(text, "------------------------------------------------------------------------"):
		s.Close(l)
	case m.over && strings.HasPrefix(text, "Finished at: "):
		m.finished = true
	case strings.HasPrefix(text, "Scanning for projects"), strings.HasPrefix(text, "COMPILATION ERROR"):
		s.Sign(l)
	case strings.Contains(text, "<<< ") && m.failure(s, l, text), strings.HasPrefix(text, "Tests run:") && m.count(s, l, text):
	case text == " T E S T S":
		if m.running++; m.section != atResults {
			m.section = beforeResults
		}
	case level == "" && strings.HasPrefix(text, "Running "):
		m.class = strings.Clone(text[len("Running "):])
	case (text == "Results:" || text == "Results :") && m.running > 0:
		m.running--
		m.section = atResults
	case text == "No tests to run.":
		s.NoTests = s.Counts["passed"]+s.Counts["failed"] == 0
	case m.results.begins(l, text), m.results.see(l, rest, level == "ERROR" && !m.over && !m.totals):
	case m.plugin(s, l, level, text), level == "INFO", level == "DEBUG":
	case level == "WARNING":
		if !m.over && len(m.warned) < maxReasons {
			m.warned = append(m.warned, l)
		}
	case strings.HasPrefix(text, "Failed to execute goal "):
		m.goal(s, l, text)
	case m.stop != nil && m.stop.reason(l, rest), len(m.later) > 0 && m.later[len(m.later)-1].reason(l, rest):
	case text == "":
	case isMavenNoise(text):
		if strings.HasPrefix(text, "[Help ") || strings.HasPrefix(text, "To see the full") {
			m.failed, m.advised = true, text[0] == '['
			s.Close(l) // with -q, this advice is the end of the output
		}
	default:
		if last := s.Last(); last != nil && strings.HasPrefix(text, "  ") {
			symbol(last, text)
			break
		}
		if !lex.HasAnyPrefix(strings.TrimSpace(text), "at ", "... ") { // the frames of an exception whose head a pipe has cut
			m.other = append(m.other, l)
		}
	}
	return true
}

// anew begins another build of the same command, such as "mvn -q checkstyle:check; mvn -q test". It reports
// what stopped the previous build, which is not a reason for this build.
func (m *maven) anew(s *read.Sink, text string) {
	if !(m.over && lex.HasAnyPrefix(text, "Scanning for projects", "COMPILATION ERROR", " T E S T S", "Tests run:") || m.advised && lex.HasAnyPrefix(text, "Scanning for projects", "BUILD ")) {
		return
	}
	m.settle(s)
	if m.stopOf(s); m.failed && s.Failures() == m.earlier {
		m.models(s)
	}
	*m = maven{in: m.in, seen: m.seen, told: map[string]bool{}, known: s.Failures(), modules: newModules(), results: newMavenResults(), earlier: s.Failures(), first: len(s.Findings)}
}

// failure takes the head of a failed test: "com.acme.T.adds -- Time elapsed: 0.2 s <<< FAILURE!", or,
// before surefire 3, "adds  Time elapsed: …" below the class.
func (m *maven) failure(s *read.Sink, l tool.Line, text string) bool {
	if strings.HasPrefix(text, "Tests run:") {
		if _, class, ok := strings.Cut(text, " in "); ok {
			m.class = strings.TrimSpace(class)
			m.results.rerun = m.results.rerun || m.results.ran[m.class]
			m.results.ran[m.class] = true
		}
		return true
	}
	name, rest, ok := strings.Cut(text, "Time elapsed: ")
	if !ok {
		return false
	}
	f := result.Finding{Kind: result.TestFailure, Severity: read.Grade(strings.Contains(rest, "<<< ERROR!")), ID: mavenTest(strings.TrimRight(strings.TrimSuffix(strings.TrimRight(name, " "), "--"), " "), m.class)}
	s.Find(l, f)
	m.modules.found(len(s.Findings) - 1)
	m.open, m.traced, m.shown, m.text = true, false, false, nil
	m.tests++
	return true
}

// mavenTest returns the id of a test, the class and the name, from a head and the class above it.
func mavenTest(name, class string) string {
	if method, of, ok := strings.Cut(name, "("); ok && strings.HasSuffix(of, ")") && strings.Contains(of, ".") && !strings.Contains(of, ",") { // JUnit 4: "adds(com.acme.T)"
		return strings.TrimSuffix(of, ")") + "." + method
	}
	bare := name
	if i := strings.IndexAny(name, "(["); i >= 0 {
		bare = name[:i]
	}
	if class == "TestSuite" && strings.Contains(bare, ".") || strings.HasPrefix(bare, class[strings.LastIndexByte(class, '.')+1:]+".") { // surefire's name for all classes of TestNG; ArchUnit's "LayersTest.naming", as in its report
		return name
	}
	if class == "" || name == class || strings.HasPrefix(name, class+".") || strings.HasPrefix(name, class+"$") || strings.Count(bare, ".") > 1 {
		return name
	}
	if outer := class[:strings.LastIndexByte(class, '.')+1]; outer != "" && strings.HasPrefix(name, outer) {
		return name
	}
	return class + "." + name
}

// below takes a line without a level: of a failed test, below a compiler's error, or of an exception.
func (m *maven) below(s *read.Sink, l tool.Line) bool {
	if m.open {
		n := len(m.text)
		ends := l.Text == "" && n > 0 && lex.HasAnyPrefix(m.text[n-1], "\tat ", "\t... ")
		if ends && !m.shown && slices.Contains(m.text, junit.Shown) {
			ends, m.shown = false, true
		}
		m.traced = m.traced || ends || n > 0 && strings.HasPrefix(m.text[n-1], "Caused by: ") && isStamped(l.Text) // a search may leave out the frames
		if !m.traced && n < 400 {                                                                                  // what the tests that follow print is no part of the failure
			m.text = append(m.text, strings.Clone(l.Text))
		}
		return s.More(l)
	}
	if strings.HasPrefix(l.Text, "Run starting. Expected test count is: ") {
		m.spec = &sbt{bare: true, within: true}
	}
	if m.spec != nil && !m.over && m.spec.line(s, l) {
		return true
	}
	if last := s.Last(); last != nil && last.Kind == result.BuildError && strings.HasPrefix(l.Text, "  ") {
		symbol(last, l.Text)
		return s.More(l)
	}
	if m.results.below(l) {
		return true
	}
	if n := len(m.warned); n > 0 && n < maxReasons && strings.HasPrefix(l.Text, "  ") && (strings.HasSuffix(m.warned[n-1].Text, ":") || strings.HasPrefix(m.warned[n-1].Text, "[WARNING]    ")) {
		l.Text = "[WARNING]  " + l.Text // a row of a list of RAT's
		m.warned = append(m.warned, l)
		return true
	}
	if thrown := isThrown(l.Text); (thrown || len(m.thrown) > 0 && l.Stream == m.prints) && len(m.thrown) < 200 {
		m.thrown, m.prints = append(m.thrown, strings.Clone(l.Text)), l.Stream
	}
	traced := m.over && isMavenTrace(l.Text)
	return traced || m.tests > 0 && !m.over && l.Text != "" && m.totals || s.MisuseIf(l, "Unable to parse command line options: ") && s.Close(l)
}

// endFailure completes the finding of a failed test.
func (m *maven) endFailure(s *read.Sink) {
	if f := s.Last(); m.open && f != nil {
		junit.Explain(m.in, f, m.text, classOf(f.ID), "src/test")
		placeTest(f)
		s.Break()
	}
	m.open = false
}

// count reads the total of a module, "Tests run: 9, Failures: 4, Errors: 1, Skipped: 2".
func (m *maven) count(s *read.Sink, l tool.Line, text string) bool {
	switch {
	case strings.Contains(text, "Time elapsed"), m.section == beforeResults:
		return true
	case m.section == afterTotal:
		s.Doubt = "the output has two totals of the same tests"
	case m.section == atResults && m.running > 0:
		m.section = beforeResults
	case m.section == atResults:
		m.section = afterTotal
	}
	n := read.CountsBehind(text)
	s.Scores(n, "failed: failures; error: errors; skipped: skipped; flaky: flakes")
	s.Score("passed", max(0, n["tests run"]-n["failures"]-n["errors"]-n["skipped"]-n["flakes"]))
	m.counted, m.red = m.counted+n["failures"]+n["errors"], m.red+min(1, n["failures"]+n["errors"])
	s.Tested, m.totals, m.tests = true, true, 0
	return s.Sign(l)
}

// settle completes the findings of a build's tests from the lists at their end.
func (m *maven) settle(s *read.Sink) {
	m.modules.place(s.Findings)
	counted := m.counted
	if !m.totals {
		counted = -1
	}
	m.results.green = !m.totals && !m.failed && m.stop == nil && len(m.later) == 0
	m.results.settle(s, m.in, m.first, counted, m.running == 0 && m.tests == 0)
	m.results = newMavenResults()
}
