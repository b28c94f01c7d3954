package junit

import (
	"bytes"
	"io"

	"cairn/parsers/text/xmltext"
)

// junitReader follows the documents of one stream or file.
type junitReader struct {
	run    *junitRun
	x      *xmltext.Scanner
	stream *junitStream // nil for a file

	open   []junitKind // elements
	suites []junitSuite
	test   junitCase
	within bool       // a test case is open
	sink   *junitText // where text goes

	from     int64  // what is covered so far
	line     int64  // where the line began that a document begins in
	heads    int    // XML declarations before the document
	base     string // surefire: the directory of the module
	cases    int    // of the run, before the document
	findings int    // the same
	counted  bool   // a suite says how many tests it has
	others   bool   // elements lie in it that are not of a report

	style string // of the document, as far as it is known
}

// junitKind is what an element is.
type junitKind uint8

const (
	junitOther junitKind = iota
	junitSuites
	junitSuiteKind
	junitTest
	junitOutcomeKind
	junitOutput
	junitProperty
)

func junitKindOf(name []byte) junitKind {
	switch string(name) {
	case "testsuites":
		return junitSuites
	case "testsuite":
		return junitSuiteKind
	case "testcase":
		return junitTest
	case "failure", "error", "skipped", "rerunFailure", "rerunError", "flakyFailure", "flakyError":
		return junitOutcomeKind
	case "system-out", "system-err":
		return junitOutput
	case "property":
		return junitProperty
	}
	return junitOther
}

func newJUnitReader(run *junitRun, r io.Reader) *junitReader {
	return &junitReader{run: run, x: xmltext.NewScanner(r)}
}

func (r *junitReader) read() {
	for r.seek() {
		r.document()
	}
}

// seek goes to where a document begins: to a tag at the start of a line, or
// behind the document before.
func (r *junitReader) seek() bool {
	x := r.x
	if x.Has(3) && x.Offset() == 0 && string(x.Window()[:3]) == "\ufeff" {
		x.Pos += 3
	}
	for begin := int64(-1); ; {
		begin = r.skipBlanks(begin)
		x.Has(len("<testsuites "))
		w := x.Window()
		switch {
		case len(w) == 0:
			return false
		case bytes.HasPrefix(w, []byte("<testsuite")) && IsLine(string(w[:min(len(w), 30)])):
			r.from = r.line
			return true
		case bytes.HasPrefix(w, []byte("<?xml")):
			begin = r.line
			x.Pos += 2
			x.Pass("?>")
		case begin >= 0 && bytes.HasPrefix(w, []byte("<!")):
			x.Markup()
		default:
			begin = -1
			r.skipLine()
		}
	}
}

// skipBlanks notes where the line begins, unless a document began already.
func (r *junitReader) skipBlanks(begin int64) int64 {
	x := r.x
	if begin < 0 {
		r.line = x.Offset()
	}
	for x.Has(1) && xmltext.IsSpace(x.Buf[x.Pos]) {
		if x.Pos++; begin < 0 && x.Buf[x.Pos-1] == '\n' {
			r.line = x.Offset()
		}
	}
	return begin
}

func (r *junitReader) skipLine() {
	x := r.x
	for x.Has(1) {
		if i := bytes.IndexByte(x.Window(), '\n'); i >= 0 {
			x.Pos += i + 1
			return
		}
		x.Pos = x.Len
	}
}

// document reads one document.
func (r *junitReader) document() {
	x := r.x
	r.begin()
	for {
		switch x.Next() {
		case xmltext.End:
			r.abandon()
			return
		case xmltext.Open:
			kind := junitKindOf(x.Name)
			if len(r.open) > 0 && (kind == junitSuites || kind == junitSuiteKind && x.Heads > r.heads) {
				r.abandon() // the last one was cut, and here begins another
				r.from = x.Start
				r.begin()
			}
			r.opened(kind)
			if x.Alone {
				r.pop()
			}
		case xmltext.Close:
			r.closed(junitKindOf(x.Name))
		case xmltext.Text:
			if r.sink != nil {
				r.sink.add(x.Content())
			}
		}
		if len(r.open) == 0 {
			r.end()
			return
		}
	}
}

func (r *junitReader) begin() {
	r.run.documents++
	r.heads = r.x.Heads
	r.style, r.base = "", ""
	r.cases, r.findings = r.run.cases, len(r.run.rep.Findings)+r.run.rep.Dropped
	r.counted, r.others = false, false
	r.x.Broken = false
}

// end closes a document whose root was closed.
func (r *junitReader) end() {
	x := r.x
	if !r.told() {
		r.run.documents--
		return
	}
	r.run.wrote(r.style)
	if x.Broken {
		r.run.doubt("the report is not well-formed XML")
	}
	for x.Has(1) && xmltext.IsSpace(x.Buf[x.Pos]) {
		if x.Pos++; x.Buf[x.Pos-1] == '\n' {
			break
		}
	}
	r.cover(x.Offset())
}

// told: it was a report. phpunit's configuration has <testsuites> too, with
// directories in them.
func (r *junitReader) told() bool {
	return r.cases < r.run.cases || r.findings < len(r.run.rep.Findings)+r.run.rep.Dropped || r.counted || !r.others
}

// abandon ends a document that stops before its end: what it told stays.
func (r *junitReader) abandon() {
	r.run.cut = true
	r.run.doubt("the report ends before its last tag")
	if r.within && r.test.bad() {
		r.endTest()
	}
	r.open, r.suites, r.within, r.sink = r.open[:0], r.suites[:0], false, nil
	r.cover(r.x.Start)
	if r.x.Kind == xmltext.End {
		r.cover(r.x.Offset())
	}
}

func (r *junitReader) cover(to int64) {
	if r.stream != nil {
		r.stream.cover(r.run.rep, r.from, to)
	}
	r.from = max(r.from, to)
}

// at is the place of a token in the output.
func (r *junitReader) at(pos int64) int64 {
	if r.stream != nil {
		return r.stream.merged(pos)
	}
	return pos
}

func (r *junitReader) opened(kind junitKind) {
	x := r.x
	if r.within && (kind == junitTest || kind == junitSuiteKind) { // its own end is missing
		x.Broken = true
		r.closed(junitTest)
	}
	r.open = append(r.open, kind)
	switch kind {
	case junitSuites, junitSuiteKind:
		r.openSuite(kind)
	case junitTest:
		r.within = true
		r.test.begin(x, r.at(x.Start))
	case junitOutcomeKind:
		r.openOutcome()
	case junitOutput:
		r.sink = nil
		switch {
		case r.within && r.test.bad() && !r.only():
			r.sink = &r.test.output
		case !r.within && r.run.owner(r.style, false) != nil:
			r.sink = &r.run.printed
		}
	case junitProperty:
		r.property()
	case junitOther:
		r.others = r.others || len(r.open) < 4 && string(x.Name) != "properties"
	}
}

// closed closes the nearest element of that kind, and all that lie in it.
func (r *junitReader) closed(kind junitKind) {
	i := len(r.open) - 1
	for i >= 0 && r.open[i] != kind {
		i--
	}
	if i < 0 || kind == junitOther && i < len(r.open)-1 {
		r.x.Broken = true
		return
	}
	r.x.Broken = r.x.Broken || i < len(r.open)-1
	for len(r.open) > i {
		r.pop()
	}
}

func (r *junitReader) pop() {
	kind := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	switch kind {
	case junitSuites, junitSuiteKind:
		r.endSuite()
	case junitTest:
		r.endTest()
	case junitOutcomeKind:
		r.sink = nil
		if r.test.implicit {
			r.endTest()
		}
	case junitOutput:
		r.sink = nil
	}
}

// openOutcome: of a test case or, outside of one, of the suite itself.
func (r *junitReader) openOutcome() {
	if !r.within {
		r.within = true
		r.test.reset(r.at(r.x.Start))
		r.test.implicit = true
		if n := len(r.suites); n > 0 {
			r.test.class = append(r.test.class, r.suites[n-1].name...)
		}
	}
	r.sink = r.test.outcome(r.x, r.run.onlyCounts())
	if passes := r.run.known(r.style).Passes; passes != nil && r.sink != nil && passes(r.x.Attr("type")) {
		r.test.outcomes[len(r.test.outcomes)-1].what = "warning"
		for i := range r.suites {
			r.suites[i].errors-- // which count it
		}
	}
	if r.only() {
		r.sink = nil
	}
}

// only: of the case that is open, no more is needed than that it failed, since
// no finding fits any more. A tool that reads its own cases counts by what the text says, and
// so do linters, as which all cases so far may have been written.
func (r *junitReader) only() bool {
	return len(r.run.rep.Findings) >= r.run.rep.Most() && r.style != "" && r.run.known(r.style).Cases == nil &&
		!r.isUnrun() && !r.run.foreign && r.run.lintCases != r.run.badCases
}

func (r *junitReader) property() {
	x := r.x
	name := string(x.RawAttr("name"))
	if name == "basedir" {
		r.base = x.Attr("value")
	}
	if r.within && (name == "skip" || name == "todo") { // the directives of TAP, as node-tap writes them
		r.test.outcomes = append(r.test.outcomes, junitOutcome{what: "skipped"})
	}
	r.learn(r.writerByProperty(name))
}
