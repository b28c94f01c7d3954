package jvm

import (
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/frame"
	"cairn/parsers/read/junit"
	"cairn/parsers/read/place"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("junit-platform-console-standalone.jar | junit junit-platform-console.jar org.junit.platform.console.ConsoleLauncher", func(p *tool.Parser) {
	p.Is("junit-console", result.Test, 2, "JUnit's console launcher 1.0 to 6.0: every kind of --details, the list of failures and the counts")
	p.Filter = tool.Filter{Flag: "--select-method", Spell: classAndMethod}
	p.Exits = map[int]result.Meaning{2: result.MeansNoTests, 255: result.MeansUsage}
	p.Reads(tool.Format{Name: "text", Starts: []string{"Test run finished after ", "[  … tests failed ", "Usage: junit execute [OPTIONS]"}, Named: true, Parse: parseJUnitConsole})
})

// console reads the list of failures:
//
//	Failures (6):
//	  JUnit Jupiter:AccountTest:adds()
//	    MethodSource [className = 'AccountTest', methodName = 'adds', …]
//	    => org.opentest4j.AssertionFailedError: sum ==> expected: <3> …
//	       AccountTest.adds(AccountTest.java:6)
type console struct {
	in     *tool.Input
	listed bool
	stream tool.Stream // the stream with the list of failures
	head   tool.Line   // a line that may be the name of a failure, as the next line decides
	before int         // index in text where this name begins
	class  string
	text   []string          // the reason of the failure that is being read
	spots  []result.Location // of a scenario and a step of Cucumber
	tree   consoleTree
	feed   consoleFeed
}

func parseJUnitConsole(in *tool.Input) *tool.Report {
	c := &console{in: in}
	return read.Text{Line: c.line, End: c.explainLast, Closes: true}.Parse(in)
}

func (c *console) line(s *read.Sink, l tool.Line) bool {
	text := l.Text
	switch {
	case strings.HasPrefix(text, "Failures (") && strings.HasSuffix(text, "):"):
		c.endFeed(s)
		c.listed, c.stream = true, l.Stream
		c.tree.end(s)
		s.Sign(l)
	case strings.HasPrefix(text, "Test run finished after "):
		c.head.Text = ""
		c.explainLast(s)
		c.endFeed(s)
		c.tree.end(s)
		c.listed = false
		s.Tested = true
		s.Sign(l)
	case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
		if !s.Tested && failedAtLast(text) {
			s.Tested = true
			s.Sign(l)
		}
		if s.Tested {
			c.count(s, l, text)
		}
	case lex.HasAnyPrefix(text, "Unknown option", "Unmatched argument at index ", "Missing required", "Please specify an explicit selector"):
		s.Misuse(l, text)
		s.Close(l)
	case strings.HasPrefix(text, "Caused by: org.junit.platform.commons.") || strings.HasPrefix(text, "org.junit.platform.commons."):
		_, message, _ := strings.Cut(strings.TrimPrefix(text, "Caused by: "), ": ")
		s.Find(l, result.Finding{Kind: result.GenericFinding, Message: message})
		s.Close(l)
	case !c.listed && c.head.Text != "" && lex.HasAnyPrefix(text, "    MethodSource [className = '", "    ClassSource [className = '"): // the head of the list is cut off
		c.listed, c.stream = true, l.Stream
		c.failure(s, c.head, c.head.Text)
		c.failure(s, l, text)
	case c.listed && l.Stream == c.stream: // the other stream's lines may be another tool's
		c.failure(s, l, text)
	default: // the tree or the feed; output of tests and of other tools is not covered
		if c.head.Text = ""; lex.LeadingBlanks(text) == 2 && strings.Contains(text, ":") {
			c.head = l
			c.head.Text = strings.Clone(text)
		}
		return c.tree.line(s, text) || c.feedLine(s, l)
	}
	return true
}

func (c *console) failure(s *read.Sink, l tool.Line, text string) {
	trimmed := strings.TrimSpace(text)
	named := strings.HasPrefix(text, "    ") && (strings.Contains(text, "Source [") || strings.HasPrefix(trimmed, "=> "))
	if c.head.Text != "" && named {
		name := strings.Join(c.text[c.before:], " ")
		c.text = c.text[:c.before]
		c.explainLast(s)
		s.Find(c.head, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name, Name: name})
		c.head.Text = ""
	}
	switch {
	case lex.LeadingBlanks(text) == 2: // a name, or a line of the previous failure's reason
		s.Cover(l)
		l.Text = strings.Clone(text)
		c.head, c.before, c.text = l, len(c.text), append(c.text, strings.TrimSpace(l.Text))
		return
	case strings.HasPrefix(trimmed, "MethodSource ["), strings.HasPrefix(trimmed, "ClassSource ["):
		if f := s.Last(); f != nil {
			c.class = quoted(trimmed, "className = ")
			f.ID = c.tree.listedID(f.Name)
			if method := quoted(trimmed, "methodName = "); method != "" {
				f.Select = c.class + "#" + shownMethod(f.Name, method) + index(f.Name)
			} else {
				f.Select = c.class
				f.Severity = result.SevError // the set-up of the class failed
			}
		}
	case strings.HasPrefix(trimmed, "FileSource ["): // "[file = /a/b.feature, filePosition = FilePosition [line = 6, column = 5]]"
		_, file, _ := strings.Cut(trimmed, "file = ")
		file, line, _ := strings.Cut(file, ", filePosition = FilePosition [line = ")
		c.spots = append(c.spots, result.Location{Path: strings.Clone(file), Line: lex.LeadingNumber(line)})
	case strings.HasPrefix(trimmed, "=> "):
		c.text = append(c.text, trimmed[3:])
	case strings.HasPrefix(trimmed, "✽."): // "✽.she has 1 book(file:///a/b.feature:12)"
		_, step, _ := lex.CutLast(strings.TrimSuffix(trimmed, ")"), "(file://")
		if at, _, ok := place.Cut(strings.Clone(step)); ok {
			c.spots = append(c.spots, at)
		}
	case isConsoleFrame(trimmed):
		c.text = append(c.text, "at "+strings.Clone(strings.TrimPrefix(trimmed, "at ")))
	case len(c.text) > 0:
		c.text = append(c.text, strings.Clone(trimmed))
	}
	s.More(l)
}

// isConsoleFrame reports whether a line is a frame, which has no "at " here.
func isConsoleFrame(s string) bool {
	_, ok := frame.JVM("at " + strings.TrimPrefix(s, "at "))
	return ok && s[0] != '-' // "->" of Mockito's messages
}

// quoted returns the value in single quotes behind a name: "adds" for "methodName = 'adds'".
func quoted(text, name string) string {
	_, rest, _ := strings.Cut(text, name+"'")
	value, _, _ := strings.Cut(rest, "'")
	return value
}

// shownMethod returns a method with its parameters, as reports have it, if the name of the failure shows
// them; otherwise the method's bare name.
func shownMethod(shown, method string) string {
	for part := range strings.SplitSeq(shown, ":") {
		if strings.HasPrefix(part, method[:1]) && strings.HasSuffix(part, ")") && !strings.Contains(part, " ") {
			return part
		}
	}
	return method
}

// index returns "[3]", the run of a parameterised test, from a name like "…:even(int):[3] 3"; otherwise "".
func index(name string) string {
	_, rest, ok := strings.Cut(name, ":[")
	n, _, closed := strings.Cut(rest, "]")
	if !ok || !closed || !lex.IsDigits(n) {
		return ""
	}
	return "[" + n + "]"
}

// explainLast completes the finding of the last failure from its lines.
func (c *console) explainLast(s *read.Sink) {
	if f := s.Last(); f != nil && len(c.text) > 0 {
		if junit.Explain(c.in, f, c.text, c.class, ""); f.At == nil && len(c.spots) > 0 {
			f.At, c.spots = &c.spots[0], c.spots[1:]
		}
		f.Frames = append(f.Frames, c.spots...)
	}
	c.text, c.class, c.spots = nil, "", nil
	s.Break()
}

// failedAtLast reports whether a line counts failed tests. This count is the last line, and may be all that
// "| tail" left of a run. A count of 0 does not show that the run passed, since containers may have failed.
func failedAtLast(text string) bool {
	n, what, _ := strings.Cut(strings.Trim(text, "[] "), " ")
	return what == "tests failed" && lex.IsDigits(n) && lex.Atoi(n) > 0
}

// count reads "[         5 tests failed          ]".
func (c *console) count(s *read.Sink, l tool.Line, text string) {
	number, what, _ := strings.Cut(strings.Trim(text, "[] "), " ")
	if !lex.IsDigits(number) {
		return
	}
	switch n := lex.Atoi(number); what {
	case "tests failed":
		s.Close(l) // this count is the last line
		s.Fails(n)
	case "containers failed":
		s.Score("error", n)
	case "tests successful":
		s.Count("passed", n)
	case "tests skipped", "tests aborted":
		s.Count("skipped", n)
	case "tests found":
		s.NoTests = n == 0
	}
}

var _ = Room.Add("io.kotest.engine.launcher.MainKt", func(p *tool.Parser) {
	p.Is("kotest", result.Test, 1, "Kotest 5, its own launcher: what failed, and the list at the end")
	p.Reads(tool.Format{Name: "text", Starts: []string{">> There were test failures", "- Test plan has "}, Named: true, Parse: func(in *tool.Input) *tool.Report {
		k := &kotest{in: in}
		return read.Blocks{Head: kotestHead, Ends: func(t string) bool { return strings.HasPrefix(t, ">> ") }, Take: k.take, Other: k.listed, End: read.TestsClose, Closes: true}.Parse(in)
	}})
})

// kotest takes specs, contexts and tests, with why they failed below them, and the list at the end:
//
//  2. tram.RouteSpec
//     + between
//     - two stops FAILED
//
//     expected:<14> but was:<13>
//     tram.RouteSpec$1$3$1.invokeSuspend(RouteSpec.kt:20)
//     >> There were test failures
//     tram.RouteSpec
//     - between -- two stops
//     - between
type kotest struct {
	in         *tool.Input
	spec, last string // in the list: the spec, and the test above
	titles     []string
	around     int // number of contexts in the list
}

func kotestHead(text string) (title string, ok bool) {
	number, _, spec := strings.Cut(text, ".  ")
	row := strings.TrimLeft(text, " ")
	return text, spec && lex.IsDigits(number) || lex.HasAnyPrefix(row, "- ", "+ ") && len(text)-len(row) != 1
}

func (k *kotest) take(s *read.Sink, b *read.Block) {
	head := strings.TrimLeft(b.Title, " ")
	title := strings.TrimSuffix(strings.TrimSuffix(head, " FAILED"), " ERROR")
	if _, spec, ok := strings.Cut(title, ".  "); ok && lex.IsDigits(title[:1]) {
		k.titles = []string{spec}
	} else if k.titles != nil {
		k.titles = append(k.titles[:min(len(k.titles), 1+lex.LeadingBlanks(b.Title)/4)], strings.TrimSpace(title[1:]))
	}
	if k.titles == nil || len(b.Body) == 0 || title[0] == '-' && title == head {
		return
	}
	for i, row := range b.Body {
		if strings.HasPrefix(row, "  ") && strings.HasSuffix(row, ")") {
			b.Body[i] = "\tat " + strings.TrimSpace(row)
		}
	}
	f := kotestFinding(k.titles[0], strings.Join(k.titles[1:], " -- "))
	junit.Explain(k.in, &f, b.Body, "", "")
	s.FindBlock(b, f)
}

func kotestFinding(spec, test string) result.Finding {
	return result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: strings.TrimSuffix(spec+"."+test, "."), Name: test, Message: tool.Untold}
}

// listed takes the list at the end, in which contexts come after their tests, and the counts.
func (k *kotest) listed(s *read.Sink, l tool.Line) bool {
	test, ok := strings.CutPrefix(l.Text, " - ")
	switch {
	case strings.HasPrefix(l.Text, ">> "):
		k.spec = " "
		return s.Sign(l)
	case k.spec == "":
		return false
	case ok && strings.HasPrefix(k.last, test+" -- "):
		k.around++
	case ok:
		k.last = test
		f := kotestFinding(k.spec, test)
		if !slices.ContainsFunc(s.Findings, func(told result.Finding) bool { return told.ID == f.ID }) {
			s.Find(l, f)
		}
	case strings.HasPrefix(l.Text, " "):
		k.spec = l.Text[1:]
	case strings.HasPrefix(l.Text, "Tests:"):
		n := read.Counts(l.Text[len("Tests:"):])
		return s.Sum(l, n["total"]-k.around, n["failed"]-k.around, 0, n["ignored"])
	}
	return true
}
