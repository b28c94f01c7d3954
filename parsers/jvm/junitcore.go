package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("org.junit.runner.JUnitCore junit.textui.TestRunner", func(p *tool.Parser) {
	p.Is("junit-core", result.Test, 1, "JUnit 3 and 4, run by their own main classes")
	p.Reads(tool.Format{Name: "text", Starts: []string{"JUnit version ", "Tests run: …,  Failures: "}, Named: true, Parse: parseJUnitCore})
})

// parseJUnitCore reads the failures, which follow each other without an empty line, and the counts:
//
//	There was 1 failure:
//	1) totals(com.acme.CartTest)
//	java.lang.AssertionError: expected:<4> but was:<3>
//		at org.junit.Assert.fail(Assert.java:88)
//		at com.acme.CartTest.totals(CartTest.java:7)
//
//	FAILURES!!!
//	Tests run: 7,  Failures: 1
func parseJUnitCore(in *tool.Input) *tool.Report {
	return read.Numbered{
		Head: func(title string) bool { // JUnit 3 prints the exception behind the name
			return strings.HasSuffix(title, ")") || !strings.Contains(strings.SplitN(title, ")", 2)[0], " ")
		},
		Ends: func(text string) bool {
			return text == "FAILURES!!!" || strings.HasPrefix(text, "Tests run: ") || strings.HasPrefix(text, "There w")
		},
		Take: func(s *read.Sink, b *read.Block) {
			name, thrown, _ := strings.Cut(b.Title, ")")
			f := result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: name}
			if method, class, ok := strings.Cut(name, "("); ok { // otherwise a class that could not be set up
				f.ID = class + "." + method
			}
			text := b.Body
			if thrown != "" {
				text = append([]string{thrown}, text...)
			}
			junit.Explain(in, &f, text, classOf(f.ID), "")
			s.FindBlock(b, f)
		},
		Other:  junitCoreLine,
		Closes: true,
	}.Parse(in)
}

func junitCoreLine(s *read.Sink, l tool.Line) bool {
	text := l.Text
	passed, ok := strings.CutPrefix(text, "OK (")
	switch {
	case ok || strings.HasPrefix(text, "Tests run: "):
		n := read.CountsBehind(text)
		if ok {
			n["tests run"] = read.Counts(passed)["tests"] + read.Counts(passed)["test"]
		}
		return s.Sum(l, n["tests run"], n["failures"]+n["errors"], 0, 0)
	case strings.HasPrefix(text, "JUnit version "), strings.HasPrefix(text, "There w"):
		return s.Sign(l)
	}
	return text == "FAILURES!!!" || strings.HasPrefix(text, "Time: ")
}
