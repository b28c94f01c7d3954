package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("ant", func(p *tool.Parser) {
	p.Is("ant", result.Build, 1, "Apache Ant 1.9 and 1.10: what javac and tests say behind the names of their tasks, and why the build failed")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: parseAnt})
})

var _ = Room.Add("phing", func(p *tool.Parser) { // Ant's project in PHP
	p.Is("phing", result.Build, 1, "Phing 2 and 3: why the build failed; what its tasks run prints its own")
	p.Runner = true
	p.Reads(tool.Format{Name: "text", Parse: parseAnt})
})

// ant reads the lines of javac and of tests, behind the names of their tasks, and the lines below "BUILD FAILED":
//
//	    [javac] /tmp/shop/src/A.java:1: error: cannot find symbol
//	    [javac] 2 errors
//
//	BUILD FAILED
//	/tmp/shop/build.xml:2: Compile failed; see the compiler error output for details.
type ant struct {
	javac  javac
	tests  antTests
	failed bool   // the lines below "BUILD FAILED" are being read
	kept   string // the last reason of a target, without which the build went on
}

func parseAnt(in *tool.Input) *tool.Report {
	a := &ant{tests: antTests{in: in, counted: map[string]bool{}, failing: map[string]bool{}}}
	return read.Text{Line: a.line, End: a.tests.end, Closes: true}.Parse(in)
}

func (a *ant) line(s *read.Sink, l tool.Line) bool {
	task, text, ok := strings.Cut(strings.TrimLeft(l.Text, " "), "]")
	inner := l
	inner.Text = strings.TrimPrefix(text, " ")
	switch {
	case ok && task == "[javac" && strings.HasPrefix(l.Text, " "):
		return a.javac.line(s, inner) || strings.HasPrefix(inner.Text, "Compiling ")
	case ok && task == "[phplint":
		where, number, _ := lex.CutLast(inner.Text, " on line ")
		message, path, has := lex.CutLast(where, " in ")
		return !has || s.Find(inner, result.Finding{Kind: result.BuildError, Message: message, At: &result.Location{Path: path, Line: lex.Atoi(number)}})
	case ok && lex.IsOneOf(task, "[junit [junitlauncher"):
		return a.tests.line(s, inner)
	case l.Text == "BUILD FAILED", l.Text == "Build failed":
		a.tests.end(s)
		a.failed = true
		return s.Close(l)
	case l.Text == "BUILD SUCCESSFUL":
		return s.Close(l)
	case strings.HasPrefix(l.Text, "Buildfile: "):
		if strings.HasSuffix(l.Text, " does not exist!") {
			s.Misuse(l, l.Text)
		}
		return true
	case strings.HasPrefix(l.Text, "Target '") && strings.Contains(l.Text, "' failed with message '"): // with -k, of which the end repeats the last
		target, why, _ := strings.Cut(l.Text[len("Target '"):], "' failed with message '")
		a.kept = strings.TrimSuffix(strings.TrimSuffix(why, "."), "'")
		s.Find(l, result.Finding{Kind: result.BuildError, ID: target, Message: a.kept})
		return s.Break()
	case strings.HasPrefix(l.Text, "Total time: "):
		a.failed = false
		return s.Break()
	}
	if a.failed {
		return a.why(s, l)
	}
	return isTarget(l.Text) || a.tests.line(s, l) // -emacs leaves out the names of tasks
}

// isTarget reports whether a line is the name of a target, "compile:", above the target's output.
func isTarget(text string) bool {
	return strings.HasSuffix(text, ":") && !strings.ContainsAny(text, " /\\")
}

// why reads the reason why the build failed. That the compiler failed is left out if its errors were read.
func (a *ant) why(s *read.Sink, l tool.Line) bool {
	at, message, placed := place.Cut(l.Text)
	f := result.Finding{Kind: result.BuildError, Message: message, At: &at}
	switch {
	case placed && message == a.kept && len(s.Findings) > 0:
		s.Findings[len(s.Findings)-1].At = &at
		return true
	case placed && (strings.HasPrefix(message, "The following error occurred while executing this line") || lex.HasAnyPrefix(message, "Compile failed; see", "Syntax error(s) in PHP files: ") && len(s.Findings) > 0):
		return true
	case placed:
	case l.Text == "" || s.Last() != nil || strings.Contains(l.Text, "=Errors parsing "):
		return s.More(l)
	case strings.HasPrefix(l.Text, "Target \""):
		s.Meaning = result.MeansUsage
		f.Message, f.At = l.Text, nil
	default:
		f.Message, f.At = l.Text, nil
	}
	return s.Find(l, f)
}

// antTests reads Ant's tasks junit and junitlauncher. The formatters plain and brief print a reason for each
// failure, the summary prints only counts, and with -q only the classes are printed.
//
//	[junit] Testsuite: lab.FourTest
//	[junit] Tests run: 15, Failures: 8, Errors: 4, Skipped: 2, Time elapsed: 0.226 sec
//	[junit] Testcase: equal took 0.004 sec         brief: Testcase: equal(lab.FourTest):	FAILED
//	[junit] 	FAILED
//	[junit] sum expected:<3> but was:<4>
//	[junit] junit.framework.AssertionFailedError: sum expected:<3> but was:<4>
//	[junit] 	at lab.FourTest.equal(FourTest.java:8)
//	[junit] Test lab.FourTest FAILED
type antTests struct {
	in          *tool.Input
	class, test string
	counted     map[string]bool // classes whose counts were read
	failing     map[string]bool // classes with a finding
	output      bool            // the lines are output of tests, between rules "-------------"
	open        int             // number of the finding, from 1, whose text follows; 0 outside
	text        []string
}

func (a *antTests) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	came, isClass := strings.CutPrefix(text, "Test ")
	switch {
	case strings.HasPrefix(text, "------------- "):
		a.output = strings.HasPrefix(text, "------------- Standard ")
	case a.output:
	case a.begins(text, "Running ") || a.begins(text, "Testsuite: "):
		a.end(s)
	case strings.HasPrefix(text, "Tests run: ") && strings.Contains(text, ", Time elapsed: "):
		a.count(s, l)
	case strings.HasPrefix(text, "Testcase: "):
		a.end(s)
		a.testcase(s, l, text[len("Testcase: "):])
	case a.test != "" && a.verdict(s, l, strings.TrimPrefix(text, "\t")):
	case isClass && strings.Contains(came, " FAILED") && !strings.Contains(came, ": "):
		a.end(s)
		if class, _, _ := strings.Cut(came, " "); !a.failing[class] {
			a.class = strings.Clone(class) // stderr has these lines of all classes
			a.fails(s, l, class, result.SevFailure)
			s.Last().Message = came[len(class)+1:]
		}
		s.Break()
	case a.open > 0:
		a.text = append(a.text, strings.Clone(text))
		return s.More(l)
	default:
		return text == ""
	}
	return true
}

// begins reads the name of a class behind word, as in "Running lab.FourTest".
func (a *antTests) begins(text, word string) bool {
	class, ok := strings.CutPrefix(text, word)
	if ok = ok && class != "" && !strings.Contains(class, " "); ok && (a.class == "" || !strings.HasPrefix(class, a.class+"$")) {
		a.class = strings.Clone(class)
	}
	return ok
}

func (a *antTests) count(s *read.Sink, l tool.Line) {
	n := read.CountsBehind(l.Text)
	if !a.counted[a.class] { // both the summary and the formatter print the counts
		s.Scores(n, "failed: failures; error: errors; skipped: skipped, aborted")
		_, launched := n["aborted"]
		if launched { // junitlauncher's "Tests run" leaves out skipped tests
			n["tests run"] += n["skipped"]
		}
		s.Count("passed", max(0, n["tests run"]-n["failures"]-n["errors"]-n["skipped"]-n["aborted"]))
		if launched && n["failures"] > 0 { // junitlauncher's summary has no reasons
			a.fails(s, l, a.class, result.SevFailure)
			s.Last().Message, _, _ = strings.Cut(l.Text, ", Time elapsed: ")
			s.Break()
		}
	}
	a.counted[a.class], s.Tested = true, true
	s.Sign(l)
}

// testcase reads "equal took 0.004 sec" and "equal(lab.FourTest):\tFAILED".
func (a *antTests) testcase(s *read.Sink, l tool.Line, text string) {
	name, verdict, brief := strings.Cut(text, ":\t")
	if i := strings.LastIndex(name, " took "); i > 0 {
		name = name[:i]
	}
	a.test = a.class
	if method, class, ok := lex.CutLast(name, "("); ok && brief {
		a.test = strings.TrimSuffix(class, ")") + "." + method
	} else if name != a.class {
		a.test = a.class + "." + name
	}
	if brief {
		a.verdict(s, l, verdict)
	}
}

func (a *antTests) verdict(s *read.Sink, l tool.Line, text string) bool {
	severity := lex.Means(text, "failure: FAILED; error: Caused an ERROR")
	if severity == "" {
		return strings.HasPrefix(text, "SKIPPED")
	}
	a.end(s)
	a.fails(s, l, a.test, result.Severity(severity))
	a.open = len(s.Findings)
	return true
}

func (a *antTests) fails(s *read.Sink, l tool.Line, id string, severity result.Severity) {
	a.failing[a.class] = true
	s.Find(l, result.Finding{Kind: result.TestFailure, Severity: severity, ID: strings.Clone(id), Message: tool.Untold})
}

// end completes a failure from its exception, which repeats the message above it.
func (a *antTests) end(s *read.Sink) {
	if a.open > 0 && a.open <= len(s.Findings) { // otherwise the finding is not kept
		f := &s.Findings[a.open-1]
		thrown := max(0, slices.IndexFunc(a.text, isThrown))
		junit.Explain(a.in, f, a.text[thrown:], classOf(f.ID), "")
		s.Break()
	}
	a.open, a.text = 0, nil
}
