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

var _ = Room.Add(tool.NoProgram, func(p *tool.Parser) {
	p.Is("spring-boot", result.Generic, 1, "Spring Boot 1.4 to 4: why an application did not start")
	p.Reads(tool.Format{Name: "text", Starts: []string{"APPLICATION FAILED TO START", "Error starting ApplicationContext. To display the condition"}, Parse: read.Fresh(func(b *springBoot) read.Text { return read.Text{Line: b.line, Turn: b.explain, End: b.explain} })})
})

// springBoot reads the exception below "… o.s.boot.SpringApplication : Application run failed", or the report of a
// failure analyzer:
//
//	APPLICATION FAILED TO START
//	***************************
//
//	Description:
//
//	Web server failed to start. Port 8080 was already in use.
//
//	Action:
//
//	Identify and stop the process that's listening on port 8080 …
type springBoot struct {
	part string   // "Description" or "Action"; "" outside of both
	help string   // the action so far
	said bool     // a line of text of the part was read
	text []string // the trace below "Application run failed"
	run  bool     // it is being read
}

// explain completes the finding of "Application run failed" from the trace below.
func (b *springBoot) explain(s *read.Sink) {
	if f := s.Last(); f != nil && len(b.text) > 0 {
		junit.Explain(s.In, f, b.text, "", "")
	}
	b.run, b.text = false, nil
}

// says reports whether the message of the exception, or of a cause, may go on: it has a few lines, and no frame yet.
func (b *springBoot) says() bool {
	n := len(b.text)
	return !lex.HasAnyPrefix(strings.TrimLeft(b.text[n-1], "\t"), "at ", "... ") &&
		(n < 12 || slices.ContainsFunc(b.text[n-6:], func(s string) bool { return strings.HasPrefix(s, "Caused by: ") }))
}

func (b *springBoot) line(s *read.Sink, l tool.Line) bool {
	text, f := strings.TrimSpace(l.Text), s.Last()
	if b.run && (len(b.text) == 0 || isTrace(l.Text) || b.says()) {
		if text != "" && len(b.text) < 1000 {
			b.text = append(b.text, strings.Clone(l.Text))
		}
		return s.More(l)
	}
	b.explain(s)
	switch {
	case strings.HasSuffix(text, "Application run failed") && strings.Contains(text, "SpringApplication"):
		*b = springBoot{run: true}
		return s.Find(l, result.Finding{Kind: result.Panic, Message: "Application run failed"})
	case text == "APPLICATION FAILED TO START":
		*b = springBoot{}
		return s.Find(l, result.Finding{Kind: result.Panic})
	case f == nil:
		return false
	case text == "Description:" && f.Message == "", text == "Action:" && b.part == "Description":
		b.part, b.said = strings.TrimSuffix(text, ":"), false
	case text == "" && b.part == "Action" && b.said:
		b.part = ""
		return s.Break()
	case text == "" || strings.Trim(text, "*") == "":
	case b.part == "Description":
		f.Message, b.said = lex.Clip(strings.TrimPrefix(f.Message+" "+text, " ")), true
	case b.part == "Action":
		b.help, b.said = lex.Clip(strings.TrimPrefix(b.help+" "+text, " ")), true
		f.Suggestions = []string{b.help}
	default:
		return s.Break() && false
	}
	return s.More(l)
}

var _ = Room.Add("org.openjdk.jmh.Main | benchmarks.jar", func(p *tool.Parser) {
	p.Is("jmh", result.Test, 1, "JMH 1: benchmarks that threw, and those whose forked process ended")
	p.Reads(tool.Format{Name: "text", Starts: []string{"# JMH version: "}, Parse: read.Fresh(func(j *jmh) read.Text { return read.Text{Line: j.line, Turn: j.explain, End: j.explain} })})
})

// jmh reads the two texts that JMH prints instead of a value: "Iteration   1: <failure>", with a trace below, and
// "<forked VM failed with exit code 9>".
type jmh struct {
	bench string
	text  []string // below a failure
	open  bool
	done  bool // advice follows, and the table of values
}

func (j *jmh) line(s *read.Sink, l tool.Line) bool {
	name, named := strings.CutPrefix(l.Text, "# Benchmark: ")
	values, valued := strings.CutPrefix(l.Text, "# Parameters: ")
	_, ended, forked := strings.Cut(l.Text, "<forked VM failed with ")
	switch {
	case j.open && !strings.HasPrefix(l.Text, "#") && (l.Text != "" || len(j.text) == 0 || !isTrace(j.text[len(j.text)-1])):
		if l.Text != "" && len(j.text) < 200 {
			j.text = append(j.text, strings.Clone(l.Text))
		}
		return s.More(l)
	case named:
		j.bench = strings.Clone(name)
	case valued:
		j.bench += " " + values
	case forked, strings.HasSuffix(l.Text, "<failure>"):
		j.explain(s)
		s.Find(l, result.Finding{Kind: result.TestFailure, Severity: result.SevFailure, ID: j.bench, Message: strings.TrimSuffix("forked VM failed with "+ended, ">")})
		j.open = !forked
		return true
	}
	j.explain(s)
	if strings.HasPrefix(l.Text, "# Run complete. ") {
		j.done = s.Close(l)
	}
	j.done = j.done && !strings.HasPrefix(l.Text, "Benchmark ")
	return j.done || strings.HasPrefix(l.Text, "# JMH version: ") && s.Sign(l) || lex.HasAnyPrefix(l.Text, "# ", "Iteration ", "Result ", "<std", "</std") || j.bench != "" && (l.Text == "" || strings.HasSuffix(l.Text, "/op"))
}

// explain completes the finding of a benchmark that threw.
func (j *jmh) explain(s *read.Sink) {
	if f := s.Last(); j.open && f != nil {
		junit.Explain(s.In, f, j.text, "", "")
		s.Break()
	}
	j.open, j.text = false, nil
}
