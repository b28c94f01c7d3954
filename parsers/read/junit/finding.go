package junit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/parsers/read"
	"cairn/parsers/text/lex"
	"cairn/parsers/text/xmltext"
	"cairn/parsers/tool"
	"cairn/result"
)

// endTest closes the open case: it counts the case, and reports it if it did not pass.
func (r *junitReader) endTest() {
	t := &r.test
	r.within, r.sink = false, nil
	t.notStarted(r.run.known(r.style))
	r.run.forgive(t)
	first := t.first()
	d := r.writer(t, first)
	r.run.wrote(d)
	bad := first != nil && !first.flaky() && !first.warns() || t.saysFailed()
	r.tally(bad)
	if t.todo() || r.again(first) {
		bad, first, t.outcomes = false, nil, t.outcomes[:0]
		t.status = append(t.status[:0], "skipped"...)
	}
	end := r.at(r.x.Offset())
	switch {
	case r.run.foreign:
		if bad {
			r.lint(end)
		}
	case r.run.known(d).Cases != nil:
		r.run.owner(d, true).Case(r.outside(bad, end))
	default:
		if bad {
			r.lint(end)
		}
		r.count(bad, first)
		if full := len(r.run.rep.Findings) >= r.run.rep.Most(); full && bad {
			r.run.rep.Drop(first.severity(), 1)
		} else if bad || first != nil {
			r.run.rep.Add(r.finding(d, first, end))
		}
	}
	if r.run.known(d).Cases == nil && !r.run.foreign {
		r.tell(d, bad, first)
	}
	r.cover(r.x.Offset())
	clear(t.outcomes) // lets their texts be freed
	t.outcomes, t.output = t.outcomes[:0], junitText{}
}

// tell reports the case's outcome to the list of tests, by the id that its finding has. A case that stands for a
// suite or a file is no test.
func (r *junitReader) tell(d string, bad bool, first *junitOutcome) {
	t := &r.test
	if t.implicit || r.isUnrun() {
		return
	}
	var f result.Finding
	r.identify(&f, d)
	if f.Name == "" {
		return
	}
	told := tool.Test{ID: f.ID, Outcome: r.came(bad, first), DurationMS: t.took}
	if !r.run.known(d).Teardown {
		told.Times = 1
	}
	if f.At != nil && f.At.Line > 0 {
		told.At = f.At.String()
	}
	if t.cut {
		told.ID = ""
	}
	r.run.rep.Ran(told)
}

func (r *junitReader) came(bad bool, first *junitOutcome) read.Outcome {
	switch {
	case bad && first != nil && first.isError():
		return tool.Errored
	case bad:
		return tool.Failed
	case r.run.expectedFailure(&r.test):
		return tool.XFailed
	case r.test.skipped():
		return tool.Skipped
	case first != nil && !first.warns():
		return tool.Flaky
	}
	return tool.Passed
}

// isUnrun reports whether the open case stands for a file of tests that could not be run.
func (r *junitReader) isUnrun() bool {
	class := r.run.known(r.style).Unrun
	return class != "" && string(r.test.class) == class
}

// again reports whether the case repeats the case before it: a file that could not be run is reported twice, the
// second time with the error as JSON.
func (r *junitReader) again(o *junitOutcome) bool {
	n := len(r.run.rep.Findings)
	if o == nil || n == 0 || !r.isUnrun() || !strings.HasPrefix(o.text.head.String(), `{"`) {
		return false
	}
	last := &r.run.rep.Findings[n-1]
	return last.Severity == result.SevError && last.Name == xmltext.Meant(r.test.name) && strings.HasSuffix(last.ID, string(r.test.class))
}

// tally counts the case, for comparison with its suite's counts.
func (r *junitReader) tally(bad bool) {
	t := &r.test
	n := junitTally{tests: 1}
	if t.implicit {
		n.tests = 0
	} else {
		r.run.cases++
	}
	n.whys = t.forgiven
	if bad {
		n.bad, n.whys = 1, max(1, len(t.outcomes))
	}
	if last := len(r.suites) - 1; last >= 0 {
		r.suites[last].own.join(n)
		r.suites[last].seen.join(n)
	}
}

func (r *junitReader) count(bad bool, first *junitOutcome) {
	came := r.came(bad, first)
	if came == tool.Passed && first != nil {
		r.run.rep.Counts["risky"]++
		return
	}
	r.run.rep.Counts[string(came)]++
	if came == tool.Flaky {
		r.run.rep.Counts["passed"]++
	}
}

// outside is the case in the form that tools with a reader of their own get.
func (r *junitReader) outside(bad bool, end int64) *tool.Case {
	t := &r.test
	c := &tool.Case{
		Suite: r.suite().name, Name: xmltext.Meant(t.name), Class: xmltext.Meant(t.class), File: xmltext.Meant(t.file), Line: t.line, Took: t.took,
		Failed: bad, Skipped: t.skipped(), Expected: r.run.expectedFailure(t), Span: result.Span{Start: t.start, End: end},
	}
	for i := range t.outcomes {
		c.Outcomes = append(c.Outcomes, t.outcomes[i].told())
	}
	if t.first() != nil {
		c.Printed = t.output.lines()
	} else if bad {
		c.Outcomes = append(c.Outcomes, tool.Outcome{What: "failure"})
	}
	return c
}

// told is the outcome in the form that tools get.
func (o *junitOutcome) told() tool.Outcome {
	return tool.Outcome{What: o.what, Class: o.class, Message: o.message, Text: o.text.lines()}
}

// first is the most important outcome: a failure comes before those of later attempts.
func (t *junitCase) first() (first *junitOutcome) {
	for i := range t.outcomes {
		switch o := &t.outcomes[i]; {
		case o.what == "skipped":
		case !o.warns():
			return o
		case first == nil:
			first = o
		}
	}
	return first
}

// warns reports whether the test passed all the same; see tool.Dialect's Passes.
func (o *junitOutcome) warns() bool { return o.what == "warning" }

func (o *junitOutcome) flaky() bool { return strings.HasPrefix(o.what, "flaky") }

func (o *junitOutcome) isError() bool { return o.what == "error" || o.what == "rerunError" }

// severity is error if something around a test went wrong, and failure for a failed test or one without an outcome.
func (o *junitOutcome) severity() result.Severity {
	if o != nil && o.isError() {
		return result.SevError
	}
	return result.SevFailure
}

// finding is the finding of a case that did not pass. o is nil if only the status says so.
func (r *junitReader) finding(d string, o *junitOutcome, end int64) result.Finding {
	t := &r.test
	o = cmp.Or(o, &junitOutcome{what: "failure"})
	f := result.Finding{
		Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: o.what, Source: string(d),
		RawSpan: &result.Span{Start: t.start, End: end},
	}
	f.Severity = o.severity()
	r.identify(&f, d)
	body := o.text.lines()
	if r.explained(&f, d, body) {
		r.attempts(&f, d, o)
		return f
	}
	known := r.run.known(d)
	if known.Printed && len(body) == 0 {
		body = t.printedReasons()
	}
	if known.Message != nil {
		o.message = known.Message(o.message, body)
	}
	r.explain(&f, d, o, body)
	r.attempts(&f, d, o)
	if f.Detail == "" && !known.Printed { // the test's output may help, but is no reason
		printed := lex.Bounded{Max: lex.MaxOutput}
		for _, s := range t.output.lines() {
			printed.Add(s, &r.run.room)
		}
		f.Detail = strings.Join(printed.Lines(), "\n")
	}
	return f
}

// identify gives the finding the id by which the tool itself names the test.
func (r *junitReader) identify(f *result.Finding, d string) {
	t := &r.test
	name, class, file := xmltext.Meant(t.name), xmltext.Meant(t.class), xmltext.Meant(t.file)
	suite := r.suite()
	f.Name = name
	if file = cmp.Or(file, suite.file); file != "" {
		file, _ = r.run.files.Workspace.Path(file)
	}
	if class != "" && class != name {
		f.Suite = []string{class}
	}
	if dotted, ok := strings.CutSuffix(file, path.Ext(file)); ok && class == strings.ReplaceAll(dotted, "/", ".") { // rspec
		class = ""
	}
	if strings.HasSuffix(name, " "+class) { // mocha-junit-reporter: class is the title, name all titles
		class = ""
	}
	switch {
	case name == "":
		f.ID = cmp.Or(class, suite.name)
	case isScript(name) && (class == name || result.IsAbsolute(name)): // the case stands for a whole file
		file, _ = r.run.files.Workspace.Path(name)
		f.ID, f.Name = file, ""
	case r.named(f, d, &tool.CaseNames{File: file, Class: class, Name: name, Owner: xmltext.Meant(t.owner), Host: suite.host}):
	case file != "" && isScript(file):
		f.ID = JoinTitles(file, class, name)
	case isScript(class):
		f.ID = class + " › " + name
	case class == "" || class == name || strings.HasPrefix(name, class+".") || strings.HasPrefix(name, class+" "):
		f.ID = name
	default:
		f.ID = class + "." + name
	}
	if file != "" {
		f.At = &result.Location{Path: file, Line: t.line}
	} else if isScript(class) {
		f.At = &result.Location{Path: class}
	}
}

// named gives the finding the id that the writer's dialect gives it, if the dialect does.
func (r *junitReader) named(f *result.Finding, writer string, n *tool.CaseNames) bool {
	name := r.run.known(writer).ID
	if name == nil {
		return false
	}
	n.Titles = append([]string{}, r.titles()...)
	id, suites := name(n)
	if id == "" {
		return false
	}
	if f.ID = id; suites != nil {
		f.Suite = suites
	}
	return true
}

// titles are the names of the open suites below the root.
func (r *junitReader) titles() []string {
	var all []string
	for _, s := range r.suites[min(1, len(r.suites)):] {
		all = append(all, s.name)
	}
	return all
}

// JoinTitles joins titles to an id, without a title with which the next one begins.
func JoinTitles(titles ...string) string {
	var kept []string
	for i, s := range titles {
		if s == "" || i+1 < len(titles) && (s == titles[i+1] || strings.HasPrefix(titles[i+1], s+" ")) {
			continue
		}
		kept = append(kept, s)
	}
	return strings.Join(kept, " › ")
}

// isScript reports whether a name is that of a test file, in languages that name tests by file rather than by
// class.
func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".bats", ".rb", ".py", ".sh", ".feature", ".robot", ".t", ".lua":
		return true
	}
	return false
}

// explain sets message, rule, place, values and detail of the finding.
func (r *junitReader) explain(f *result.Finding, d string, o *junitOutcome, body []string) {
	message := read.TextLines(o.message)
	body = withoutShown(body)
	thrown(f, o.class, message, body)
	f.Message = junitMessage(f, message, body)
	r.locate(f, d, message, body)
	r.placeSaid(f, message, body)
	r.causes(f, body)
	r.parts(f, d, body)
	fillJUnitValues(f, message, body)
	detail := lex.Bounded{Max: lex.MaxRest + lex.MaxOutput}
	if !begins(body, message) {
		for _, s := range message {
			detail.Add(s, &r.run.room)
		}
	}
	for _, s := range body {
		detail.Add(s, &r.run.room)
	}
	f.Detail = strings.Join(detail.Lines(), "\n")
	if f.Detail == f.Message {
		f.Detail = ""
	}
	f.Name, f.ID = lex.Headline(f.Name), lex.Headline(f.ID)
}

// begins reports whether the body begins by repeating the message.
func begins(body, message []string) bool {
	if len(message) == 0 {
		return true
	}
	return slices.ContainsFunc(body[:min(len(body), 4)], func(line string) bool { return strings.Contains(line, strings.TrimSpace(message[0])) })
}

// attempts adds further reasons: other attempts, and other assertions of the same test.
func (r *junitReader) attempts(f *result.Finding, d string, first *junitOutcome) {
	t := &r.test
	again := 0
	for i := range t.outcomes {
		o := &t.outcomes[i]
		rerun := strings.HasPrefix(o.what, "rerun") || o.flaky()
		if rerun {
			again++
		}
		if o == first || o.what == "skipped" || len(f.Related) >= result.MaxFrames {
			continue
		}
		var other result.Finding
		message, body := read.TextLines(o.message), o.text.lines()
		other.Message = junitMessage(f, message, body)
		r.locate(&other, d, message, body)
		if other.Message != f.Message || other.At != nil && f.At != nil && *other.At != *f.At {
			f.Related = append(f.Related, result.Related{Message: other.Message, At: other.At})
		}
	}
	switch {
	case first.warns():
		f.Severity = result.SevWarning
	case first.flaky():
		f.Severity, f.Tags, f.Attempts = result.SevWarning, []string{"flaky"}, again+1
	case again > 0:
		f.Attempts = again + 1
	}
}
