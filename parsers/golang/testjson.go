package golang

import (
	"slices"
	"strings"

	"cairn/parsers/text/jsontext"
	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// goEvent is one event of "go test -json", strings still escaped.
type goEvent struct {
	action, pkg, test, output, importPath string
}

func readGoEvent(line string) (e goEvent, ok bool) {
	if !strings.HasPrefix(line, "{") {
		return e, false
	}
	ok = jsontext.Object(line, func(f jsontext.Field) {
		switch f.Key {
		case "Action":
			e.action = f.Value
		case "Package":
			e.pkg = f.Value
		case "Test":
			e.test = jsontext.Unescape(f.Value)
		case "Output":
			e.output = f.Value
		case "ImportPath":
			e.importPath = f.Value
		}
	})
	return e, ok && e.action != ""
}

// isGoEvent tells an event of go test from other JSON lines.
func isGoEvent(line string) bool {
	e, ok := readGoEvent(line)
	return ok && e.isGo() && (e.pkg != "" || e.importPath != "" || e.bare())
}

// isGo says whether the action is one that go test has.
func (e *goEvent) isGo() bool {
	return lex.IsOneOf(e.action, "start run pause cont output pass fail skip bench attr build-output build-fail")
}

// bare says whether the event names a test but no package, since test2json was run without -p.
func (e *goEvent) bare() bool {
	return e.pkg == "" && isGoTestName(e.test) && lex.IsOneOf(e.action, "run pause cont output pass fail skip")
}

// isGoEventLine says whether a line is an event of a run with -json, which a reader of the text format skips.
func isGoEventLine(line string) bool {
	return strings.HasPrefix(line, `{"`) && isGoEvent(line)
}

// parseGoTestJSON reads the event stream. Lines that are no events (compiler text before Go 1.24,
// GODEBUG=gotestjsonbuildtext=1) are read for what the go command itself says.
func parseGoTestJSON(in *tool.Input) *tool.Report {
	run := newGoRun(in)
	run.events = true
	j := goJSON{run: run, sections: map[string]*goSection{}}
	for l := range in.LentLines() {
		run.whole = l.Ended || run.whole && l.Text == ""
		run.now = result.Span{Start: l.Start, End: l.End}
		e, ok := readGoEvent(l.Text)
		j.bare = j.bare || ok && e.bare()
		if !ok || e.pkg == "" && e.importPath == "" && !(j.bare && e.isGo()) {
			j.cut = j.cut || strings.HasPrefix(l.Text, "{") && !l.Ended
			j.text(l)
			continue
		}
		run.report.Cover(l)
		j.event(e)
	}
	for _, s := range slices.Clone(run.openSections) { // a copy, since sections leave the list as they end
		s.unfinished()
	}
	rep := run.finish(!j.cut)
	if rep != nil && in.Headless { // events have no totals: earlier failures may be cut away
		rep.Tested = false
	}
	return rep
}

// text takes a line that is no event. Up to Go 1.20, packages that could not be built have a trailer in text.
func (j *goJSON) text(l tool.Line) {
	if t, ok := readGoTrailer(l.Text); ok {
		s := j.run.open(strings.Clone(t.pkg))
		s.trailer = t.kept()
		j.run.touch(&s.span)
		j.run.report.Cover(l)
		s.close()
		return
	}
	if !j.run.command(l) {
		j.run.shown(l.Text)
	}
}

type goJSON struct {
	run      *goRun
	sections map[string]*goSection
	last     *goSection
	cut      bool
	bare     bool // events without a package were seen
}

func (j *goJSON) event(e goEvent) {
	if e.importPath != "" {
		if e.action == "build-output" {
			j.run.build.line(strings.Clone(e.importPath), strings.Clone(outputLine(e.output)), j.run.now)
		}
		return
	}
	s := j.section(e.pkg)
	j.run.touch(&s.span)
	if e.test == "" {
		j.packageEvent(s, e)
		return
	}
	switch e.action {
	case "run":
		s.framed()
		s.start(e.test)
	case "pause", "cont":
		if t := s.tests[e.test]; t != nil {
			t.paused = e.action == "pause"
		}
	case "output":
		s.testOutput(e.test, e.output)
	case "pass", "skip", "fail":
		s.end(e.test, e.action)
	}
}

func (j *goJSON) section(pkg string) *goSection {
	if j.last != nil && j.last.pkg == pkg {
		return j.last
	}
	s := j.sections[pkg]
	if s == nil {
		pkg = strings.Clone(pkg)
		s = j.run.open(pkg)
		s.verbose = true
		j.sections[pkg] = s
	}
	j.last = s
	return s
}

func (j *goJSON) packageEvent(s *goSection, e goEvent) {
	switch e.action {
	case "output":
		line := outputLine(e.output)
		if t, ok := readGoTrailer(line); ok && t.pkg == s.pkg {
			s.trailer = t.kept()
			return
		}
		s.packageLine(line)
	case "pass", "fail", "skip":
		delete(j.sections, s.pkg)
		j.last = nil
		s.trailer.verdict = e.action
		s.close()
	}
}

// testOutput adds output of a test. A piece without a newline is held until the rest of its line arrives.
func (s *goSection) testOutput(name, output string) {
	t := s.tests[name]
	if t == nil {
		t = s.start(name)
	}
	if !strings.HasSuffix(output, `\n`) {
		if len(t.partial) < lex.MaxLogLine {
			t.partial += strings.Clone(outputLine(output)) // always copies: "" + s would alias s, whose buffer is reused
		}
		return
	}
	line := outputLine(output)
	if r, ok := readGoReport(line); ok && r.name == name && !r.glued {
		if s.flushPartial(t); !t.ended {
			s.ends(t, r)
		}
		t.indent, t.verdict, t.took = r.indent, r.verdict, r.took // a fuzz target reports itself twice
		return
	}
	if isGoFraming(line) && strings.HasSuffix(line, name) {
		s.flushPartial(t)
		return
	}
	if t.partial != "" {
		line, t.partial = t.partial+line, ""
	}
	s.testLine(t, line)
}

func (s *goSection) flushPartial(t *goTest) {
	if t.partial != "" {
		line := t.partial
		t.partial = ""
		s.testLine(t, line)
	}
}

// outputLine decodes the text of an Output, without its newline and terminal escapes.
func outputLine(raw string) string {
	raw = strings.TrimSuffix(raw, `\n`)
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(tool.Resolve([]byte(jsontext.Unescape(raw))))
}
