package jvm

import (
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/read/junit"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

var _ = Room.Add("jlink jmod jpackage keytool jarsigner jar | jdeps javap", func(p *tool.Parser) {
	p.Is("jdk-tools", result.Build, 1, "the JDK 11 to 25: what jar, jlink, jdeps, jmod, jpackage, javap, keytool and jarsigner refuse")
	p.Reads(tool.Format{Name: "text", Starts: []string{"\tat jdk.jartool/sun.tools.jar.", "\tat jdk.jlink/jdk.tools.", "keytool error: java.", "jarsigner: ", "can not validate ", "Error: no jmod file found: "}, Named: true, Parse: read.Rows{
		Kind: result.BuildError,
		Rows: []read.Row{
			{Form: "keytool error: {}: {message}"},
			{Form: "jarsigner: {message}"},
			{Form: "jarsigner error: {message}"},
			{Form: "Error: {message}"},
			{Form: "error: {message}"},
			{Form: "can not validate {path}: {message}"},
			{Form: "Bundler {} skipped because of a configuration problem: {message}"},
			{Form: "Advice to fix: {}", As: read.More},
			{Form: "java.lang.module.FindException: Module {}", As: read.More}, // jlink has said so above
			{Form: "java.{rule}: {message}", Fit: withoutPackage},
			{Form: "Warning: {message}", As: read.Warning},
			{Form: "{path} : no such file or directory", Fit: func(f *result.Finding) { f.Message = "no such file or directory" }},
		},
		Below: func(_ *read.Sink, l tool.Line) bool { return isTrace(l.Text) },
	}.Parse})
})

var _ = Room.Add("org.openjdk.jmh.Main | benchmarks.jar", func(p *tool.Parser) {
	p.Is("jmh", result.Test, 1, "JMH 1: benchmarks that threw, and those whose forked process ended")
	p.Reads(tool.Format{Name: "text", Starts: []string{"# JMH version: "}, Parse: read.Fresh(func(j *jmh) read.Text { return read.Text{Line: j.line, Turn: j.explain, End: j.explain} })})
})

// jmh reads what stands in the place of a value: "Iteration   1: <failure>", with a trace below, or "<forked VM failed
// with exit code 9>".
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
