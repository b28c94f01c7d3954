package parsers

import (
	"cmp"
	"path"
	"strings"

	"cairn/result"
)

// endTest counts the open case, and reports it if it did not pass.
func (r *junitReader) endTest() {
	t := &r.test
	r.within, r.sink = false, nil
	if r.style == byCTest {
		t.notRun()
	}
	first := t.first()
	d := r.dialect(t, first)
	r.run.wrote(d)
	bad := first != nil && !first.flaky() || t.saysFailed()
	r.tally(bad)
	if t.todo() || d == byJest && r.again(first) {
		bad, first, t.outcomes = false, nil, t.outcomes[:0]
		t.status = append(t.status[:0], "skipped"...)
	}
	end := r.at(r.x.offset())
	switch {
	case d == byGo:
		r.goCase(bad, end)
	case d == byPytest && first != nil:
		r.pytestFailed()
		r.pytestFindings(end)
	default:
		r.count(bad, first)
		if full := len(r.run.rep.Findings) >= MaxFindings; full && bad {
			r.run.rep.Dropped++
		} else if bad || first != nil {
			r.run.rep.Add(r.finding(d, first, end))
		}
	}
	r.cover(r.x.offset())
	clear(t.outcomes) // their texts are let go
	t.outcomes, t.output = t.outcomes[:0], junitText{}
}

// again: jest-junit tells of a suite that failed to run twice, one case behind
// the other; the second one holds the error as JSON.
func (r *junitReader) again(o *junitOutcome) bool {
	n := len(r.run.rep.Findings)
	if o == nil || n == 0 || string(r.test.class) != "Test suite failed to run" || !strings.HasPrefix(o.text.head.String(), `{"`) {
		return false
	}
	last := &r.run.rep.Findings[n-1]
	return last.Severity == result.SevError && last.Name == meant(r.test.name) && strings.HasSuffix(last.ID, "Test suite failed to run")
}

// tally counts the case for what its suite says of itself.
func (r *junitReader) tally(bad bool) {
	t := &r.test
	n := junitTally{tests: 1}
	if t.implicit {
		n.tests = 0
	} else {
		r.run.cases++
	}
	if bad {
		n.bad, n.whys = 1, max(1, len(t.outcomes))
	}
	if last := len(r.suites) - 1; last >= 0 {
		r.suites[last].own.join(n)
		r.suites[last].seen.join(n)
	}
}

func (r *junitReader) count(bad bool, first *junitOutcome) {
	c := r.run.rep.Counts
	switch {
	case bad && first != nil && first.isError():
		c["error"]++
	case bad:
		c["failed"]++
	case r.test.expectedFailure():
		c["xfailed"]++
	case r.test.skipped():
		c["skipped"]++
	default:
		c["passed"]++
		if first != nil {
			c["flaky"]++
		}
	}
}

// goCase hands a case to the reader of go test.
func (r *junitReader) goCase(bad bool, end int64) {
	t := &r.test
	if r.run.golang == nil {
		r.run.golang = newJUnitGo(r.run.in)
	}
	var suite string
	if n := len(r.suites); n > 0 {
		suite = r.suites[n-1].name
	}
	o := t.first()
	if bad && o == nil {
		o = &junitOutcome{what: "failure"}
	}
	r.run.golang.test(suite, meant(t.name), o, t.skipped(), result.Span{Start: t.start, End: end})
}

// first is the outcome that a reader should see: a failure before the attempts
// that came after it.
func (t *junitCase) first() *junitOutcome {
	for i := range t.outcomes {
		if t.outcomes[i].what != "skipped" {
			return &t.outcomes[i]
		}
	}
	return nil
}

// flaky: it passed in the end.
func (o *junitOutcome) flaky() bool { return strings.HasPrefix(o.what, "flaky") }

func (o *junitOutcome) isError() bool { return o.what == "error" || o.what == "rerunError" }

// finding is what a case that did not pass says. o is nil where only its status
// does.
func (r *junitReader) finding(d junitDialect, o *junitOutcome, end int64) result.Finding {
	t := &r.test
	if o == nil {
		o = &junitOutcome{what: "failure"}
	}
	f := result.Finding{
		Kind: result.TestFailure, Severity: result.SevFailure, RawSeverity: o.what, Source: string(d),
		RawSpan: &result.Span{Start: t.start, End: end},
	}
	if o.isError() {
		f.Severity = result.SevError
	}
	r.identify(&f, d)
	body := o.text.lines()
	if d == byNextest && r.explainRust(&f, body) {
		r.attempts(&f, d, o)
		return f
	}
	switch {
	case d == byCTest && len(body) == 0:
		body = t.ctestReasons()
	case d == byNode:
		o.message = nodeMessage(o.message, body)
	}
	r.explain(&f, d, o, body)
	r.attempts(&f, d, o)
	if f.Detail == "" && d != byCTest { // what it printed may help, and is no reason
		printed := boundedText{max: maxOutput}
		for _, s := range t.output.lines() {
			printed.add(s, &r.run.room)
		}
		f.Detail = strings.Join(printed.lines(), "\n")
	}
	return f
}

// identify gives the finding its id, as the tool itself would name the test.
func (r *junitReader) identify(f *result.Finding, d junitDialect) {
	t := &r.test
	name, class, file := meant(t.name), meant(t.class), meant(t.file)
	f.Name = name
	var suite junitSuite
	if n := len(r.suites); n > 0 {
		suite = r.suites[n-1]
	}
	if file = cmp.Or(file, suite.file); file != "" {
		file, _ = r.run.places.ws.Path(file)
	}
	if class != "" && class != name {
		f.Suite = []string{class}
	}
	if dotted, ok := strings.CutSuffix(file, path.Ext(file)); ok && class == strings.ReplaceAll(dotted, "/", ".") { // rspec
		class = ""
	}
	if strings.HasSuffix(name, " "+class) { // mocha-junit-reporter: the class is the title, the name all titles
		class = ""
	}
	switch {
	case name == "":
		f.ID = cmp.Or(class, suite.name)
	case isScript(name) && (class == name || isAbsPath(name)): // the file as a whole
		file, _ = r.run.places.ws.Path(name)
		f.ID, f.Name = file, ""
	case d == byJest && class == "Test suite failed to run":
		f.ID = joinTitles([]string{name, class})
	case d == byNextest:
		f.ID = class + "::" + name
	case d == byVitest:
		f.ID = class + " > " + name
	case d == byPlaywright:
		f.ID = class + " › " + name
		if suite.host != "" {
			f.ID = "[" + suite.host + "] › " + f.ID
		}
	case d == byNode:
		titles := r.titles()
		f.Suite = titles
		f.ID = joinTitles(append([]string{file}, append(titles, name)...))
	case d == byPHPUnit:
		f.ID = cmp.Or(meant(t.phpClass), class) + "::" + name
	case file != "" && (isScript(file) || d == byMocha):
		f.ID = joinTitles([]string{file, class, name})
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

// titles are the names of the open suites inside the root.
func (r *junitReader) titles() []string {
	var all []string
	for _, s := range r.suites[min(1, len(r.suites)):] {
		all = append(all, s.name)
	}
	return all
}

// joinTitles leaves out a title that the next one begins with.
func joinTitles(titles []string) string {
	var kept []string
	for i, s := range titles {
		if s == "" || i+1 < len(titles) && (s == titles[i+1] || strings.HasPrefix(titles[i+1], s+" ")) {
			continue
		}
		kept = append(kept, s)
	}
	return strings.Join(kept, " › ")
}

// isScript: the name of a file that tests stand in, where languages name tests
// by file rather than by class.
func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".bats", ".rb", ".py", ".sh", ".feature", ".robot", ".t", ".lua":
		return true
	}
	return false
}

// explain fills in why: message, rule, place, values and detail.
func (r *junitReader) explain(f *result.Finding, d junitDialect, o *junitOutcome, body []string) {
	message := textLines(o.message)
	f.Rule = junitRule(o.class, message, body)
	f.Message = junitMessage(f, message, body)
	r.locate(f, d, message, body)
	fillJUnitValues(f, message, body)
	detail := boundedText{max: maxRest + maxOutput}
	if !begins(body, message) {
		for _, s := range message {
			detail.add(s, &r.run.room)
		}
	}
	for _, s := range body {
		detail.add(s, &r.run.room)
	}
	f.Detail = strings.Join(detail.lines(), "\n")
	if f.Detail == f.Message {
		f.Detail = ""
	}
	f.Name, f.ID = headline(f.Name), headline(f.ID)
}

// begins: the body tells the message again.
func begins(body, message []string) bool {
	if len(message) == 0 {
		return true
	}
	for i := range min(len(body), 4) {
		if strings.Contains(body[i], strings.TrimSpace(message[0])) {
			return true
		}
	}
	return false
}

// attempts tells of further reasons: other attempts, and other assertions of
// the same test.
func (r *junitReader) attempts(f *result.Finding, d junitDialect, first *junitOutcome) {
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
		message, body := textLines(o.message), o.text.lines()
		other.Message = junitMessage(f, message, body)
		r.locate(&other, d, message, body)
		if other.Message != f.Message || other.At != nil && f.At != nil && *other.At != *f.At {
			f.Related = append(f.Related, result.Related{Message: other.Message, At: other.At})
		}
	}
	switch {
	case first.flaky():
		f.Severity, f.Tags, f.Attempts = result.SevWarning, []string{"flaky"}, again+1
	case again > 0:
		f.Attempts = again + 1
	}
}
