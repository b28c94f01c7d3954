package golang

import (
	"strings"

	"cairn/parsers/text/lex"
	"cairn/parsers/tool"
	"cairn/result"
)

// parseGoTestText reads what go test prints for people, with or without -v.
//
// The lines of a package come before the line that names it, so they are collected in a section without a name and
// closed by the trailer. A passing test may print anything, "--- FAIL: TestFake (0.00s)" and "ok  \tpkg" included.
// These rules decide what is believed:
//
//   - under -v, a report only of a test that "=== RUN" announced;
//   - without -v, if the command is known, no report of a test that did not fail;
//   - an "ok" trailer after a failed test only after the line "PASS";
//   - no report or trailer without exactly the format of the go command.
//
// If a passing test prints a well-formed "--- FAIL" inside a failing package, a run without -v does not show that it is
// no failure: it is reported as one, and package place removes it if the workspace has no such test.
func parseGoTestText(in *tool.Input) *tool.Report {
	run := newGoRun(in)
	r := goText{run: run, section: run.open("")}
	for l := range in.LentLines() {
		run.whole = l.Ended || run.whole && l.Text == ""
		run.now, run.stream = result.Span{Start: l.Start, End: l.End}, l.Stream
		switch {
		case isGoEventLine(l.Text):
			r.events = true
		case !run.build.take(l):
			r.line(l)
		}
	}
	if r.section.seen {
		r.section.unfinished()
	}
	if r.summed && (!run.verbose || run.lost > 0 || len(run.pkgs) == 0 || r.dones > 1) {
		return nil // see gotestsum.go
	}
	if r.summed && r.mixed {
		return readGotestsum(in).finish() // lines of two packages are mixed
	}
	if r.events && len(run.pkgs) == 0 {
		return nil
	}
	if run.refusedAll() {
		return parseGoRefused(in) // up to Go 1.23, a package that cannot be loaded stops the whole run
	}
	return run.finish(true)
}

type goText struct {
	run     *goRun
	section *goSection
	current *goTest   // under -v: the test whose output is being read
	stack   []*goTest // without -v: the tests whose log may follow, outermost first
	torn    tornStack
	events  bool   // of a run with -json; the text reader skips them
	summed  bool   // gotestsum's summary has begun, which repeats everything
	errors  bool   // in its "=== Errors", the only place with compile errors
	dones   int    // "DONE" lines of gotestsum
	mixed   bool   // a test began while another was running
	after   bool   // the last line was a trailer: "FAIL" alone then ends the run
	fresh   bool   // the last line was a report
	below   bool   // logs follow their report and a blank line, as tparse prints them
	framed  string // the package in tparse's last heading
}

func (r *goText) line(l tool.Line) {
	if r.gotestsum(l) {
		return
	}
	if r.tparse(l) {
		r.run.report.Cover(l)
		return
	}
	s := r.section
	if r.torn.line(s, l) {
		return
	}
	r.run.touch(&s.span)
	if t, ok := readGoTrailer(l.Text); ok && r.believes(t) {
		r.run.report.Cover(l)
		r.closeSection(t.kept())
		return
	}
	r.cover(l)
	if r.verdict(l) || mayFrame(l.Text) && r.frame(l) {
		return
	}
	if !s.seen {
		if r.run.command(l) {
			return
		}
		r.run.shown(l.Text)
	}
	r.output(l.Text)
	r.cover(l) // the line may have begun a trace
}

// gotestsum takes a line of gotestsum's own; the lines after its summary begins are not go test's.
func (r *goText) gotestsum(l tool.Line) bool {
	if strings.HasPrefix(l.Text, "DONE ") && readGotestsumDone(l.Text) != nil {
		r.dones++
	}
	if r.summed = r.summed || r.dones > 0 || isGotestsumTitle(l.Text); r.summed {
		r.run.report.Cover(l)
	}
	switch {
	case isGotestsumLine(l.Text):
		r.errors = l.Text == "=== Errors"
	case r.errors && l.Text != "":
		r.run.compilerError(l)
	}
	return r.summed
}

// verdict takes the line with which a test binary or go test ends: "FAIL" or "PASS".
func (r *goText) verdict(l tool.Line) bool {
	switch l.Text {
	case "FAIL":
		s := r.section
		if r.after && !s.seen {
			r.run.final = true
			r.run.report.Cover(l)
			return true
		}
		s.seen = true
		r.finishStack(0)
		s.packageLine(l.Text)
		r.current = nil
	case "PASS":
		r.section.packageLine(l.Text)
	default:
		return false
	}
	return true
}

// mayFrame is a quick check whether package testing may have printed the line itself.
func mayFrame(s string) bool {
	return strings.Contains(s, "=== ") || strings.Contains(s, "--- ") || strings.HasPrefix(s, "Benchmark")
}

// frame takes a line that package testing prints itself.
func (r *goText) frame(l tool.Line) bool {
	if before, verb, name, ok := cutGoFraming(l.Text); ok {
		r.output(before)
		r.framing(verb, name)
		r.run.report.Cover(l)
		return true
	}
	if isGoBenchmark(l.Text) { // -v prints it in place of "=== RUN"
		r.framing("RUN", l.Text)
		r.run.report.Cover(l)
		return true
	}
	if rep, ok := readGoReport(l.Text); ok && r.reported(rep, l.Text) {
		r.run.report.Cover(l)
		return true
	}
	return false
}

// cover covers the line if it belongs to the tests: go test copies all of their output to stdout.
func (r *goText) cover(l tool.Line) {
	if s := r.section; s.seen && (l.Stream == tool.Stdout || r.run.binary || s.trace != nil || s.race != nil) {
		r.run.report.Cover(l)
	}
}

// believes says whether a trailer is genuine: "ok" after a failed test needs a "PASS" or "FAIL" line before.
func (r *goText) believes(t goTrailer) bool {
	s := r.section
	return t.verdict == "fail" || !s.anyFailed() || s.passLine || s.failLine
}

func (r *goText) closeSection(t goTrailer) {
	s := r.section
	if t.verdict == "fail" || !s.anyFailed() || s.passLine {
		s.pkg, s.trailer = t.pkg, t
		r.finishStack(0)
		s.close()
	} else { // the section has no trailer of its own
		r.finishStack(0)
		s.unfinished()
		next := r.run.open(t.pkg)
		next.trailer = t
		next.close()
	}
	r.section = r.run.open("")
	r.current, r.stack, r.after = nil, nil, true
}

func (r *goText) framing(verb, name string) {
	s := r.section
	s.seen, s.verbose, r.after = true, true, false
	if verb == "RUN" {
		r.finishStack(0)
		if s.serial != nil && !s.serial.ended && !s.serial.paused && s.tests[s.serial.name] == s.serial && strings.IndexByte(name, '/') < 0 {
			r.mixed = true
			r.run.report.Unread(name + " began while " + s.serial.name + " ran")
		}
		r.current, s.announced = s.start(name), true
		if strings.IndexByte(name, '/') < 0 {
			s.serial = r.current
		}
		s.framed()
		return
	}
	if len(r.run.pkgs) == 0 && !s.announced {
		s.joined(name)
	}
	if t := s.tests[name]; t != nil {
		r.current, t.paused = t, verb == "PAUSE"
	}
}

// reported takes a report, or returns false if the report is not believed.
func (r *goText) reported(rep goReport, line string) bool {
	s := r.section
	t := s.tests[rep.name]
	if !s.verbose && rep.verdict != "fail" && rep.verdict != "bench" && r.run.quiet() {
		return false // a test printed it
	}
	if s.verbose && (t == nil || t.ended) && !strings.HasPrefix(rep.name, "Benchmark") && !r.nestedSame(rep) && !r.joinedParent(rep) {
		s.again(t, rep)
		return false
	}
	if rep.glued {
		r.output(line[:strings.Index(line, "--- ")])
	}
	s.seen, r.after = true, false
	if r.nestedSame(rep) {
		t := r.stack[len(r.stack)-1]
		t.indent, t.nested = rep.indent, true
		return true
	}
	r.finishStack(rep.indent)
	if t = s.tests[rep.name]; t == nil || t.ended {
		t = s.start(rep.name)
	}
	s.ends(t, rep)
	r.run.touch(&t.span)
	r.stack = append(r.stack, t)
	r.current, r.fresh = nil, true
	return true
}

// finishStack ends the tests whose log can no longer follow: those whose report is indented by indent or more.
func (r *goText) finishStack(indent int) {
	for n := len(r.stack) - 1; n >= 0 && r.stack[n].indent >= indent; n-- {
		r.section.end(r.stack[n].name, r.stack[n].verdict)
		r.stack = r.stack[:n]
	}
}

// output gives a line to its test: by its indentation after a report, else to the test that is running.
func (r *goText) output(line string) {
	r.below = r.below || r.fresh && line == ""
	if r.fresh = false; line == "" {
		r.section.note(line)
		return
	}
	if r.current != nil {
		r.section.testLine(r.current, line)
		return
	}
	for len(r.stack) > 0 && !r.logsFirst() {
		t := r.stack[len(r.stack)-1]
		if strings.HasPrefix(t.name, "Example") || lex.LeadingBlanks(line) >= t.logIndent() {
			r.section.testLine(t, line)
			return
		}
		if lex.LeadingBlanks(line) < 4 {
			break
		}
		r.finishStack(t.indent)
	}
	r.section.earlyLine(line, r.logsFirst())
	r.section.packageLine(line)
}
