package jvm

import (
	"strings"

	"cairn/parsers/read"
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
	failed bool // the lines below "BUILD FAILED" are being read
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
	case placed && (strings.HasPrefix(message, "The following error occurred while executing this line") || strings.HasPrefix(message, "Compile failed; see") && len(s.Findings) > 0):
		return true
	case placed:
	case l.Text == "" || s.Last() != nil:
		return s.More(l)
	case strings.HasPrefix(l.Text, "Target \""):
		s.Meaning = result.MeansUsage
		f.Message, f.At = l.Text, nil
	default:
		f.Message, f.At = l.Text, nil
	}
	return s.Find(l, f)
}
